/** The declaration of a form: groups and what is special about fields; the rest is metadata (OPTIONS). */
import type { ComponentType, ReactNode } from 'react'
import type { FieldChoice, FieldInfo } from '../api/metadata.ts'
import type { Row } from '../row.ts'
import type { TextKey } from '../text.ts'

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
  /** Key of the value in an answer that is no object list (`value`). */
  valueKey?: string
}

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
  | 'json'
  | 'tags'
  | 'phone'
  | 'file-text'
  | 'rule'
  | 'account-names'
  | 'all-or-some'
  | 'read-only'

export interface FieldSpec {
  label?: TextKey
  help?: TextKey
  placeholder?: string
  widget?: WidgetName
  component?: ComponentType<WidgetProps>
  /** Two such fields share a line. */
  half?: boolean
  required?: boolean | ((values: Values) => boolean)
  hidden?: (values: Values, context: FormContext) => boolean
  disabled?: boolean | ((values: Values, context: FormContext) => boolean)
  source?: Source | ((values: Values, context: FormContext) => Source)
  single?: boolean
  options?: readonly FieldChoice[]
  /** Encrypted before it is sent. */
  secret?: boolean
  mono?: boolean
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
  has?: boolean
}

export interface FormSpec {
  /** The collection's address; the object's is below it. */
  url: string | ((context: FormContext) => string)
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
  clean?: (body: Record<string, unknown>, values: Values, context: FormContext) => Record<string, unknown>
  method?: 'PUT' | 'PATCH' | 'POST'
  /** Where to go after saving; the list by default. */
  after?: (saved: Row, context: FormContext) => string | undefined
  onSaved?: (saved: Row) => void
  another?: boolean
  verb?: TextKey
  /** Stands beside the form. */
  beside?: ComponentType<{ values: Values; context: FormContext }>
  above?: ReactNode
}

export interface WidgetProps {
  id: string
  value: unknown
  onChange: (value: unknown) => void
  field: FieldSpec
  info: FieldInfo
  invalid: boolean
  disabled: boolean
  values: Values
  context: FormContext
}
