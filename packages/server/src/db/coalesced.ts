/**
 * Work that runs once at a time: calls while a run is in progress share one run after it, so that every call is answered
 * by a run that began after the call. A failed run rejects for its own callers only.
 */
export function coalesced<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined
  const call = (): Promise<T> => {
    if (!running) {
      running = work().finally(() => {
        running = undefined
      })
      return running
    }
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return call()
      })
    return next
  }
  return call
}
