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
