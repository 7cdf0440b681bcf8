/** Stale times of queries, and their invalidation by "Refresh" of a tab. */

let renewed: { path: string; at: number } | undefined

/** Marks the cached data of the page at this path as stale; it is loaded again when the page mounts. */
export function invalidatePage(path: string): void {
  renewed = { path, at: Date.now() }
}

/** Milliseconds. */
export const defaultStaleTime = 5000

const pathNow = (): string => location.hash.slice(1).split('?')[0] ?? ''

/** For `staleTime`: `time` milliseconds, 0 for data older than an invalidation of the current page. */
export const staleAfter =
  (time: number) =>
  ({ state }: { state: { dataUpdatedAt: number } }): number =>
    renewed && renewed.path === pathNow() && state.dataUpdatedAt <= renewed.at ? 0 : time

/** For `retryOnMount`: failed queries have the same stale time as successful ones. */
export const retryFailedOnMount = ({ state }: { state: { errorUpdatedAt: number } }): boolean =>
  Date.now() - state.errorUpdatedAt > defaultStaleTime ||
  (renewed?.path === pathNow() && state.errorUpdatedAt <= renewed.at)
