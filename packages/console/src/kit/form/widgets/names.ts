/** Names of objects that a value contains as plain ids. */
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call, selectionToken } from '../../api/client.ts'
import { audience } from '../../api/metadata.ts'
import type { Page, Row } from '../../row.ts'
import type { Source } from '../spec.ts'

type Item = { id?: string; pk?: string; value?: string | number; name?: unknown }

/** Id of a value that is an id, an object, or an object to create (its name). */
export const idOf = (item: unknown): string => {
  if (typeof item !== 'object' || item === null) return String(item)
  const it = item as Item
  const made =
    it.name !== undefined && it.value !== undefined ? `${String(it.name)}:${it.value}` : (it.value ?? it.name)
  return String(it.id ?? it.pk ?? made)
}

export const itemsOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null || value === '' ? [] : [value]

/** Ids of a list in form values. */
export const idsOf = (value: unknown): string[] => (Array.isArray(value) ? value : []).map(idOf)

export const hasName = (item: unknown): item is Row =>
  typeof item === 'object' &&
  item !== null &&
  Object.keys(item).some((key) => ['name', 'label', 'display_name', 'full_value'].includes(key))

/** Rows as in the list response, so that labels can use all fields. */
const completeRows = new WeakSet<object>()

/** Whether a label can be derived from the value. An object to create needs only its name. */
export const isNamed = (item: unknown, source: Source): boolean =>
  hasName(item) && (completeRows.has(item) || !source.label || idOf(item) === String(item.name))

const answered = (rows: Row[]): Row[] => {
  for (const row of rows) completeRows.add(row)
  return rows
}

export const rowsOf = (answer: Page | Row[]): Row[] => answered(Array.isArray(answer) ? answer : answer.results)

const most = 100

/** Rows of the ids, of all pages. */
async function read(source: Source, ids: readonly string[]): Promise<Row[]> {
  const spm = await selectionToken(ids)
  const rows: Row[] = []
  for (;;) {
    const answer = await call<Page | Row[]>(source.url, {
      query: { spm, limit: most, offset: rows.length },
      quiet: true,
    })
    const page = rowsOf(answer)
    rows.push(...page)
    if (Array.isArray(answer) || page.length === 0 || rows.length >= answer.count) return rows
  }
}

const namesOf = (source: Source, ids: readonly string[]) =>
  queryOptions({
    queryKey: ['names', source.url, ids.join(), ...audience()],
    enabled: ids.length > 0,
    staleTime: 60_000,
    retry: false,
    queryFn: () => read(source, ids),
  })

export const useNames = (source: Source, ids: readonly string[]): Row[] => useQuery(namesOf(source, ids)).data ?? []

/** Values of a field without a known name. */
export const unnamedIn = (value: unknown, source: Source): string[] =>
  itemsOf(value)
    .filter((item) => !isNamed(item, source))
    .map(idOf)

/** Maximum time a form waits for the names of its values. Milliseconds. */
const patience = 800

/**
 * Whether the names of a form's initial values are loaded or the wait is over. `chosen` is undefined until the values
 * are known. Names that arrive later would enlarge their field and move the content below.
 */
export function useNamed(chosen: readonly { source: Source; ids: readonly string[] }[] | undefined): boolean {
  const known = chosen !== undefined
  const pending = useQueries({ queries: (chosen ?? []).map(({ source, ids }) => namesOf(source, ids)) }).some(
    (names) => names.isLoading,
  )
  const [settled, setSettled] = useState(false)
  useEffect(() => {
    if (!known) return undefined
    const timer = setTimeout(() => setSettled(true), pending ? patience : 0)
    return () => clearTimeout(timer)
  }, [known, pending])
  return known && (settled || !pending)
}
