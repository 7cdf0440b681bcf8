/** Declaration of a list. Everything not declared follows from metadata. */
import type { ComponentType, ReactNode } from 'react'
import type { Query } from '../api/client.ts'
import type { FieldSpec } from '../form/spec.ts'
import type { Row } from '../row.ts'
import type { TextKey } from '../text.ts'
import type { ColumnRules, FilterField } from './columns.ts'

/** Arguments of actions: the rows, and a function to reload the list. */
export interface Acting {
  rows: readonly Row[]
  reload: () => void
  clear: () => void
}

export interface RowAction {
  key: string
  label: string | ((row: Row) => string)
  icon?: ReactNode
  /** Primary action: a separate button in the row. */
  primary?: boolean
  /** Visible without hovering (Watch). */
  alwaysVisible?: boolean
  danger?: boolean
  visible?: (row: Row) => boolean
  /** Why the action is not available; it is then shown disabled with this reason. */
  disabledReason?: (row: Row) => string | undefined
  /** Opens an address instead of running. */
  href?: (row: Row) => string
  newTab?: boolean
  run?: (row: Row, acting: Acting) => unknown
}

export interface BatchAction {
  key: string
  label: string
  icon?: ReactNode
  danger?: boolean
  visible?: boolean
  run: (acting: Acting) => unknown
}

/** Rows selected from a list for another purpose: a form's value, the assets of a node. */
export interface Picking {
  /** By id. May include rows of other pages, and rows on no page. */
  chosen: ReadonlyMap<string, Row>
  onChange: (chosen: ReadonlyMap<string, Row>) => void
  /** False for rows that cannot be selected. */
  may?: (row: Row) => boolean
}

export interface ListSpec extends ColumnRules {
  /** Storage key of the column choice; the route name. */
  id: string
  url: string
  /** Address of the metadata, if `url` describes another resource. */
  fieldsUrl?: string
  /** `users.user`: base of the permission codes. */
  resource: string
  /** Path of the list's route; create, update and detail are below it. Absent if rows have no own pages. */
  path?: string
  /** Noun for the rows, in deletions and empty states. */
  noun: TextKey
  /** First column: link target, icon and secondary line. */
  nameColumn?: string
  /** Name of a row if it is more than the first column: in menu labels and confirmations. */
  rowTitle?: (row: Row) => string
  link?: (row: Row) => string | undefined
  icon?: (row: Row) => ReactNode
  /** Secondary line; a field name is omitted if the table has its column. Cards always show it. */
  secondary?: ((row: Row) => ReactNode) | string
  /** Secondary line of mobile cards, for values the table shows as columns. */
  mobileSubtitle?: (row: Row) => ReactNode
  /** Status badge of mobile cards. */
  statusBadge?: (row: Row) => ReactNode
  /** Address of the create form, or the action of the button. */
  create?: { label: TextKey; to?: string; run?: (acting: Acting) => unknown; visible?: boolean }
  /** Buttons after create. */
  header?: ComponentType<Acting>
  update?:
    | false
    | { to?: (row: Row) => string; run?: (row: Row, acting: Acting) => void; visible?: (row: Row) => boolean }
  clone?: false | { to?: (row: Row) => string; visible?: (row: Row) => boolean }
  remove?:
    | false
    | { url?: (row: Row) => string; visible?: (row: Row) => boolean; batch?: boolean; after?: () => Promise<unknown> }
  rowActions?: readonly RowAction[]
  batchActions?: readonly BatchAction[]
  /** Fields of the batch dialog; absent: no dialog. */
  batchFields?: readonly string[]
  batchSpec?: Readonly<Record<string, FieldSpec>>
  batchForm?: ComponentType<Acting & { onClose: () => void }>
  query?: Query
  order?: string
  dateRange?: boolean | { days: number }
  /** The time of the row, also shown on mobile cards. */
  mobileTime?: string
  filters?: readonly FilterField[]
  filtersExclude?: readonly string[]
  importing?: boolean | { url: string }
  exporting?: boolean | { url: string; confirm?: 'mfa'; note?: TextKey; permission?: string }
  selectable?: boolean
  /** The caller owns the selection; filters and refreshes do not clear it. */
  picking?: Picking
  /** False for lists inside pages: their state is not in the address. */
  inAddress?: boolean
  /** Details below a row. */
  expand?: (row: Row) => ReactNode
  /** Title and text of an empty list. */
  emptyTitle?: TextKey
  empty?: TextKey
  help?: TextKey
  /** Background of highlighted rows. */
  tone?: (row: Row) => 'danger' | 'warning' | undefined
  /** Polling interval in milliseconds. */
  pollMs?: number
}

/** A read-only list. */
export const viewOnly = { selectable: false, update: false, clone: false, remove: false, importing: false } as const

/** The same inside another page: no export, and no state in the address. */
export const inside = { ...viewOnly, exporting: false, inAddress: false } as const
