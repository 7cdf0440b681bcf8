/** The declaration of a list: a screen states what is its own, everything else follows from metadata. */
import type { ComponentType, ReactNode } from 'react'
import type { Query } from '../api/client.ts'
import type { FieldSpec } from '../form/spec.ts'
import type { Row } from '../row.ts'
import type { TextKey } from '../text.ts'
import type { ColumnRules, FilterField } from './columns.ts'

/** What actions are given: the rows they work on, and a way to read the list again. */
export interface Acting {
  rows: readonly Row[]
  reload: () => void
  clear: () => void
}

export interface RowAction {
  key: string
  label: string | ((row: Row) => string)
  icon?: ReactNode
  /** The one most wanted: it has a place of its own in the row. */
  primary?: boolean
  /** Stays visible without hovering (Watch). */
  alwaysVisible?: boolean
  danger?: boolean
  visible?: (row: Row) => boolean
  /** A reason why it cannot be done now; it is then shown, disabled, with that reason. */
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

/** Rows that are chosen out of a list for something else: a form's value, the assets of a node. */
export interface Picking {
  /** By id; may hold rows of other pages, and rows no page shows. */
  chosen: ReadonlyMap<string, Row>
  onChange: (chosen: ReadonlyMap<string, Row>) => void
  /** False for rows that cannot be chosen. */
  may?: (row: Row) => boolean
}

export interface ListSpec extends ColumnRules {
  /** Key of the column choice; the route's name. */
  id: string
  url: string
  /** What is listed says here which fields it has, where `url` tells those of something else. */
  fieldsUrl?: string
  /** `users.user`: base of the permission codes. */
  resource: string
  /** Path of the list's route; create, update and detail lie below it. Absent: rows have no pages of their own. */
  path?: string
  /** Word for the things listed, for deletions and empty states. */
  noun: TextKey
  /** First column: where its link leads, what stands before and under it. */
  nameColumn?: string
  /** What a row is called where that is more than its first column: in its menu's name, in questions. */
  rowTitle?: (row: Row) => string
  link?: (row: Row) => string | undefined
  icon?: (row: Row) => ReactNode
  /** Under it; a field where the table has no column for it, and the card of a small screen always. */
  secondary?: ((row: Row) => ReactNode) | string
  /** Below the name on the card of a small screen: what a table's columns already say. */
  mobileSubtitle?: (row: Row) => ReactNode
  /** One word of state for the card of a small screen. */
  statusBadge?: (row: Row) => ReactNode
  /** Address of the create form, or what the button does instead. */
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
  /** Fields the batch dialog offers; absent: there is none. */
  batchFields?: readonly string[]
  batchSpec?: Readonly<Record<string, FieldSpec>>
  batchForm?: ComponentType<Acting & { onClose: () => void }>
  query?: Query
  order?: string
  dateRange?: boolean | { days: number }
  /** The moment a row is about, which the card of a small screen tells too. */
  mobileTime?: string
  filters?: readonly FilterField[]
  filtersExclude?: readonly string[]
  importing?: boolean | { url: string }
  exporting?: boolean | { url: string; confirm?: 'mfa'; note?: TextKey; permission?: string }
  selectable?: boolean
  /** The selection belongs to whoever shows the list, and no filter or refresh drops it. */
  picking?: Picking
  /** False for lists inside pages: their state stays out of the address. */
  inAddress?: boolean
  /** Details under a row. */
  expand?: (row: Row) => ReactNode
  /** Title and sentence of an empty list. */
  emptyTitle?: TextKey
  empty?: TextKey
  help?: TextKey
  /** Tint of rows that deviate. */
  tone?: (row: Row) => 'danger' | 'warning' | undefined
  /** Reads again by itself every so many milliseconds. */
  pollMs?: number
}

/** A list one only looks at. */
export const viewOnly = { selectable: false, update: false, clone: false, remove: false, importing: false } as const

/** The same inside another page: nothing to take along, and its state stays out of the address. */
export const inside = { ...viewOnly, exporting: false, inAddress: false } as const
