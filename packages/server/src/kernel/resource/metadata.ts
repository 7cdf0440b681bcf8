import type { Field } from '../fields/field.ts'
import type { Params } from '../http/route.ts'
import { orderable } from '../lists/query.ts'
import type { Context } from '../module/context.ts'
import { helpOf, labelOf, textsOf } from '../module/texts.ts'
import type { Mode } from './mutations.ts'
import type { Resource } from './resource.ts'
import { narrowed, shownAs, wireOrder } from './serialize.ts'

export type Info = Record<string, unknown>

/** Field types whose default is not in OPTIONS. */
const withoutDefault = new Set<Field['type']>(['m2m_related_field', 'multiple choice', 'field'])

/** Accepted and returned media types, as OPTIONS lists them. */
export const parses = [
  ...['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  ...['text/csv', 'text/xlsx', '*/*'],
]
export const renders = ['application/json', 'text/csv', 'application/xlsx']

function defaultOf(field: Field, ctx: Context): Info {
  if (field.required || field.secret || withoutDefault.has(field.type)) return {}
  const value = typeof field.default === 'function' ? field.default(ctx) : field.default
  if (value === undefined || value === null || value === '') return {}
  if (field.type === 'datetime') return { default: `${new Date(Number(value)).toISOString().slice(0, -1)}000Z` }
  if (typeof value === 'object' && !Array.isArray(value)) return {}
  return { default: value }
}

/** The OPTIONS entry of one field. */
export function fieldInfo(
  ctx: Context,
  field: Field,
  label: string | undefined,
  help?: string,
  readOnly = field.readOnly,
  params: Params = {},
): Info {
  return {
    type: field.type,
    required: field.required && !readOnly,
    ...(readOnly && typeof field.default === 'function' ? {} : defaultOf(field, ctx)),
    read_only: readOnly,
    ...(label ? { label } : {}),
    ...(help ? { help_text: help } : {}),
    write_only: field.writeOnly,
    ...field.meta?.(ctx, params),
  }
}

/**
 * OPTIONS entries of fields without a resource, with the texts of their app; `listed` when they are the columns of a
 * list.
 */
export function fieldsInfo(
  ctx: Context,
  app: string,
  fields: Readonly<Record<string, Field>>,
  listed: boolean = false,
  params: Params = {},
): Info {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const texts = textsOf(app, name, ctx.language)
      const info = fieldInfo(ctx, field, texts.label, texts.help, field.readOnly, params)
      if (listed && field.order) info.order = true
      if (listed && field.filter) info.filter = true
      return [name, info]
    }),
  )
}

/** More for a field that holds a list of objects: the fields of one of them. */
export const itemInfo = (children: Info, more: Info = {}): Info => ({
  child: { type: 'nested object', required: false, read_only: false, write_only: false, ...more, children },
})

/** The fields of a resource as the OPTIONS entry of one method; `names` selects some of them. */
export function resourceInfo(
  ctx: Context,
  resource: Resource,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH',
  listed: boolean,
  names: readonly string[] = wireOrder(resource),
  params: Params = {},
): Info {
  const mode: Mode = method === 'POST' ? 'create' : 'update'
  const verb = shownAs(method === 'GET' ? (params.pk ? 'retrieve' : 'list') : mode, params)
  const hidden = new Set(resource.hidden?.(ctx, verb, 'options') ?? [])
  const shown = method === 'GET' || params.action === 'suggestion' ? narrowed(resource, names, params) : names
  const orders = new Set(orderable(resource))
  const info: Info = {}
  for (const name of shown) {
    const field = resource.fields[name]
    if (!field || field.undescribed || hidden.has(name)) continue
    const readOnly = name === 'id' ? !resource.idWritable : field.readOnly
    const entry = fieldInfo(
      ctx,
      field,
      labelOf(resource, name, ctx.language),
      helpOf(resource, name, ctx.language),
      readOnly,
      params,
    )
    // Fields of a detail response are readable, even when the forms for new rows only send them.
    if (method === 'GET' && verb === 'retrieve' && entry.write_only && !field.writeOnly) {
      entry.write_only = false
      if (entry.child) entry.child = { ...entry.child, write_only: false }
    }
    const isListed = method === 'GET' && listed
    if (isListed) {
      if (orders.has(name)) entry.order = true
      if (field.filter || resource.filters?.[name] || (name === 'id' && resource.idFilter)) entry.filter = true
    }
    const { order, filter, ...facts } = resource.described?.[name] ?? {}
    Object.assign(entry, facts, isListed ? resource.described?.[name] : {})
    info[name] = entry
  }
  return info
}

/** The complete OPTIONS body of a resource's collection or detail. */
export function optionsBody(
  ctx: Context,
  resource: Resource,
  methods: readonly string[],
  listed = true,
  params: Params = {},
): Info {
  const actions: Info = {}
  for (const method of ['POST', 'PUT', 'PATCH', 'GET'] as const)
    if (methods.includes(method))
      actions[method] = resourceInfo(ctx, resource, method, listed, wireOrder(resource), params)
  return {
    name: labelOf(resource, resource.name, ctx.language),
    description: '',
    renders,
    parses,
    actions,
  }
}
