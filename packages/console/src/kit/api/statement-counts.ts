/** How many database statements the server's answers took, while it says so: for whoever works on it. */
import { useSyncExternalStore } from 'react'

export interface StatementCount {
  /** Without the API's root and without its query. */
  address: string
  statements: number
}

/** Addresses that are kept. */
const kept = 10

let counts: readonly StatementCount[] = []
const listeners = new Set<() => void>()

/** Keeps what an answer says, the newest first, each address once. An answer that says nothing changes nothing. */
export function noteStatements(path: string, { headers }: Response): void {
  const said = headers.get('x-jms-sql-count')
  if (said === null) return
  const address = path.replace(/\?.*/, '').replace(/^\/api\/v1(?=\/)/, '')
  const others = counts.filter((count) => count.address !== address)
  counts = [{ address, statements: Number(said) }, ...others].slice(0, kept)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useStatementCounts = (): readonly StatementCount[] => useSyncExternalStore(subscribe, () => counts)
