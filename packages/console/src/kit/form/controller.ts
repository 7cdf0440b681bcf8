/** Headless form: values, validation, submission. Reading is in `reading.ts`, sending in `sending.ts`. */
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../api/client.ts'
import { ApiError, Cancelled, errorText, fieldErrors } from '../api/errors.ts'
import { type FieldInfo, type Fields, readableName } from '../api/metadata.ts'
import type { Row } from '../row.ts'
import { t } from '../text.ts'
import { useUnsaved } from '../unsaved.ts'
import { declaredProblem, isHidden, isRequired, kindProblem, messageFor, problemOf, rulesFor } from './checks.ts'
import { afterPress } from './press.ts'
import { collectionOf, useReading } from './reading.ts'
import { asSent, bodyOf } from './sending.ts'
import type { FormContext, FormSpec, GroupSpec, Source, Values, WidgetName } from './spec.ts'
import { get, infoOf, isTyped, parts, same, set, specOf, widgetFor, withRows } from './values.ts'
import { unnamedIn, useNamed } from './widgets/names.ts'

const noInfo: FieldInfo = { type: 'string', max_length: 1024 }

type Errors = Readonly<Record<string, string>>

/** Field names of a group. `*` is all writable fields; a nested object includes its fields. */
function namesOf(group: GroupSpec, fields: Fields, spec: FormSpec): string[] {
  return group.fields
    .flatMap((name) => (name === '*' ? Object.keys(fields).filter((key) => !fields[key]?.read_only) : [name]))
    .flatMap((name) => parts(name, fields, spec.fields))
}

const isBelow = (key: string, name: string): boolean => key === name || key.startsWith(`${name}.`)

/** Errors by field. Errors without a field are under '', shown above the form until a value changes. */
function errorsOf(error: ApiError): Errors {
  const found = error.status === 400 ? fieldErrors(error.body) : {}
  const general = error.status === 400 ? errorText(error.body) : error.message
  return general || Object.keys(found).length === 0 ? { ...found, '': general || error.message } : found
}

/** Changed values since the form started. */
function useValues(start: Values | undefined) {
  const [values, setValues] = useState(start)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [errors, setErrors] = useState<Errors>({})
  const [begun, setBegun] = useState(start)
  const begin = () => {
    setValues(start)
    setTouched(new Set())
    setErrors({})
  }
  // For another object, the values of the previous one must not be shown even once.
  if (begun !== start) {
    setBegun(start)
    begin()
  }
  return { values: values ?? {}, setValues, touched, setTouched, errors, setErrors, begin }
}

