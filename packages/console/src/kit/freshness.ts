/** How long an answer is good for, and who wants a new one all the same. */

let renewed: { path: string; at: number } | undefined

/** The page of this path is shown anew, with data that is asked for after this moment. */
export function renewPage(path: string): void {
  renewed = { path, at: Date.now() }
}

/** How long an answer, or a failure, is good for where nothing else is said. Milliseconds. */
export const usualTime = 5000

const pathNow = (): string => location.hash.slice(1).split('?')[0] ?? ''

/** For `staleTime`: an answer is good for so many milliseconds, unless its page was to be shown anew since. */
export const freshFor =
  (time: number) =>
  ({ state }: { state: { dataUpdatedAt: number } }): number =>
    renewed && renewed.path === pathNow() && state.dataUpdatedAt <= renewed.at ? 0 : time

/** For `retryOnMount`: a failure is as good as an answer. */
export const isLongFailed = ({ state }: { state: { errorUpdatedAt: number } }): boolean =>
  Date.now() - state.errorUpdatedAt > usualTime || (renewed?.path === pathNow() && state.errorUpdatedAt <= renewed.at)
