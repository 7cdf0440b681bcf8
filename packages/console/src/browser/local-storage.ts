/** Values in the browser's local storage, as JSON. Invalid values count as absent. The caller validates the type. */
export function readStored<T>(key: string, store: Pick<Storage, 'getItem'> = localStorage): T | undefined {
  try {
    return (JSON.parse(store.getItem(key) ?? 'null') as T | null) ?? undefined
  } catch {
    return undefined
  }
}
