import { hostFacts } from '@castellan/contract/messages/assets'
import { type Change, type Field, json, type StoredRow, text } from '../../kernel/fields/index.ts'
import { isObject, objectOf } from '../../kernel/fields/safe-lookup.ts'
import type { Context } from '../../kernel/module/context.ts'
import { notAnObject, type Problem, Rejected } from '../../kernel/module/errors.ts'
import { parseParts } from './parsed-items.ts'

const factLengths = {
  vendor: 64,
  model: 54,
  sn: 128,
  cpu_model: 64,
  cpu_count: 64,
  cpu_cores: 64,
  cpu_vcpus: 64,
  memory: 64,
  disk_total: 1024,
  distribution: 128,
  distribution_version: 16,
  arch: 16,
}

const factNames = Object.keys(factLengths) as (keyof typeof factLengths)[]

/** Facts that were collected from an asset. The contract calls them read-only. */
export const gatheredInfo: Field<StoredRow, 'own'> = {
  ...json<StoredRow>({ readOnly: true, default: {} }),
  type: 'nested object',
  wire: (value, _ctx, row) => {
    const info = (value ?? {}) as StoredRow
    if (row.category !== 'host') return info
    return Object.fromEntries(Object.entries(info).filter(([name]) => name in factLengths))
  },
  meta: (ctx) => ({
    children: Object.fromEntries(
      factNames.map((name) => [
        name,
        {
          type: 'string',
          required: false,
          read_only: false,
          write_only: false,
          label: hostFacts[name][ctx.language],
          max_length: factLengths[name],
        },
      ]),
    ),
  }),
}

const facts = Object.fromEntries(Object.entries(factLengths).map(([name, max]) => [name, text({ max })]))

/**
 * Applies facts that a user corrects on a host, and returns what is wrong with them. Only with PATCH: a whole object that
 * a client writes back would restore what it once read.
 */
export function correctFacts(ctx: Context, change: Change): Problem | undefined {
  const { gathered_info: sent } = change.input
  if (change.mode !== 'update' || !change.partial || sent === undefined || change.row.category !== 'host')
    return undefined
  if (!isObject(sent)) return { non_field_errors: [notAnObject(sent)] }
  const named = Object.fromEntries(Object.entries(facts).filter(([name]) => Object.hasOwn(sent, name)))
  try {
    const known = { ...objectOf(change.row.gathered_info), ...parseParts(ctx, named, sent) }
    change.row.gathered_info = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== ''))
    return undefined
  } catch (error) {
    if (error instanceof Rejected) return error.problem
    throw error
  }
}
