/** Database statement counts of recent responses, if the server reports them. For developers. */
import { useSyncExternalStore } from 'react'

export interface StatementCount {
  /** Path without the API root and without the query. */
  address: string
  statements: number
}

/** Number of stored addresses. */
const limit = 10

let counts: readonly StatementCount[] = []
const listeners = new Set<() => void>()

/** Stores the count of a response, newest first, one entry per address. Responses without a count are ignored. */
export function noteStatements(path: string, { headers }: Response): void {
  const said = headers.get('x-jms-sql-count')
  if (said === null) return
  const address = path.replace(/\?.*/, '').replace(/^\/api\/v1(?=\/)/, '')
  const others = counts.filter((count) => count.address !== address)
  counts = [{ address, statements: Number(said) }, ...others].slice(0, limit)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useStatementCounts = (): readonly StatementCount[] => useSyncExternalStore(subscribe, () => counts)
