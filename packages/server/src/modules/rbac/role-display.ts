import type { Language } from '@castellan/contract/messages'
import { builtinRoles } from '@castellan/contract/permissions'

/** The name a role is shown by: built-in ones in the caller's language. */
export function roleDisplay(row: { id: string; name: string }, language: Language): string {
  const builtin = builtinRoles.find(({ id }) => id === row.id)
  return builtin ? builtin.displayName[language] : row.name
}
