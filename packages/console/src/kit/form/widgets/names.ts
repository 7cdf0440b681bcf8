/** Names of objects that a value holds as bare ids. */
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call, selectionToken } from '../../api/client.ts'
import { audience } from '../../api/metadata.ts'
import type { Page, Row } from '../../row.ts'
import type { Source } from '../spec.ts'

type Item = { id?: string; pk?: string; value?: string | number; name?: unknown }

/** Id of a value that is an id, an object, or an object yet to be made (its name). */
export const idOf = (item: unknown): string => {
  if (typeof item !== 'object' || item === null) return String(item)
  const it = item as Item
  return String(it.id ?? it.pk ?? it.value ?? it.name)
}

export const itemsOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null || value === '' ? [] : [value]

/** Ids of a list as a form holds it. */
export const idsOf = (value: unknown): string[] => (Array.isArray(value) ? value : []).map(idOf)

export const hasName = (item: unknown): item is Row =>
  typeof item === 'object' &&
  item !== null &&
  Object.keys(item).some((key) => ['name', 'label', 'display_name', 'full_value'].includes(key))

/** Rows as their list answers them, so with everything a label may want. */
const whole = new WeakSet<object>()

/** Whether a label can be made of a value as it is; what is yet to be made needs only its name. */
export const isNamed = (item: unknown, source: Source): boolean =>
  hasName(item) && (whole.has(item) || !source.label || idOf(item) === String(item.name))

const answered = (rows: Row[]): Row[] => {
  for (const row of rows) whole.add(row)
  return rows
}

export const rowsOf = (answer: Page | Row[]): Row[] => answered(Array.isArray(answer) ? answer : answer.results)

const most = 100

/** Rows of the ids, every page of them. */
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

/** What of a field's value has no name yet. */
export const unnamedIn = (value: unknown, source: Source): string[] =>
  itemsOf(value)
    .filter((item) => !isNamed(item, source))
    .map(idOf)

/** How long a form waits for the names of what is chosen. Milliseconds. */
const patience = 800

/**
 * Whether the names of what a form begins with are there, or were waited for long enough; `chosen` is undefined until it
 * is known what that is. Names that come later make their field larger, and all below it jumps.
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
