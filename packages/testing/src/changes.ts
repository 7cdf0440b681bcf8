import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/**
 * Files of the repository that differ from a commit, committed or not, and new ones; those that were removed, too.
 * @throws when this folder is no checkout, or does not have the commit
 */
export function filesChangedSince(commit: string, folder = root): string[] {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  if (git('rev-parse', '--show-prefix').trim() !== '') throw new Error(`${folder} is no checkout of its own`)
  const names = [
    git('diff', '--name-only', '--no-renames', '-z', commit, '--'),
    git('ls-files', '--others', '--exclude-standard', '-z'),
  ]
  return names.flatMap((list) => list.split('\0')).filter(Boolean)
}

/** What lands together is rarely one commit: those of so many seconds before the last one count as one change. */
const together = 12 * 3600

/** The commit before the last change. @throws when this is no checkout, or it has no such commit */
function beforeLastChange(folder: string): string {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  const last = Number(git('log', '-1', '--format=%ct'))
  const commit = git('rev-list', '-1', `--before=${last - together}`, 'HEAD')
  if (commit === '') throw new Error('There is no commit before the last change.')
  return commit
}

/** The files of the last change, and of what is not committed yet; undefined where that cannot be known. */
export function filesOfLastChange(folder = root): string[] | undefined {
  try {
    return filesChangedSince(beforeLastChange(folder), folder)
  } catch {
    return undefined
  }
}

/**
 * Whether the last change, or what is not committed yet, touches one of the files with such a name. Also where that cannot
 * be known: an archive of the sources, a clone without the commits before, a machine without git.
 */
export function mayBeChanged(names: RegExp, folder = root): boolean {
  return filesOfLastChange(folder)?.some((file) => names.test(file)) ?? true
}
