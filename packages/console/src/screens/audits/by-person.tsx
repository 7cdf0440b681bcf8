import { Avatar, innerOf } from '../../kit/cells.tsx'
import type { ColumnSpec } from '../../kit/list/columns.ts'
import type { ListRow } from '../../kit/list/spec.ts'
import { actorOf, nameParts, type Row } from '../../kit/row.ts'

/** A log whose first column is the user, recorded as `name(username)`. */
export const byPerson = <F extends string>(field: F): ListRow<Row, F> => ({
  nameColumn: field,
  icon: (row) => <Avatar name={nameParts(row[field]).name} />,
  secondary: (row) => innerOf(row[field]),
})

/** The user column. */
export const nameOf = (field: string): ColumnSpec => ({
  width: 220,
  render: (row) => nameParts(actorOf(row[field])).name,
})
