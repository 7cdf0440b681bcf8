export type ConstraintKind = 'unique' | 'foreign'

/** Which constraint a database refused a statement for; undefined when it was something else. */
export function brokenConstraint(error: unknown): { kind: ConstraintKind; detail: string } | undefined {
  const { code, errcode, message, constraint } = error as {
    code?: string
    errcode?: number
    message?: string
    constraint?: string
  }
  const detail = constraint ?? message ?? ''
  if (code === '23505' || errcode === 2067 || errcode === 1555) return { kind: 'unique', detail }
  if (code === '23503' || errcode === 787 || errcode === 1811) return { kind: 'foreign', detail }
  return undefined
}

/**
 * PostgreSQL's codes for a value it cannot even read: a text with a null character or a broken sequence, a number out
 * of range or no number at all (PostgreSQL, appendix A, class 22). Such a value came from outside.
 */
const unreadable = new Set(['22021', '22P05', '22P02', '22003'])

/** Whether a database refused a statement because a value in it cannot be stored or compared. */
export const unreadableValue = (error: unknown): boolean => unreadable.has(String((error as { code?: unknown }).code))
