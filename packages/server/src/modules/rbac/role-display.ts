import type { Language } from '@castellan/contract/messages'
import { builtinRoles } from '@castellan/contract/permissions'

/** The display name of a role; built-in roles have one in the caller's language. */
export function roleDisplay(row: { id: string; name: string }, language: Language): string {
  const builtin = builtinRoles.find(({ id }) => id === row.id)
  return builtin ? builtin.displayName[language] : row.name
}
