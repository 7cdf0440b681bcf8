/** Declaration of a form: groups and field options. Everything else comes from metadata (OPTIONS). */
import type { ComponentType, ReactNode } from 'react'
import type { ApiError } from '../api/errors.ts'
import type { FieldChoice, FieldInfo, Fields } from '../api/metadata.ts'
import type { PathOf, Row, RowFunction } from '../row.ts'
import type { TextKey } from '../text.ts'
import type { RuleName } from './rules.ts'

export type Values = Readonly<Record<string, unknown>>

export interface FormContext<R extends Row = Row> {
  /** Id of the updated object; absent when creating. */
  id?: string
  cloneFrom?: string
  query: URLSearchParams
  /** The object as read from the server. */
  loaded?: R
}

/** Where a select finds its objects. */
export interface Source {
  url: string
  label?: (row: Row) => string
  /** Sends plain ids instead of `{pk}`. */
  plain?: boolean
  /**
   * Entered text without a match creates an object. `make` builds it, `{ name }` by default; undefined for text that
   * cannot become one, which `hint` then explains.
   */
  create?: boolean | { make: (text: string) => Record<string, unknown> | undefined; hint?: TextKey }
  /** Ids shown as disabled options. */
  locked?: readonly string[]
  /** False for rows that cannot be chosen. */
  selectable?: (row: Row) => boolean
  /** Assets: several are chosen in a dialog with the node tree. */
  inTree?: boolean
  /** Several are chosen in a dialog with this tree, by users who may not read the list. */
  tree?: { url: string; searchUrl?: string; kind: 'node' | 'asset' }
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

export interface FieldTexts {
  /** Help text below the field, instead of the one in the metadata. False if group or choices already explain it. */
  help?: TextKey | false | { readonly said: string }
  /** Tooltip of an icon at the label, for texts that are too long for a help text. */
  tip?: TextKey
  placeholder?: string
}

export interface FieldValidation {
  required?: boolean | ((values: Values) => boolean)
  /** Validation rules of the kit, by name. */
  rules?: readonly RuleName[]
  /** Returns the error of a value. */
  check?: (value: unknown, values: Values) => string | undefined
}

export interface FieldState {
  hidden?: (values: Values, context: FormContext) => boolean
  /** Visible only while the condition is met. */
  enableWhen?: Condition
  disabled?: boolean | ((values: Values, context: FormContext) => boolean)
}

export interface FieldSpec {
  label?: TextKey
  texts?: FieldTexts
  widget?: WidgetName
  component?: ComponentType<WidgetProps>
  /** Passed to the widget unchanged. */
  with?: Readonly<Record<string, unknown>>
  /** Metadata of a field that the server accepts but does not describe. */
  info?: FieldInfo
  source?: Source | ((values: Values, context: FormContext) => Source)
  /** `single`: one of several can be chosen, whatever the metadata says. */
  choices?: { options?: readonly FieldChoice[]; single?: boolean }
  validation?: FieldValidation
  state?: FieldState
  /** Other fields that follow a change of this field. */
  follow?: (value: unknown, values: Values) => Values
  /** `secret`: encrypted before sending. `local`: never sent. */
  sending?: { secret?: boolean; local?: boolean }
  /** A button beside the label, for what concerns this field alone. */
  action?: FieldAction
  /** `half`: two such fields share a line. */
  layout?: { half?: boolean; mono?: boolean }
}

export interface FieldAction {
  label: string
  /** The full sentence, with the field's name. */
  title: string
  run: () => void
}

export type FieldSpecs<R extends Row = Row> = Readonly<Partial<Record<PathOf<R>, FieldSpec>>>

export interface GroupSpec<R extends Row = Row> {
  key: string
  title: TextKey
  help?: TextKey
  /** Names, `nested.names`, or `*` for all writable fields of the metadata. */
  fields: readonly (PathOf<R> | '*')[]
  /** Collapsed at first, with a summary of its content. */
  folded?: boolean
  visible?: boolean
}

/** What is sent, and what the buttons say. */
export interface FormButtonsProps {
  values: Values
  /** The body as it would be sent now, with encrypted secrets. */
  body: () => Promise<Record<string, unknown>>
  /** Shows the errors of a request at the fields. */
  refused: (error: unknown) => void
}

export interface FormSubmit<R extends Row = Row> {
  verb?: TextKey
  method?: 'PUT' | 'PATCH' | 'POST'
  /** Transforms the body before sending. */
  clean?(
    body: Record<string, unknown>,
    values: Values,
    context: FormContext<R>,
  ): Record<string, unknown> | Promise<Record<string, unknown>>
  /** False if the form contains the complete copy and the server must not add related objects. */
  copies?: false
  /** Offers to create another object. */
  another?: boolean
  /** Returns true for an error that the screen shows itself. */
  onError?: (error: ApiError) => boolean
}

/** What follows after saving. */
export interface FormSaved<R extends Row = Row> {
  /** The next address; the list by default. */
  to?(saved: R, context: FormContext<R>): string | undefined
  run?(saved: R): void
  /** Page of the saved object, linked in the message. False if there is none. */
  detail?: false | RowFunction<[saved: R], string>
}

/** A form of objects of type `R`: a type alias, since an interface has no index signature. */
export interface FormSpec<R extends Row = Row> {
  /** Address of the collection; the object's address is derived. */
  url: string | RowFunction<[context: FormContext<R>], string>
  resource?: string
  noun: TextKey
  /** The list to return to. */
  path?: string
  title?: TextKey
  groups: readonly GroupSpec<R>[] | RowFunction<[context: FormContext<R>], readonly GroupSpec<R>[]>
  fields?: FieldSpecs<R>
  initial?: (context: FormContext) => Values | Promise<Values>
  /** Values entered before a choice changed the fields of the form; they replace the initial or stored ones. */
  carried?: Values
  /** Exact address of a singleton (profile, preferences). */
  single?: boolean
  /** For forms that are not a resource: fields and submission are declared here, and the address is only a name. */
  local?: { fields: Fields; save: (body: Record<string, unknown>) => Promise<Row> | Row }
  submit?: FormSubmit<R>
  saved?: FormSaved<R>
  layout?: {
    above?: ReactNode
    beside?: ComponentType<{ values: Values; context: FormContext }>
    /** Buttons of a panel's footer that work with the entered values, such as a test. */
    buttons?: ComponentType<FormButtonsProps>
  }
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
