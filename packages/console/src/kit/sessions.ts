/** What the lists of sessions and the pages that show one both go by. */

/** Types of components whose sessions can be held and go on. */
export const holding: ReadonlySet<string> = new Set(['koko', 'lion', 'chen', 'kael'])

export type RiskTone = 'warning' | 'danger' | undefined

/** Of a command's level: warned about (4) and let through by a reviewer (7), or refused (5), rejected (6), cancelled (8). */
export function riskTone(level: number): RiskTone {
  if (level === 4 || level === 7) return 'warning'
  return level === 5 || level === 6 || level === 8 ? 'danger' : undefined
}
