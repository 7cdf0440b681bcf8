import { execFileSync } from 'node:child_process'
import { root } from '../runtime.mjs'

/** Files that differ from a commit, committed or not, and new ones. @param since empty for the last commit */
export function changedFiles(since: string): string[] {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  return [...git('diff', '--name-only', since || 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')]
}

/** Whether one of these files is part of a running program, or of what starts it. */
export function mayTouchProgram(files: readonly string[]): boolean {
  return files.some(
    (file) =>
      /^(package(-lock)?\.json$|scripts\/(start|stop|runtime|console-build|supervisor\/)|packages\/(?!testing\/))/.test(
        file,
      ) && !/\.test\.tsx?$|\.md$/.test(file),
  )
}
