/** What this browser keeps under a name, as JSON; what cannot be read counts as never kept. The caller says its shape. */
export function readStored<T>(key: string, store: Pick<Storage, 'getItem'> = localStorage): T | undefined {
  try {
    return (JSON.parse(store.getItem(key) ?? 'null') as T | null) ?? undefined
  } catch {
    return undefined
  }
}
