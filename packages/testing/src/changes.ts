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

/**
 * Whether the last commit, or what is not committed yet, touches one of the files with such a name. Also where that cannot
 * be known: an archive of the sources, a clone without the commit before, a machine without git.
 */
export function mayBeChanged(names: RegExp, folder = root): boolean {
  try {
    return filesChangedSince('HEAD^', folder).some((file) => names.test(file))
  } catch {
    return true
  }
}
