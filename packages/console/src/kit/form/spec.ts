/** The declaration of a form: groups and what is special about fields; the rest is metadata (OPTIONS). */
import type { ComponentType, ReactNode } from 'react'
import type { ApiError } from '../api/errors.ts'
import type { FieldChoice, FieldInfo, Fields } from '../api/metadata.ts'
import type { Row } from '../row.ts'
import type { TextKey } from '../text.ts'
import type { RuleName } from './rules.ts'

export type Values = Readonly<Record<string, unknown>>

export interface FormContext {
  /** Object being changed; absent when a new one is made. */
  id?: string
  cloneFrom?: string
  query: URLSearchParams
  /** The object as it was read. */
  loaded?: Row
}

/** Where a select finds its objects. */
export interface Source {
  url: string
  label?: (row: Row) => string
  /** Sends bare ids instead of `{pk}`. */
  plain?: boolean
  /** What is typed and not found becomes a new object; `make` says which, `{ name }` by default. */
  create?: boolean | { make: (text: string) => Record<string, unknown> }
  /** Ids that are shown and cannot be chosen. */
  locked?: readonly string[]
  /** Assets: several of them are chosen in a dialog, beside the tree of nodes. */
  inTree?: boolean
}

/** All of an object's values equal; a string's field has a value; any entry of an array. */
export type Condition = Readonly<Record<string, unknown>> | string | readonly Condition[]

export type WidgetName =
  | 'text'
  | 'textarea'
  | 'number'
  | 'password'
  | 'secret'
  | 'switch'
  | 'checkbox'
  | 'choice'
  | 'choices'
  | 'remote'
  | 'tree'
  | 'datetime'
  | 'date'
  | 'json'
  | 'code'
  | 'markdown'
  | 'cron'
  | 'tags'
  | 'ip-group'
  | 'lines'
  | 'repeat'
  | 'attributes'
  | 'phone'
  | 'file-text'
  | 'key-file'
  | 'image'
  | 'update-secret'
  | 'password-rules'
  | 'rule'
  | 'week'
  | 'transfer'
  | 'protocols'
  | 'account-names'
  | 'all-or-some'
  | 'read-only'

export interface FieldSpec {
  label?: TextKey
  /** Below the field, instead of what the metadata says; false where the group or the choices say it already. */
  help?: TextKey | false
  /** Said by an icon at the label, for what is too long to stand below the field. */
  tip?: TextKey
  placeholder?: string
  widget?: WidgetName
  component?: ComponentType<WidgetProps>
  /** Metadata of a field the server takes and says nothing of. */
  info?: FieldInfo
  /** Two such fields share a line. */
  half?: boolean
  required?: boolean | ((values: Values) => boolean)
  hidden?: (values: Values, context: FormContext) => boolean
  /** Shown only while this holds. */
  enableWhen?: Condition
  disabled?: boolean | ((values: Values, context: FormContext) => boolean)
  source?: Source | ((values: Values, context: FormContext) => Source)
  single?: boolean
  options?: readonly FieldChoice[]
  /** Encrypted before it is sent. */
  secret?: boolean
  mono?: boolean
  /** Rules of the kit, by name. */
  rules?: readonly RuleName[]
  /** Says what is wrong with a value. */
  check?: (value: unknown, values: Values) => string | undefined
  /** Given to the widget as it is. */
  with?: Readonly<Record<string, unknown>>
  /** Never sent. */
  local?: boolean
  /** Other fields that follow a change of this one. */
  follow?: (value: unknown, values: Values) => Values
}

export interface GroupSpec {
  key: string
  title: TextKey
  help?: TextKey
  /** Names, `nested.names`, or `*` for every writable field of the metadata. */
  fields: readonly string[]
  /** Closed at first, with a summary of what is inside. */
  folded?: boolean
  visible?: boolean
}

export interface FormSpec {
  /** The collection's address; the object's is below it. */
  url: string | ((context: FormContext) => string)
  /** A form that is no resource: its fields and what becomes of them stand here, and the address only names it. */
  local?: { fields: Fields; save: (body: Record<string, unknown>) => Promise<Row> | Row }
  /** The exact address, where there is one object only (profile, preferences). */
  single?: boolean
  resource?: string
  noun: TextKey
  /** List to go back to. */
  path?: string
  title?: TextKey
  groups: readonly GroupSpec[] | ((context: FormContext) => readonly GroupSpec[])
  fields?: Readonly<Record<string, FieldSpec>>
  initial?: (context: FormContext) => Values | Promise<Values>
  /** Last word on what is sent. */
  clean?: (
    body: Record<string, unknown>,
    values: Values,
    context: FormContext,
  ) => Record<string, unknown> | Promise<Record<string, unknown>>
  method?: 'PUT' | 'PATCH' | 'POST'
  /** Where to go after saving; the list by default. */
  after?: (saved: Row, context: FormContext) => string | undefined
  onSaved?: (saved: Row) => void
  /** True for a refusal that the screen shows itself. */
  refused?: (error: ApiError) => boolean
  /** Page of a saved object, which the message leads to; false where it has none. */
  detail?: false | ((saved: Row) => string)
  another?: boolean
  /** False where the form itself holds all of a copy, and the server is not to add what it finds. */
  copies?: false
  verb?: TextKey
  /** Stands beside the form. */
  beside?: ComponentType<{ values: Values; context: FormContext }>
  above?: ReactNode
}

/** What a screen reader is told of a control: its label where it has no single input, what is wrong, what helps. */
export interface Aria {
  'aria-labelledby'?: string
  'aria-describedby'?: string
  'aria-invalid'?: boolean
  'aria-required'?: boolean
}

export interface WidgetProps {
  id: string
  /** Goes onto the control itself; groups take `aria-labelledby` too. */
  aria?: Aria
  value: unknown
  onChange: (value: unknown) => void
  field: FieldSpec
  info: FieldInfo
  invalid: boolean
  disabled: boolean
  values: Values
  context: FormContext
  /** Messages about parts of the value, by path below the field. */
  errors?: Readonly<Record<string, string>>
}
