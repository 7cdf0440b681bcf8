/** Declaration of a form: groups and field options. Everything else comes from metadata (OPTIONS). */
import type { ComponentType, ReactNode } from 'react'
import type { ApiError } from '../api/errors.ts'
import type { FieldChoice, FieldInfo, Fields } from '../api/metadata.ts'
import type { Row } from '../row.ts'
import type { TextKey } from '../text.ts'
import type { RuleName } from './rules.ts'

export type Values = Readonly<Record<string, unknown>>

export interface FormContext {
  /** Id of the updated object; absent when creating. */
  id?: string
  cloneFrom?: string
  query: URLSearchParams
  /** The object as read from the server. */
  loaded?: Row
}

/** Where a select finds its objects. */
export interface Source {
  url: string
  label?: (row: Row) => string
  /** Sends plain ids instead of `{pk}`. */
  plain?: boolean
  /** Entered text without a match creates an object. `make` builds it, `{ name }` by default. */
  create?: boolean | { make: (text: string) => Record<string, unknown> }
  /** Ids shown as disabled options. */
  locked?: readonly string[]
  /** Assets: several are chosen in a dialog with the node tree. */
  inTree?: boolean
}

/** For objects, all listed values are equal; for a string, that field has a value; for arrays, any entry is met. */
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
  /** Help text below the field, instead of the one in the metadata. False if group or choices already explain it. */
  help?: TextKey | false
  /** Tooltip of an icon at the label, for texts that are too long for a help text. */
  tip?: TextKey
  placeholder?: string
  widget?: WidgetName
  component?: ComponentType<WidgetProps>
  /** Metadata of a field that the server accepts but does not describe. */
  info?: FieldInfo
  /** Two such fields share a line. */
  half?: boolean
  required?: boolean | ((values: Values) => boolean)
  hidden?: (values: Values, context: FormContext) => boolean
  /** Visible only while the condition is met. */
  enableWhen?: Condition
  disabled?: boolean | ((values: Values, context: FormContext) => boolean)
  source?: Source | ((values: Values, context: FormContext) => Source)
  single?: boolean
  options?: readonly FieldChoice[]
  /** Encrypted before sending. */
  secret?: boolean
  mono?: boolean
  /** Validation rules of the kit, by name. */
  rules?: readonly RuleName[]
  /** Returns the error of a value. */
  check?: (value: unknown, values: Values) => string | undefined
  /** Passed to the widget unchanged. */
  with?: Readonly<Record<string, unknown>>
  /** Never sent. */
  local?: boolean
  /** Other fields that follow a change of this field. */
  follow?: (value: unknown, values: Values) => Values
}

export interface GroupSpec {
  key: string
  title: TextKey
  help?: TextKey
  /** Names, `nested.names`, or `*` for all writable fields of the metadata. */
  fields: readonly string[]
  /** Collapsed at first, with a summary of its content. */
  folded?: boolean
  visible?: boolean
}

export interface FormSpec {
  /** Address of the collection; the object's address is derived. */
  url: string | ((context: FormContext) => string)
  /** For forms that are not a resource: fields and submission are declared here, and the address is only a name. */
  local?: { fields: Fields; save: (body: Record<string, unknown>) => Promise<Row> | Row }
  /** Exact address of a singleton (profile, preferences). */
  single?: boolean
  resource?: string
  noun: TextKey
  /** The list to return to. */
  path?: string
  title?: TextKey
  groups: readonly GroupSpec[] | ((context: FormContext) => readonly GroupSpec[])
  fields?: Readonly<Record<string, FieldSpec>>
  initial?: (context: FormContext) => Values | Promise<Values>
  /** Transforms the body before sending. */
  clean?: (
    body: Record<string, unknown>,
    values: Values,
    context: FormContext,
  ) => Record<string, unknown> | Promise<Record<string, unknown>>
  method?: 'PUT' | 'PATCH' | 'POST'
  /** Address after saving; the list by default. */
  after?: (saved: Row, context: FormContext) => string | undefined
  onSaved?: (saved: Row) => void
  /** Returns true for an error that the screen shows itself. */
  refused?: (error: ApiError) => boolean
  /** Page of a saved object, linked in the message. False if there is none. */
  detail?: false | ((saved: Row) => string)
  another?: boolean
  /** False if the form contains the complete copy and the server must not add related objects. */
  copies?: false
  verb?: TextKey
  /** Content beside the form. */
  beside?: ComponentType<{ values: Values; context: FormContext }>
  above?: ReactNode
}

/** ARIA attributes of a control: label (if it has no single input), error and help text. */
export interface Aria {
  'aria-labelledby'?: string
  'aria-describedby'?: string
  'aria-invalid'?: boolean
  'aria-required'?: boolean
}

export interface WidgetProps {
  id: string
  /** Set on the control itself. Groups use `aria-labelledby` too. */
  aria?: Aria
  value: unknown
  onChange: (value: unknown) => void
  field: FieldSpec
  info: FieldInfo
  invalid: boolean
  disabled: boolean
  values: Values
  context: FormContext
  /** Errors of parts of the value, by path below the field. */
  errors?: Readonly<Record<string, string>>
}
