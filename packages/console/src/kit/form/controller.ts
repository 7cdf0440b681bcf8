/** The form without a skin: metadata, the object, values, checks, submission. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { below, call, withQuery } from '../api/client.ts'
import { ApiError, Cancelled, fieldErrors } from '../api/errors.ts'
import { audience, type FieldInfo, type Fields, metadataOf } from '../api/metadata.ts'
import { encryptSecret } from '../api/secret.ts'
import { flash } from '../flash.ts'
import type { Row } from '../row.ts'
import { t } from '../text.ts'
import type { FieldSpec, FormContext, FormSpec, GroupSpec, Source, Values } from './spec.ts'
import {
  cloneValues,
  get,
  infoOf,
  isHidden,
  isRequired,
  problemOf,
  set,
  toWire,
  valuesFromRow,
  withDefaults,
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
  const submit = context.cloneFrom ? withQuery(collection, { clone_from: context.cloneFrom }) : target
  return { target, source, submit, method: spec.method ?? (context.id ? 'PUT' : 'POST') } as const
}

const noInfo: FieldInfo = { type: 'string', max_length: 1024 }

export function messageFor(problem: NonNullable<ReturnType<typeof problemOf>>): string {
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
  }
}

/** Names of a group's fields; `*` is every writable field nobody else has. */
function namesOf(group: GroupSpec, fields: Fields): string[] {
  return group.fields.flatMap((name) =>
    name === '*' ? Object.keys(fields).filter((key) => !fields[key]?.read_only) : [name],
  )
}

export function useForm(spec: FormSpec, where: Omit<FormContext, 'loaded'>) {
  const client = useQueryClient()
  const { target, source, submit, method } = addresses(spec, where)
  const metadata = useQuery(metadataOf(submit))
  const object = useQuery({
    queryKey: ['object', source, ...audience()],
    queryFn: () => call<Row>(source ?? '', { quiet: true }),
    enabled: source !== undefined,
    staleTime: 0,
    gcTime: 0,
  })
  const initial = useQuery({
    queryKey: ['initial', spec.noun, target, where.query.toString(), ...audience()],
    queryFn: async () => (await spec.initial?.(where)) ?? {},
    enabled: !source || Boolean(where.cloneFrom),
    gcTime: 0,
  })
  const fields: Fields =
    metadata.data?.actions?.[method] ?? metadata.data?.actions?.PUT ?? metadata.data?.actions?.POST ?? {}
  const context: FormContext = { ...where, loaded: object.data }
  const ready = metadata.isSuccess && (!source || object.isSuccess) && (Boolean(source) || initial.isSuccess)
  const start = useMemo<Values | undefined>(() => {
    if (!ready) return undefined
    const known = metadata.data?.actions?.[method] ?? {}
    const row = object.data && (where.cloneFrom ? cloneValues(object.data, t('cloneName')) : object.data)
    return withDefaults(row ? valuesFromRow(row, known) : (initial.data ?? {}), known)
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
  const spoken = (name: string): FieldSpec => spec.fields?.[name] ?? {}
  const names = groups
    .flatMap((group) => namesOf(group, fields))
    .filter((name) => infoOf(fields, name) || spec.fields?.[name]?.component || spec.fields?.[name]?.local)
  const visible = names.filter((name) => !isHidden(spoken(name), now, context))

  const check = (name: string, current: Values): string | undefined => {
    const field = spoken(name)
    const info = infoOf(fields, name) ?? noInfo
    if (info.read_only) return undefined
    const value = get(current, name)
    const problem = problemOf(value, info, isRequired(field, info, current))
    return problem ? messageFor(problem) : field.check?.(value, current)
  }

  const change = (name: string, value: unknown) => {
    const next = { ...set(now, name, value) }
    const followed = spoken(name).follow?.(value, next) ?? {}
    setValues({ ...next, ...followed })
    setTouched(new Set([...touched, name, ...Object.keys(followed)]))
    const { [name]: _gone, ...rest } = errors
    setErrors(rest)
  }

  const sourceOf = (name: string): Source | undefined => {
    const own = spoken(name).source
    return typeof own === 'function' ? own(now, context) : own
  }

  const body = async (): Promise<Record<string, unknown>> => {
    let out: Values = {}
    for (const name of names) {
      const field = spoken(name)
      const info = infoOf(fields, name) ?? noInfo
      if (field.local || info.read_only) continue
      const value = get(now, name)
      if (value === undefined && !touched.has(name)) continue
      if (info.write_only && value === '' && !touched.has(name)) continue
      const plain = toWire(value, field, info, sourceOf(name))
      const seal = (field.secret ?? encrypted.has(name)) && typeof plain === 'string'
      out = set(out, name, seal ? await encryptSecret(plain) : plain)
    }
    return spec.clean ? spec.clean({ ...out }, now, context) : { ...out }
  }

  const refused = (error: unknown): void => {
    if (error instanceof Cancelled) return
    if (!(error instanceof ApiError)) throw error
    const found = error.status === 400 ? fieldErrors(error.body) : {}
    setErrors(found)
    const shown = Object.keys(found).some((key) => names.some((name) => key === name || key.startsWith(`${name}.`)))
    if (!shown) {
      const sentences = Object.values(found)
      flash.error(sentences.length > 0 ? sentences.join('; ') : error.message)
    }
  }

  /** Checks, sends, answers the saved object; undefined when something was refused. */
  const save = async (): Promise<Row | undefined> => {
    const wrong = Object.fromEntries(
      visible.map((name) => [name, check(name, now)]).filter(([, text]) => text),
    ) as Record<string, string>
    setErrors(wrong)
    if (Object.keys(wrong).length > 0) return undefined
    setSaving(true)
    try {
      const saved = await call<Row>(submit, { method, body: await body(), quiet: true })
      setTouched(new Set())
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

  return {
    spec,
    context,
    fields,
    groups: groups
      .map((group) => ({ ...group, names: namesOf(group, fields).filter((name) => visible.includes(name)) }))
      .filter((group) => group.names.length > 0),
    values: now,
    errors,
    change,
    blur: (name: string) => {
      if (!touched.has(name)) return
      const problem = check(name, now)
      if (problem) setErrors({ ...errors, [name]: problem })
    },
    fieldOf: spoken,
    infoOf: (name: string) => infoOf(fields, name) ?? noInfo,
    sourceOf,
    required: (name: string) => isRequired(spoken(name), infoOf(fields, name) ?? noInfo, now),
    dirty: touched.size > 0,
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
    /** After saving, to make another from the same values. */
    settle: () => setTouched(new Set()),
    save,
  }
}

export type Form = ReturnType<typeof useForm>
