import { AsyncLocalStorage } from 'node:async_hooks'

const counting = new AsyncLocalStorage<{ statements: number }>()

/** Counts the statements that `work` sends, including awaited calls, to a database opened with `onStatement`. */
export const withStatementCount = <T>(work: () => T): T => counting.run({ statements: 0 }, work)

/** The number of statements sent so far by the counted work around the caller; undefined outside of any. */
export const statementCount = (): number | undefined => counting.getStore()?.statements

export function countStatement(): void {
  const work = counting.getStore()
  if (work) work.statements++
}
