/** Data a form needs before editing: metadata, and the edited object or the initial values. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { below, call, withQuery } from '../api/client.ts'
import { audience, type Fields, metadataOf } from '../api/metadata.ts'
import type { Row } from '../row.ts'
import { t } from '../text.ts'
import type { FormContext, FormSpec, Values } from './spec.ts'
import { cloneValues, startOf, valuesFromRow, withDefaults } from './values.ts'

export const collectionOf = (spec: FormSpec, context: FormContext): string =>
  typeof spec.url === 'function' ? spec.url(context) : spec.url

function addressesOf(spec: FormSpec, context: FormContext) {
  const collection = collectionOf(spec, context)
  const target = context.id && !spec.single ? below(collection, `${context.id}/`) : collection
  const source = context.cloneFrom
    ? below(collection, `${context.cloneFrom}/`)
    : context.id || spec.single
      ? target
      : undefined
  const submit =
    context.cloneFrom && spec.submit?.copies !== false
      ? withQuery(collection, { clone_from: context.cloneFrom })
      : target
  return { target, source, submit, method: spec.submit?.method ?? (context.id ? 'PUT' : 'POST') } as const
}

/** A background refetch would replace entered values. */
const once = { gcTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false } as const

export function useReading(spec: FormSpec, where: Omit<FormContext, 'loaded'>) {
  const { target, source, submit, method } = addressesOf(spec, where)
  const metadata = useQuery({ ...metadataOf(submit), enabled: !spec.local })
  const object = useQuery({
    ...once,
    queryKey: ['object', source, ...audience()],
    queryFn: () => call<Row>(source ?? '', { quiet: true }),
    enabled: source !== undefined,
    staleTime: 0,
  })
  const initial = useQuery({
    ...once,
    queryKey: ['initial', spec.noun, target, where.query.toString(), ...audience()],
    queryFn: async () => (await spec.initial?.(where)) ?? {},
    enabled: !source || Boolean(where.cloneFrom),
  })
  const actions = metadata.data?.actions
  const fields: Fields = spec.local?.fields ?? actions?.[method] ?? actions?.PUT ?? actions?.POST ?? {}
  const ready = (spec.local || metadata.isSuccess) && (source ? object.isSuccess : initial.isSuccess)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the declaration changes with every render, the values do not
  const start = useMemo<Values | undefined>(() => {
    if (!ready) return undefined
    const known = spec.local?.fields ?? metadata.data?.actions?.[method] ?? {}
    const row = object.data && (where.cloneFrom ? cloneValues(object.data, t('cloneName')) : object.data)
    const begun = withDefaults(row ? valuesFromRow(row, known) : (initial.data ?? {}), known)
    return startOf({ ...begun, ...spec.carried }, spec.fields)
  }, [ready, metadata.data, object.data, initial.data, method, where.cloneFrom])
  return {
    /** Target address and method. */
    submit,
    method,
    fields,
    /** The object as read from the server. */
    loaded: object.data,
    /** Initial values, once everything is loaded. */
    start,
    /** Reads the object again and resets the form to the stored values. */
    reread: () => void object.refetch(),
    error: metadata.error ?? object.error ?? initial.error,
    retry: () => {
      for (const read of [metadata, object, initial]) if (read.error) void read.refetch()
    },
  }
}
