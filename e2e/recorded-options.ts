import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { conversationsFolder } from '@castellan/testing/conversations'
import { moreChoices } from './deliberate-options.ts'

export type Facts = Record<string, unknown>
export type Fields = Record<string, Facts>
export interface RecordedAddress {
  methods: string[]
  /** Fields by method, with every reference filled in. */
  actions: Record<string, Fields>
}

type Raw = { '=': string; '+'?: Fields; '-'?: string[] } | Fields | string
type RawAddress = { methods: string[]; actions?: Record<string, Raw> }

const isReference = (raw: Raw): raw is { '=': string; '+'?: Fields; '-'?: string[] } =>
  typeof raw === 'object' && typeof raw['='] === 'string'

/** What OPTIONS answered at each address, as the folder of recorded facts has it (see its README). */
function recordedOptions(folder: string): Map<string, RecordedAddress> {
  const raw = new Map<string, RawAddress>()
  for (const file of readdirSync(folder).filter((name) => /^(?!facts-|routes|platforms).*\.json$/.test(name)))
    for (const [path, address] of Object.entries(JSON.parse(readFileSync(join(folder, file), 'utf8'))))
      raw.set(path, address as RawAddress)

  const fieldsOf = (path: string, method: string): Fields => {
    const entry = raw.get(path)?.actions?.[method]
    if (entry === undefined) return {}
    return filled(path, entry)
  }
  const referred = (path: string, reference: string): Fields => {
    const [method = '', other = path] = reference.replace(/^=/, '').split(' ')
    return fieldsOf(other, method)
  }
  const filled = (path: string, entry: Raw): Fields => {
    if (typeof entry === 'string') return referred(path, entry)
    if (!isReference(entry)) return entry as Fields
    const fields: Fields = { ...referred(path, entry['=']) }
    for (const name of entry['-'] ?? []) delete fields[name]
    // Facts with a type replace those of a field; others are added.
    for (const [name, facts] of Object.entries(entry['+'] ?? {}))
      fields[name] = 'type' in facts ? facts : { ...fields[name], ...facts }
    return fields
  }
  return new Map(
    [...raw].map(([path, { methods, actions = {} }]) => [
      path,
      {
        methods,
        actions: Object.fromEntries(Object.keys(actions).map((method) => [method, fieldsOf(path, method)])),
      },
    ]),
  )
}

const compared = [
  ...['type', 'required', 'read_only', 'write_only', 'filter', 'order', 'default'],
  ...['min_length', 'max_length', 'min_value', 'max_value'],
]
const values = (choices: unknown): unknown =>
  Array.isArray(choices)
    ? choices.map((one) =>
        typeof one === 'object' && one !== null
          ? 'children' in one
            ? [(one as Facts).value, values((one as Facts).children)]
            : (one as Facts).value
          : one,
      )
    : choices
const sorted = (list: unknown): string => JSON.stringify([list ?? []].flat().map(String).sort())
const shown = (value: unknown): string => JSON.stringify(value ?? null)

/** Where a field's metadata differs from what was recorded, one line for each fact. */
export function fieldDifferences(name: string, wanted: Facts, actual: Facts): string[] {
  const lines: string[] = []
  for (const fact of compared) {
    const [want, got] = [wanted[fact] || undefined, actual[fact] || undefined]
    // Moments and sentences are recorded as what they are, not as their values.
    if (fact === 'default' && typeof want === 'string' && want.startsWith('<')) continue
    // An empty default is not the same as none.
    if (fact === 'default' && 'default' in wanted && !('default' in actual)) lines.push(`${name}.default: not told`)
    if (shown(want) !== shown(got)) lines.push(`${name}.${fact}: ${shown(got)}, recorded ${shown(want)}`)
  }
  const known = new Set([wanted.choices ?? []].flat().map(String))
  const offered = [values(actual.choices) ?? []]
    .flat()
    .filter((value) => known.has(String(value)) || !moreChoices.has(String(value)))
  if (wanted.choices && sorted(wanted.choices) !== sorted(offered))
    lines.push(`${name}.choices: ${sorted(offered)}, recorded ${sorted(wanted.choices)}`)
  if (wanted.tree && 'tree' in actual && shownTree(wanted.tree) !== shownTree(actual.tree))
    lines.push(`${name}.tree: ${shownTree(actual.tree)}, recorded ${shownTree(wanted.tree)}`)
  if (wanted.child) lines.push(...fieldDifferences(`${name}[]`, wanted.child as Facts, (actual.child ?? {}) as Facts))
  if (wanted.children)
    lines.push(...setDifferences(`${name}.`, wanted.children as Fields, (actual.children ?? {}) as Fields))
  return lines
}

/** A tree of choices as nested values, whether it was recorded so or has labels. */
function shownTree(tree: unknown): string {
  const nested = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node
    const { value, children } = node as Facts
    if (value === undefined)
      return Object.entries(node).map(([name, below]) => [name, (below as unknown[]).map(nested)])
    return Array.isArray(children) && children.length > 0 ? [[value, children.map(nested)]] : value
  }
  return JSON.stringify([tree].flat().map(nested))
}

/** Where the fields that both have stand in another order than was recorded, in one line. */
export function orderDifference(wanted: Fields, actual: Fields): string[] {
  // A v3 server adds these to some answers, at the end.
  const common = (fields: Fields, other: Fields) =>
    Object.keys(fields)
      .filter((name) => name in other && !/^(spec_info|gathered_info)$/.test(name))
      .join()
  const [want, got] = [common(wanted, actual), common(actual, wanted)]
  return want === got ? [] : [`ORDER ${got}, recorded ${want}`]
}

/** Where a set of fields differs from the recorded one. */
export function setDifferences(prefix: string, wanted: Fields, actual: Fields): string[] {
  return [
    ...Object.keys(wanted)
      .filter((name) => !(name in actual))
      .map((name) => `${prefix}${name}: missing`),
    ...Object.keys(actual)
      .filter((name) => !(name in wanted))
      .map((name) => `${prefix}${name}: not recorded`),
    ...Object.keys(wanted)
      .filter((name) => name in actual)
      .flatMap((name) => fieldDifferences(`${prefix}${name}`, wanted[name] as Facts, actual[name] as Facts)),
  ]
}

/** The recorded facts beside the conversations of this machine. @throws Error where there are none */
export function recordedHere(): Map<string, RecordedAddress> {
  const conversations = conversationsFolder()
  if (!conversations) throw new Error('These are only run where the conversations are.')
  return recordedOptions(join(conversations, '../options'))
}
