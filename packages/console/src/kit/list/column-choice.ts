/** Which columns of a list are shown: what the person chose, or what there is room for. */
import { useMemo, useState } from 'react'
import type { Fields } from '../api/metadata.ts'
import type { rights } from '../session.ts'
import { allColumns, chooseColumns, chosenColumns, shownColumns } from './columns.ts'
import { rowActionsWidth } from './row-actions-width.ts'
import type { ListSpec } from './spec.ts'
import { fitting } from './widths.ts'

export function useColumns(spec: ListSpec, fields: Fields | undefined, own: ReturnType<typeof rights>) {
  const [chosen, setChosen] = useState(() => chosenColumns(spec.id))
  const columns = useMemo(() => allColumns(fields ?? {}, spec), [fields, spec])
  const wanted = useMemo(() => shownColumns(columns, spec, chosen), [columns, spec, chosen])
  const [room, setRoom] = useState<number>()
  const acts = rowActionsWidth(spec, own)
  const rules = useMemo(() => ({ ...spec, acts }), [spec, acts])
  const fits = room !== undefined && !chosen ? fitting(wanted, rules, room) : wanted
  // While a window is drawn wider, rows are drawn again only when a column comes or goes.
  const names = fits.map((column) => column.name).join()
  const shown = useMemo(() => wanted.filter((column) => names.split(',').includes(column.name)), [wanted, names])
  return {
    columns,
    shown,
    /** Says how many pixels the table has; `undefined` where the rows are no table. */
    setRoom,
    room,
    /** What decides about the widths of columns. */
    rules,
    choose: (names: readonly string[] | undefined) => {
      chooseColumns(spec.id, names ?? spec.shown, !names)
      setChosen(names ? [...names] : undefined)
    },
  }
}
