import type { Context } from '../module/context.ts'
import { type Resource, requirement, type Verb } from '../resource/resource.ts'
import { wireOrder } from '../resource/serialize.ts'
import { answerShape, bodyType } from './wire-shapes.ts'

/** `/api/v1/users/groups/` is `UsersGroups`. */
const nameOf = ({ url }: Resource) =>
  url
    .replace('/api/v1/', '')
    .split(/[^a-z0-9]+/i)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')

/** A caller without any right: a declaration hides from them all that it may hide. */
const stranger = { can: () => false } as unknown as Context

const has = (resource: Resource, verb: Verb) =>
  (resource.verbs?.includes(verb) ?? true) && requirement(resource, verb) !== 'nobody'

/** Fields that some answers of a collection do not have: by the caller's rights, or in lists only. */
export const hiddenIn = (resource: Resource): ReadonlySet<string> =>
  new Set((['list', 'retrieve'] as const).flatMap((verb) => resource.hidden?.(stranger, verb, 'answer') ?? []))

function rowType(resource: Resource): string {
  const hidden = hiddenIn(resource)
  const lines = wireOrder(resource).flatMap((name) => {
    const field = resource.fields[name]
    if (!field || field.writeOnly) return []
    return [`  ${name}${hidden.has(name) ? '?' : ''}: ${answerShape(field).type}`]
  })
  return [`export type ${nameOf(resource)}Row = {`, ...lines, '}'].join('\n')
}

function bodyOf(resource: Resource): string {
  const lines = Object.entries(resource.fields).flatMap(([name, field]) => {
    if (field.readOnly || !field.parse || (name === 'id' && !resource.idWritable)) return []
    return [`  ${name}${field.required && name !== 'id' ? '' : '?'}: ${bodyType(field)}`]
  })
  return [`export type ${nameOf(resource)}Body = {`, ...lines, '}'].join('\n')
}

const head = `/**
 * What is on the wire, by the declarations of the server: rows in answers, and bodies that create a row or change one
 * (a change by PATCH sends some of the fields). Type aliases, since an interface has no index signature: the console
 * takes them for rows with any fields. Written by \`npm run wire-types\`; a test compares it with the declarations.
 */

/** One of several values, with its name in the caller's language. */
export type Choice<V = string> = {
  value: V
  label: string
}`

const table = (name: string, doc: string, entries: readonly string[]) =>
  [`/** ${doc} */`, `export type ${name} = {`, ...entries.map((entry) => `  ${entry}`), '}'].join('\n')

/** The types of all collections, as `packages/contract/src/wire.gen.ts` has them. */
export function wireTypes(resources: Iterable<Resource>): string {
  const all = [...new Set(resources)].sort((one, other) => (one.url < other.url ? -1 : 1))
  const answered = all.filter((resource) => has(resource, 'list') || has(resource, 'retrieve'))
  const sent = all.filter((resource) => has(resource, 'create') || has(resource, 'update'))
  return `${[
    head,
    ...all.flatMap((resource) => [
      ...(answered.includes(resource) ? [rowType(resource)] : []),
      ...(sent.includes(resource) ? [bodyOf(resource)] : []),
    ]),
    table(
      'WireRows',
      'The rows of each collection, by its URL.',
      answered.map((resource) => `'${resource.url}': ${nameOf(resource)}Row`),
    ),
    table(
      'WireBodies',
      'The bodies of each collection that may be changed, by its URL.',
      sent.map((resource) => `'${resource.url}': ${nameOf(resource)}Body`),
    ),
  ].join('\n\n')}\n`
}
