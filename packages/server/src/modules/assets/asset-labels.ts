import { errors } from '@castellan/contract/messages/errors'
import { batches } from '../../db/batches.ts'
import { type Change, many, normalUuid, text } from '../../kernel/fields/index.ts'
import { objectOf } from '../../kernel/fields/safe-lookup.ts'
import type { Context } from '../../kernel/module/context.ts'
import { quoted, Rejected, text as say } from '../../kernel/module/errors.ts'
import { insertRows } from '../../kernel/resource/repository.ts'
import { label } from './label.ts'
import { parseItems, parseParts } from './parsed-items.ts'

interface Sent {
  id?: string
  name?: string
  value?: string
}

const parts = { name: text({ max: 128, required: true }), value: text({ max: 128, required: true }) }

function parsed(ctx: Context, input: unknown): Sent {
  if (typeof input === 'string') return { id: labelId(input) }
  const { id, pk } = objectOf(input)
  return (id ?? pk) ? { id: labelId(id ?? pk) } : (parseParts(ctx, parts, input) as Sent)
}

function labelId(input: unknown): string {
  const id = normalUuid(input)
  if (!id) throw new Rejected([say(errors.not_a_uuid, { input: quoted(input) })])
  return id
}

const keyOf = (name: unknown, value: unknown) => JSON.stringify([name, value])

/** Ids of the sent labels: existing ones are reused, missing ones created. */
async function labelIds(ctx: Context, changes: readonly Change[]): Promise<Map<string, string>> {
  const wanted = new Map<string, Sent>()
  for (const change of changes)
    for (const sent of change.values.labels as Sent[]) if (!sent.id) wanted.set(keyOf(sent.name, sent.value), sent)
  const known = new Map<string, string>()
  if (wanted.size === 0) return known
  const names = [...new Set([...wanted.values()].map(({ name }) => name))]
  const orgId = String(changes[0]?.row.org_id)
  for (const some of batches(names))
    for (const row of await ctx.rawDb
      .selectFrom('assets_label')
      .select(['id', 'name', 'value'])
      .where('org_id', '=', orgId)
      .where('name', 'in', some)
      .execute())
      known.set(keyOf(row.name, row.value), row.id)
  const missing = [...wanted]
    .filter(([key]) => !known.has(key))
    .map(([, sent]) => ({ ...sent, org_id: orgId, comment: '' }))
  for (const row of await insertRows(ctx, label, missing)) known.set(keyOf(row.name, row.value), row.id)
  return known
}

async function storeLabels(ctx: Context, changes: readonly Change[]): Promise<void> {
  const sent = changes.filter(({ values }) => values.labels !== undefined)
  if (sent.length === 0) return
  const known = await labelIds(ctx, sent)
  const changed = sent.filter(({ mode }) => mode === 'update').map(({ row }) => row.id)
  for (const some of batches(changed))
    await ctx.rawDb.deleteFrom('assets_asset_labels').where('asset_id', 'in', some).execute()
  const links = sent.flatMap(({ row, values }) => {
    const ids = (values.labels as Sent[]).map((one) => one.id ?? known.get(keyOf(one.name, one.value)))
    values.labels = [...new Set(ids)]
    return (values.labels as string[]).map((id) => ({ asset_id: row.id, label_id: id }))
  })
  for (const some of batches(links)) await ctx.rawDb.insertInto('assets_asset_labels').values(some).execute()
}

const links = many('assets.label', {
  through: 'assets_asset_labels',
  from: 'asset_id',
  to: 'label_id',
  attrs: ['id', 'name', 'value'],
})

/** Labels of an asset: existing ones by id, others by name and value. A sent list replaces the old one. */
export const assetLabelsField: typeof links = {
  ...links,
  type: 'field',
  filter: true,
  parse: (input, ctx) => parseItems(input, (item) => parsed(ctx, item)),
  resolve: async (ctx, values, problem) => {
    const ids = (values as Sent[][]).map((list) => list.flatMap(({ id }) => (id ? [id] : [])))
    // Checks existence as for any other link; the sent items are returned unchanged.
    await links.resolve?.(ctx, ids, problem)
    return [...values]
  },
  store: storeLabels,
  meta: () => ({
    child: {
      type: 'nested object',
      required: false,
      read_only: false,
      write_only: false,
      children: {
        id: { type: 'string', required: false, read_only: false, write_only: false },
        name: { type: 'string', required: false, read_only: false, write_only: false, max_length: 128 },
        value: { type: 'string', required: false, read_only: false, write_only: false, max_length: 128 },
      },
    },
  }),
}

/** Values of the active labels of an asset that have one of these names. */
export async function labelValuesOf(ctx: Context, assetId: string, names: readonly string[]): Promise<string[]> {
  const rows = await ctx.acrossOrganizations
    .selectFrom('assets_asset_labels as m')
    .innerJoin('assets_label as l', 'l.id', 'm.label_id')
    .select('l.value')
    .where('m.asset_id', '=', assetId)
    .where('l.name', 'in', names)
    .where('l.is_active', '=', true)
    .execute()
  return rows.map(({ value }) => String(value))
}
