import type { Catalogue, Language, Message } from '@castellan/contract/messages'
import { fields as commonFields } from '@castellan/contract/messages/fields'
import type { Resource } from '../resource/resource.ts'

const catalogs = new Map<string, Catalogue>()

/** Registers the texts of a module when it is loaded. */
export function useTexts(app: string, catalog: Catalogue): void {
  catalogs.set(app, { ...catalogs.get(app), ...catalog })
}

const plain = (words: string): Message => {
  const text = words.charAt(0).toUpperCase() + words.slice(1).replaceAll('_', ' ')
  return { en: text, zh: text, ja: text }
}

function look(app: string, ...keys: string[]): Message | undefined {
  const own = catalogs.get(app)
  for (const key of keys) {
    const found = own?.[key] ?? (commonFields as Catalogue)[key]
    if (found) return found
  }
  return undefined
}

/** The label of a field: `<resource>.<field>`, else `<field>` in the app's texts, else the common one. */
export function labelOf(resource: Resource, field: string, language: Language): string {
  if (field === 'id') return 'ID'
  return (look(resource.app, `${resource.name}.${field}`, field) ?? plain(field))[language]
}

export function helpOf(resource: Resource, field: string, language: Language): string | undefined {
  return look(resource.app, `${resource.name}.${field}.help`, `${field}.help`)?.[language]
}

/** Label and hint of a field without a resource. */
export function textsOf(app: string, field: string, language: Language): { label: string; help: string | undefined } {
  return {
    label: (look(app, field) ?? plain(field))[language],
    help: look(app, `${field}.help`)?.[language],
  }
}

/** The name of a resource in the singular. */
export const nameOf = (resource: Resource): Message => look(resource.app, resource.name) ?? plain(resource.name)

/** The name of the field stored in a column; the column's own name if there is none. */
export const fieldOfColumn = (resource: Resource, column: string): string =>
  Object.keys(resource.fields).find((name) => resource.columnOf(name) === column) ??
  (resource.stored.get(column)?.isRef ? column.replace(/_id$/, '') : column)

/**
 * Fields without a label in any catalog, including columns shown in the operate log, and the resource itself when it
 * has no name; a test requires that there are none.
 */
export function unlabelled(resource: Resource): string[] {
  const columns = resource.unlogged ? [] : [...resource.stored.keys()].map((column) => fieldOfColumn(resource, column))
  const fields = new Set([...Object.keys(resource.fields), ...columns])
  return [
    ...(look(resource.app, resource.name) ? [] : [resource.name]),
    ...[...fields].filter((field) => field !== 'id' && !look(resource.app, `${resource.name}.${field}`, field)),
  ]
}
