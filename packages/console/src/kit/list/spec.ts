/** Declaration of a list. Everything not declared follows from metadata. */
import type { ComponentType, ReactNode } from 'react'
import type { Query } from '../api/client.ts'
import type { FieldSpec } from '../form/spec.ts'
import type { FieldOf, RenderRow, Row, RowFunction } from '../row.ts'
import type { TextKey } from '../text.ts'
import type { ColumnRules, FilterField } from './columns.ts'

/** Arguments of actions: the rows, and a function to reload the list. */
export interface Acting<R extends Row = Row> {
  rows: readonly R[]
  reload: () => void
  clear: () => void
}

export interface RowAction<R extends Row = Row> {
  key: string
  label: string | RowFunction<[row: R], string>
  icon?: ReactNode
  /** Primary action: a separate button in the row. */
  primary?: boolean
  /** Visible without hovering (Watch). */
  alwaysVisible?: boolean
  danger?: boolean
  visible?(row: R): boolean
  /** Why the action is not available; it is then shown disabled with this reason. */
  disabledReason?(row: R): string | undefined
  /** Opens an address instead of running. */
  href?(row: R): string
  newTab?: boolean
  run?(row: R, acting: Acting<R>): unknown
}

export interface BatchAction<R extends Row = Row> {
  key: string
  label: string
  icon?: ReactNode
  danger?: boolean
  visible?: boolean
  run(acting: Acting<R>): unknown
}

/** Rows selected from a list for another purpose: a form's value, the assets of a node. */
export interface Picking {
  /** By id. May include rows of other pages, and rows on no page. */
  chosen: ReadonlyMap<string, Row>
  onChange: (chosen: ReadonlyMap<string, Row>) => void
  /** False for rows that cannot be selected. */
  may?: (row: Row) => boolean
}

/** Requests of the list. */
export interface ListData {
  /** Address of the metadata, if `url` describes another resource. */
  metadataUrl?: string
  query?: Query
  order?: string
  /** Polling interval in milliseconds. */
  pollMs?: number
}

/** How a row is named and drawn. */
export interface ListRow<R extends Row = Row, F extends string = FieldOf<R>> {
  /** First column: link target, icon and secondary line. */
  nameColumn?: F
  /** Name of a row if it is more than the first column: in menu labels and confirmations. */
  title?(row: R): string
  link?(row: R): string | undefined
  icon?(row: R): ReactNode
  /** Secondary line; a field is omitted if the table has its column. Cards always show it. */
  secondary?: RenderRow<R> | F | { field: F; render: RenderRow<R> }
  /** Background of highlighted rows. */
  tone?(row: R): 'danger' | 'warning' | undefined
  /** Details below a row. */
  details?(row: R): ReactNode
}

/** What the cards of narrow screens show beside the name. */
export interface ListCard<R extends Row = Row, F extends string = FieldOf<R>> {
  /** Secondary line, for values the table shows as columns. */
  subtitle?(row: R): ReactNode
  badge?: RenderRow<R>
  /** The field with the time of the row. */
  time?: F
}

/** Search bar and date range. */
export interface ListSearch {
  /** Filters that the metadata does not declare. */
  filters?: readonly FilterField[]
  exclude?: readonly string[]
  dateRange?: boolean | { days: number }
  /** False for lists inside pages: their state is not in the address. */
  inAddress?: boolean
}

/** Actions of the toolbar and of each row. Update, clone and delete exist by permission unless they are false. */
export interface ListActions<R extends Row = Row> {
  /** Address of the create form, or the action of the button. */
  create?: { label: TextKey; to?: string; run?(acting: Acting<R>): unknown; visible?: boolean }
  /** Buttons after create. */
  toolbar?: ComponentType<Acting>
  row?: readonly RowAction<R>[]
  update?: false | { to?(row: R): string; run?(row: R, acting: Acting<R>): void; visible?(row: R): boolean }
  clone?: false | { to?(row: R): string; visible?(row: R): boolean }
  remove?: false | { url?(row: R): string; visible?(row: R): boolean; batch?: boolean; after?: () => Promise<unknown> }
}

/** Changes of the selected rows. */
export interface ListBulk<R extends Row = Row, F extends string = FieldOf<R>> {
  actions?: readonly BatchAction<R>[]
  /** Fields of the update dialog; absent: no dialog. */
  fields?: readonly F[]
  fieldSpecs?: Readonly<Partial<Record<F, FieldSpec>>>
  /** A dialog of the screen's own. */
  form?: ComponentType<Acting & { onClose: () => void }>
}

export interface ListFiles {
  /** Asked before rows of a file are updated, with what is sent for each of them. @throws Cancelled without consent */
  beforeUpdate?(bodies: readonly Record<string, unknown>[]): Promise<void>
  /** `elsewhere`: rows are imported in another list, which the text names. */
  import?: boolean | { url: string } | { elsewhere: TextKey }
  export?: boolean | { url: string; confirm?: 'mfa'; note?: TextKey; permission?: string }
}

export interface ListTexts {
  /** Above the list, until the user closes it. */
  help?: TextKey
  emptyTitle?: TextKey
  empty?: TextKey
}

/**
 * A list of rows of type `R`: a type alias, since an interface has no index signature. `F` is apart from `R`, so that a
 * list of such rows is accepted as a list of any.
 */
export interface ListSpec<R extends Row = Row, F extends string = FieldOf<R>> {
  /** Storage key of the column choice; the route name. */
  id: string
  url: string
  /** `users.user`: base of the permission codes. */
  resource: string
  /** Path of the list's route; create, update and detail are below it. Absent if rows have no own pages. */
  path?: string
  /** Noun for the rows, in deletions and empty states. */
  noun: TextKey
  data?: ListData
  columns: ColumnRules<R, F>
  row?: ListRow<R, F>
  card?: ListCard<R, F>
  search?: ListSearch
  actions?: ListActions<R>
  /** False if rows cannot be selected. */
  bulk?: false | ListBulk<R, F>
  files?: ListFiles
  texts?: ListTexts
  /** The caller owns the selection; filters and refreshes do not clear it. */
  picking?: Picking
}

type Groups = 'data' | 'row' | 'card' | 'search' | 'actions' | 'files' | 'texts'

/** A declaration with all groups, as the parts of a list read it. */
export interface CompleteListSpec extends Omit<ListSpec, Groups | 'bulk'>, Required<Pick<ListSpec, Groups>> {
  bulk: ListBulk
  selectable: boolean
}

/** Adds the groups that a screen did not declare. */
export const complete = ({ bulk = {}, ...spec }: ListSpec): CompleteListSpec => ({
  data: {},
  row: {},
  card: {},
  search: {},
  actions: {},
  files: {},
  texts: {},
  ...spec,
  bulk: bulk || {},
  selectable: bulk !== false,
})

/** A read-only list. */
export const viewOnly = {
  actions: { update: false, clone: false, remove: false },
  bulk: false,
  files: { import: false },
} as const

/** The same inside another page: no export, and no state in the address. */
export const inside = {
  ...viewOnly,
  files: { import: false, export: false },
  search: { inAddress: false },
} as const
