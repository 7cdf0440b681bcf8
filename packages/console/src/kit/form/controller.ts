/** The form without a skin: metadata, the object, values, checks, submission. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { below, call, withQuery } from '../api/client.ts'
import { ApiError, Cancelled, errorText, fieldErrors } from '../api/errors.ts'
import { audience, type FieldInfo, type Fields, metadataOf } from '../api/metadata.ts'
import { encryptSecret } from '../api/secret.ts'
import type { Row } from '../row.ts'
import { t } from '../text.ts'
import { useUnsaved } from '../unsaved.ts'
import { afterPress } from './press.ts'
import type { FormContext, FormSpec, GroupSpec, Source, Values, WidgetName } from './spec.ts'
import {
  cloneValues,
  declaredProblem,
  get,
  infoOf,
  isHidden,
  isRequired,
  isTyped,
  kindProblem,
  type Problem,
  parts,
  problemOf,
  same,
  set,
  specOf,
  startOf,
  toWire,
  valuesFromRow,
  widgetFor,
  withDefaults,
  withRows,
} from './values.ts'

const encrypted = new Set(['password', 'token', 'private_key'])

function addresses(spec: FormSpec, context: FormContext) {
  const collection = typeof spec.url === 'function' ? spec.url(context) : spec.url
  const target = context.id && !spec.single ? below(collection, `${context.id}/`) : collection
  const source = context.cloneFrom
    ? below(collection, `${context.cloneFrom}/`)
    : context.id || spec.single
      ? target
      : undefined
  const submit =
    context.cloneFrom && spec.copies !== false ? withQuery(collection, { clone_from: context.cloneFrom }) : target
  return { target, source, submit, method: spec.method ?? (context.id ? 'PUT' : 'POST') } as const
}

/** A body with files goes as a form. */
function asSent(body: Record<string, unknown>): Record<string, unknown> | FormData {
  if (!Object.values(body).some((value) => value instanceof File)) return body
  const form = new FormData()
  for (const [key, value] of Object.entries(body)) {
    if (value instanceof File) form.set(key, value)
    else if (value !== undefined && value !== null)
      form.set(key, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  return form
}

const noInfo: FieldInfo = { type: 'string', max_length: 1024 }

export function messageFor(problem: Problem): string {
  const limit = problem.limit ?? 0
  switch (problem.kind) {
    case 'required':
      return t('fieldRequired')
    case 'long':
      return t('fieldLong', { limit })
    case 'short':
      return t('fieldShort', { limit })
    case 'low':
      return t('fieldLow', { limit })
    case 'high':
      return t('fieldHigh', { limit })
    case 'email':
      return t('fieldEmail')
    case 'number':
      return t('fieldNumber')
    case 'url':
      return t('fieldUrl')
  }
}

/** Names of a group's fields; `*` is every writable field, a nested object its own fields. */
function namesOf(group: GroupSpec, fields: Fields, spec: FormSpec): string[] {
  return group.fields
    .flatMap((name) => (name === '*' ? Object.keys(fields).filter((key) => !fields[key]?.read_only) : [name]))
    .flatMap((name) => parts(name, fields, spec.fields))
}

export function useForm(spec: FormSpec, where: Omit<FormContext, 'loaded'>) {
  const client = useQueryClient()
  const { target, source, submit, method } = addresses(spec, where)
  const metadata = useQuery({ ...metadataOf(submit), enabled: !spec.local })
  const object = useQuery({
    queryKey: ['object', source, ...audience()],
    queryFn: () => call<Row>(source ?? '', { quiet: true }),
    enabled: source !== undefined,
    staleTime: 0,
    gcTime: 0,
    // Read again behind somebody's back, it would replace what they typed.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const initial = useQuery({
    queryKey: ['initial', spec.noun, target, where.query.toString(), ...audience()],
    queryFn: async () => (await spec.initial?.(where)) ?? {},
    enabled: !source || Boolean(where.cloneFrom),
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const actions = metadata.data?.actions
  const fields: Fields = spec.local?.fields ?? actions?.[method] ?? actions?.PUT ?? actions?.POST ?? {}
  const context: FormContext = { ...where, loaded: object.data }
  const ready =
    (spec.local || metadata.isSuccess) && (!source || object.isSuccess) && (Boolean(source) || initial.isSuccess)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the declaration is made anew with every render, the values begin once
  const start = useMemo<Values | undefined>(() => {
    if (!ready) return undefined
    const known = spec.local?.fields ?? metadata.data?.actions?.[method] ?? {}
    const row = object.data && (where.cloneFrom ? cloneValues(object.data, t('cloneName')) : object.data)
    const begun = withDefaults(row ? valuesFromRow(row, known) : (initial.data ?? {}), known)
    return startOf(begun, spec.fields)
  }, [ready, metadata.data, object.data, initial.data, method, where.cloneFrom])

  const [values, setValues] = useState<Values>()
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [saving, setSaving] = useState(false)
  useEffect(() => {
    setValues(start)
    setTouched(new Set())
    setErrors({})
  }, [start])
  const now = values ?? start ?? {}

  const groups = (typeof spec.groups === 'function' ? spec.groups(context) : spec.groups).filter(
    (group) => group.has ?? true,
  )
  const spoken = (name: string) => specOf(spec.fields, name)
  const info = (name: string): FieldInfo => infoOf(fields, name) ?? spoken(name).info ?? noInfo
  const kindOf = (name: string): WidgetName =>
    spoken(name).widget ?? (spoken(name).source ? 'remote' : widgetFor(name, info(name)))
  const exists = (name: string) => {
    const { component, local, info } = spoken(name)
    return Boolean(infoOf(fields, name) ?? component ?? local ?? info)
  }
  const names = groups.flatMap((group) => namesOf(group, fields, spec)).filter(exists)
  const shown = names.filter((name) => !isHidden(spoken(name), now, context))

  const check = (name: string, current: Values): string | undefined => {
    if (info(name).read_only) return undefined
    const value = get(current, name)
    const problem = problemOf(value, info(name), isRequired(spoken(name), info(name), current))
    return problem
      ? messageFor(problem)
      : (kindProblem(kindOf(name), value) ?? declaredProblem(spoken(name), value, current))
  }

  const latest = useRef({ now, check })
  latest.current = { now, check }
  const judge = (name: string, current: Values) => {
    const problem = latest.current.check(name, current)
    setErrors(({ [name]: _old, ...rest }) => (problem ? { ...rest, [name]: problem } : rest))
  }

  const change = (name: string, value: unknown) => {
    const next = { ...set(now, name, value) }
    const followed = spoken(name).follow?.(value, next) ?? {}
    const all = { ...next, ...followed }
    setValues(all)
    setTouched(new Set([...touched, name, ...Object.keys(followed)]))
    const gone = (key: string) => key === name || key.startsWith(`${name}.`)
    setErrors(
      Object.fromEntries(Object.entries(errors).filter(([key]) => key !== '' && !gone(key) && !(key in followed))),
    )
    if (!isTyped(kindOf(name))) judge(name, all)
  }

  const sourceOf = (name: string): Source | undefined => {
    const own = spoken(name).source
    return typeof own === 'function' ? own(now, context) : own
  }

  const body = async (): Promise<Record<string, unknown>> => {
    let out: Values = {}
    for (const name of names) {
      const field = spoken(name)
      const about = info(name)
      if (field.local || about.read_only) continue
      const value = get(now, name)
      if (value === undefined && !touched.has(name) && kindOf(name) !== 'choices') continue
      if (about.write_only && value === '' && !touched.has(name)) continue
      const plain = toWire(kindOf(name) === 'choices' ? (value ?? []) : value, field, about, sourceOf(name))
      const seal = (field.secret ?? encrypted.has(name)) && typeof plain === 'string'
      out = set(out, name, seal ? await encryptSecret(plain) : plain)
    }
    return spec.clean ? spec.clean({ ...out }, now, context) : { ...out }
  }

  const refused = (error: unknown): void => {
    if (error instanceof Cancelled) return
    if (!(error instanceof ApiError)) throw error
    if (spec.refused?.(error)) return
    const found = error.status === 400 ? fieldErrors(error.body) : {}
    // A refusal that names no field stands above the form, where it stays until something is changed.
    const general = error.status === 400 ? errorText(error.body) : error.message
    setErrors(general || Object.keys(found).length === 0 ? { ...found, '': general || error.message } : found)
  }

  /** Checks, sends, answers the saved object; undefined when something was refused. */
  const save = async (): Promise<Row | undefined> => {
    const wrong = Object.fromEntries(
      withRows(shown, now, fields, spec.fields)
        .map((name) => [name, check(name, now)])
        .filter(([, text]) => text),
    ) as Record<string, string>
    setErrors(wrong)
    if (Object.keys(wrong).length > 0) return undefined
    setSaving(true)
    try {
      const sent = await body()
      const saved = spec.local
        ? await spec.local.save(sent)
        : await call<Row>(submit, { method, body: asSent(sent), quiet: true })
      setTouched(new Set())
      if (spec.local) return saved
      const collection = typeof spec.url === 'function' ? spec.url(context) : spec.url
      await client.invalidateQueries({
        predicate: ({ queryKey }) =>
          String(queryKey[1] ?? '').startsWith(collection.split('?')[0] ?? '') &&
          queryKey[0] !== 'metadata' &&
          queryKey[0] !== 'object',
      })
      return saved
    } catch (error) {
      refused(error)
      return undefined
    } finally {
      setSaving(false)
    }
  }

  const dirty = [...touched].some((name) => !same(get(now, name), get(start ?? {}, name)))
  useUnsaved(dirty)
  const known = (key: string) => shown.some((name) => key === name || key.startsWith(`${name}.`))

  return {
    spec,
    context,
    fields,
    groups: groups
      .map((group) => ({ ...group, names: namesOf(group, fields, spec).filter((name) => shown.includes(name)) }))
      .filter((group) => group.names.length > 0),
    values: now,
    errors,
    /** Sentences that belong to no field in view. */
    general: Object.entries(errors)
      .filter(([key]) => !known(key))
      .map(([key, text]) => {
        const label = infoOf(fields, key)?.label ?? key
        return label ? `${label}: ${text}` : text
      }),
    change,
    /** A field that is typed into was left. */
    blur: (name: string) => {
      if (isTyped(kindOf(name))) afterPress(() => judge(name, latest.current.now))
    },
    fieldOf: spoken,
    infoOf: info,
    kindOf,
    sourceOf,
    required: (name: string) => isRequired(spoken(name), info(name), now),
    dirty,
    saving,
    ready: ready && values !== undefined,
    error: metadata.error ?? object.error ?? initial.error,
    retry: () => {
      void metadata.refetch()
      if (source) void object.refetch()
    },
    reset: () => {
      setValues(start)
      setTouched(new Set())
      setErrors({})
    },
    /** Puts a refusal of what was sent some other way beside its fields. */
    refused,
    /** After saving, to make another from the same values. */
    settle: () => setTouched(new Set()),
    save,
  }
}

export type Form = ReturnType<typeof useForm>