export function useForm(spec: FormSpec, where: Omit<FormContext, 'loaded'>) {
  const client = useQueryClient()
  const { submit, method, fields, loaded, start, reread, error, retry } = useReading(spec, where)
  const { values, setValues, touched, setTouched, errors, setErrors, begin } = useValues(start)
  const [saving, setSaving] = useState(false)
  const context: FormContext = { ...where, loaded }

  const fieldOf = (name: string) => specOf(spec.fields, name)
  const about = (name: string): FieldInfo => infoOf(fields, name) ?? fieldOf(name).info ?? noInfo
  const labelOf = (name: string): string => {
    const own = fieldOf(name).label
    return own ? t(own) : (about(name).label ?? readableName(name))
  }
  const kindOf = (name: string): WidgetName =>
    fieldOf(name).widget ?? (fieldOf(name).source ? 'remote' : widgetFor(name, about(name)))
  const sourceOf = (name: string): Source | undefined => {
    const own = fieldOf(name).source
    return typeof own === 'function' ? own(values, context) : own
  }
  const exists = (name: string) => {
    const { component, sending, info } = fieldOf(name)
    return Boolean(infoOf(fields, name) ?? component ?? sending?.local ?? info)
  }
  const groups = (typeof spec.groups === 'function' ? spec.groups(context) : spec.groups)
    .filter((group) => group.visible ?? true)
    .map((group) => ({ ...group, names: namesOf(group, fields, spec).filter(exists) }))
  const names = groups.flatMap((group) => group.names)
  const shown = names.filter((name) => !isHidden(fieldOf(name), values, context))
  const named = useNamed(
    start &&
      shown.flatMap((name) => {
        const source = kindOf(name) === 'remote' ? sourceOf(name) : undefined
        const ids = source && unnamedIn(get(start, name), source)
        return source && ids && ids.length > 0 ? [{ source, ids }] : []
      }),
  )

  const check = (name: string, current: Values): string | undefined => {
    if (about(name).read_only) return undefined
    const value = get(current, name)
    const problem = problemOf(value, about(name), isRequired(fieldOf(name), about(name), current))
    if (problem) return messageFor(problem)
    const rules = rulesFor(name, fieldOf(name), same(value, get(start ?? {}, name)))
    return kindProblem(kindOf(name), value) ?? declaredProblem(fieldOf(name), rules, value, current)
  }

  // A widget may change its value late, after reading a file or a pause in typing. The change applies to the values at
  // that time.
  const latest = useRef({ values, check })
  latest.current = { values, check }
  const judge = (name: string) => {
    const problem = latest.current.check(name, latest.current.values)
    setErrors(({ [name]: _old, ...rest }) => (problem ? { ...rest, [name]: problem } : rest))
  }

  const change = (name: string, value: unknown) => {
    const next = set(latest.current.values, name, value)
    const followed = fieldOf(name).follow?.(value, next) ?? {}
    latest.current.values = { ...next, ...followed }
    setValues(latest.current.values)
    setTouched((old) => new Set([...old, name, ...Object.keys(followed)]))
    const stays = (key: string) => key !== '' && !isBelow(key, name) && !(key in followed)
    setErrors((old) => Object.fromEntries(Object.entries(old).filter(([key]) => stays(key))))
    if (!isTyped(kindOf(name))) judge(name)
  }

  const refused = (cause: unknown): void => {
    if (cause instanceof Cancelled) return
    if (!(cause instanceof ApiError)) throw cause
    if (!spec.submit?.onError?.(cause)) setErrors(errorsOf(cause))
  }

  const bodyNow = async (): Promise<Record<string, unknown>> => {
    const filled = await bodyOf({ names, values, touched, fieldOf, infoOf: about, kindOf, sourceOf })
    return spec.submit?.clean ? spec.submit.clean(filled, values, context) : filled
  }

  const send = async (): Promise<Row> => {
    const body = await bodyNow()
    if (spec.local) return spec.local.save(body)
    const saved = await call<Row>(submit, { method, body: asSent(body), quiet: true })
    const collection = collectionOf(spec, context).split('?')[0] ?? ''
    await client.invalidateQueries({
      predicate: ({ queryKey: [kind, address] }) =>
        String(address ?? '').startsWith(collection) && kind !== 'metadata' && kind !== 'object',
    })
    return saved
  }

  /** Validates, sends and returns the saved object; undefined after an error. */
  const save = async (): Promise<Row | undefined> => {
    const wrong: Record<string, string> = {}
    for (const name of withRows(shown, values, fields, spec.fields)) {
      const problem = check(name, values)
      if (problem) wrong[name] = problem
    }
    setErrors(wrong)
    if (Object.keys(wrong).length > 0) return undefined
    setSaving(true)
    try {
      const saved = await send()
      setTouched(new Set())
      return saved
    } catch (cause) {
      refused(cause)
      return undefined
    } finally {
      setSaving(false)
    }
  }

  const dirty =
    spec.carried !== undefined || [...touched].some((name) => !same(get(values, name), get(start ?? {}, name)))
  useUnsaved(dirty)

  return {
    spec,
    context,
    fields,
    groups: groups
      .map((group) => ({ ...group, names: group.names.filter((name) => shown.includes(name)) }))
      .filter((group) => group.names.length > 0),
    values,
    errors,
    /** Errors that belong to no visible field. */
    general: Object.entries(errors)
      .filter(([key]) => !shown.some((name) => isBelow(key, name)))
      .map(([key, text]) => {
        return key ? `${labelOf(key)}: ${text}` : text
      }),
    change,
    /** A text field lost the focus. */
    blur: (name: string) => {
      if (isTyped(kindOf(name))) afterPress(() => judge(name))
    },
    fieldOf,
    infoOf: about,
    labelOf,
    kindOf,
    sourceOf,
    required: (name: string) => isRequired(fieldOf(name), about(name), values),
    dirty,
    saving,
    ready: named,
    error,
    retry,
    reread,
    reset: begin,
    body: bodyNow,
    /** Shows errors of a request sent elsewhere at their fields. */
    refused,
    save,
  }
}

export type Form = ReturnType<typeof useForm>
