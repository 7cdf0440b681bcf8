/** Shared by session lists and session detail pages. */

/** Component types whose sessions can be paused and resumed. */
export const holding: ReadonlySet<string> = new Set(['koko', 'lion', 'chen', 'kael'])

export type RiskTone = 'warning' | 'danger' | undefined

/** By command level: warned (4) and approved by a reviewer (7), or refused (5), rejected (6), canceled (8). */
export function riskTone(level: number): RiskTone {
  if (level === 4 || level === 7) return 'warning'
  return level === 5 || level === 6 || level === 8 ? 'danger' : undefined
}
