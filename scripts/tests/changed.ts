import { filesChangedSince } from '../../packages/testing/src/changes.ts'

/** Files that differ from a commit, committed or not, and new ones. @param since empty for the last commit */
export const changedFiles = (since: string): string[] => filesChangedSince(since || 'HEAD')

/** Whether one of these files is part of a running program, or of what starts it. */
export function mayTouchProgram(files: readonly string[]): boolean {
  return files.some(
    (file) =>
      /^(package(-lock)?\.json$|scripts\/(start|stop|runtime|console-build|supervisor\/)|packages\/(?!testing\/))/.test(
        file,
      ) && !/\.test\.tsx?$|\.md$/.test(file),
  )
}
