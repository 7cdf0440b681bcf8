/** Visible columns of a list: the user's choice, or those that fit. */
import { useMemo, useState } from 'react'
import type { Fields } from '../api/metadata.ts'
import type { rights } from '../session.ts'
import { allColumns, chooseColumns, chosenColumns, shownColumns } from './columns.ts'
import { rowActionsWidth } from './row-actions-width.ts'
import type { CompleteListSpec } from './spec.ts'
import { fitting } from './widths.ts'

export function useColumns(spec: CompleteListSpec, fields: Fields | undefined, own: ReturnType<typeof rights>) {
  const [chosen, setChosen] = useState(() => chosenColumns(spec.id))
  const columns = useMemo(() => allColumns(fields ?? {}, spec.columns), [fields, spec.columns])
  const selected = useMemo(() => shownColumns(columns, spec.columns, chosen), [columns, spec.columns, chosen])
  const [room, setRoom] = useState<number>()
  const acts = rowActionsWidth(spec, own)
  const widths = {
    ...spec.columns,
    nameColumn: spec.row.nameColumn,
    timeColumn: spec.card.time,
    selectable: spec.selectable,
    expands: spec.row.details !== undefined,
    acts,
  }
  const fits = room !== undefined && !chosen ? fitting(selected, widths, room) : selected
  // While a window is being resized, rows re-render only if a column appears or disappears.
  const names = fits.map((column) => column.name).join()
  const shown = useMemo(() => selected.filter((column) => names.split(',').includes(column.name)), [selected, names])
  return {
    columns,
    shown,
    /** Reports the width of the table in pixels; `undefined` if the rows are not a table. */
    setRoom,
    room,
    /** Inputs of the column widths. */
    widths,
    choose: (names: readonly string[] | undefined) => {
      chooseColumns(spec.id, names ?? spec.columns.shown, !names)
      setChosen(names ? [...names] : undefined)
    },
  }
}
