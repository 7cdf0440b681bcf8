/** Names of objects that a value holds as bare ids (spec 2 §7: the resources cache, then the list by its token). */
import { useQuery } from '@tanstack/react-query'
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

export function useNames(source: Source, ids: readonly string[]): Row[] {
  const names = useQuery({
    queryKey: ['names', source.url, ids.join(), ...audience()],
    enabled: ids.length > 0,
    staleTime: 60_000,
    retry: false,
    queryFn: () => read(source, ids),
  })
  return names.data ?? []
}
