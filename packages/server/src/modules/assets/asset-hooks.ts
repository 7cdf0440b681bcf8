import { assetsMessages } from '@castellan/contract/messages/assets'
import { errors } from '@castellan/contract/messages/errors'
import { keyOf, normalSerial, type StoredRow } from '../../kernel/fields/index.ts'
import { isObject } from '../../kernel/fields/safe-lookup.ts'
import type { Params } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, type Problem, quoted, text as say } from '../../kernel/module/errors.ts'
import { createMany, createOne } from '../../kernel/resource/mutations.ts'
import type { Resource } from '../../kernel/resource/resource.ts'
import { accountPort } from './account-port.ts'
import type { AssetChange, AssetHooks } from './asset-fields.ts'
import { needsDatabaseName } from './asset-kinds.ts'
import { type AssetProtocol, addProtocols, protocolsOf } from './asset-protocols.ts'
import { checkCustomInfo } from './custom-info.ts'
import { correctFacts } from './gathered-info.ts'
import { nodeBy } from './nodes/node-rows.ts'
import { platformsById } from './platforms/platform.ts'
import { type OfferedProtocol, protocolsByPlatform } from './platforms/platform-protocols.ts'
import { checkGatewayRemoval, checkRedirects } from './redirects.ts'
import { forgetUnconfirmed, noteDecision } from './unconfirmed.ts'

const empty = (value: unknown) => value === undefined || value === null || (Array.isArray(value) && value.length === 0)

async function prepare(
  ctx: Context,
  input: StoredRow,
  { mode, partial, query }: { mode: 'create' | 'update'; partial: boolean; query: Params },
): Promise<StoredRow> {
  const body = { ...input }
  if (mode === 'update') delete body.accounts
  if (body.protocols === null) delete body.protocols
  if (partial || !empty(body.nodes) || !empty(body.nodes_display)) return body
  const node = query.node_id
    ? await ctx.once(`assets.node:${query.node_id}`, () => nodeBy(ctx, query.node_id ?? ''))
    : undefined
  // For the nodes field an empty list means the root; omitting nodes in a PUT means the same.
  return { ...body, nodes: node ? [node.id] : [] }
}

const demanded = (protocol: OfferedProtocol) => protocol.primary || protocol.required

/** Sets the default protocols of a new asset, and checks required ones. */
function checkProtocols(
  change: AssetChange,
  offered: readonly OfferedProtocol[],
  problem: (text: Problem) => void,
): void {
  if (change.mode === 'create' && change.values.protocols === undefined) {
    change.values.protocols = offered
      .filter((one) => demanded(one) || one.default)
      .map(({ name, port }) => ({ name, port }))
    return
  }
  if (change.partial && change.values.protocols === undefined) return
  const has = new Set(((change.values.protocols ?? []) as AssetProtocol[]).map(({ name }) => name))
  const missing = offered.filter((one) => demanded(one) && !has.has(one.name)).map(({ name }) => name)
  if (missing.length > 0) problem({ protocols: say(assetsMessages.protocol_missing, { protocol: missing.join(', ') }) })
}

async function validate(
  ctx: Context,
  changes: AssetChange[],
  problem: (index: number, field: string, problem: Problem) => void,
): Promise<void> {
  const platforms = await platformsById(ctx)
  const offered = await protocolsByPlatform(ctx)
  for (const change of changes) {
    const { row, values, index, mode, partial } = change
    const platform = platforms.get(row.platform_id)
    if (!platform) continue
    row.type = platform.type
    if (!platform.domain_enabled) row.domain_id = null
    const wrongFacts = correctFacts(ctx, change)
    if (wrongFacts) problem(index, 'gathered_info', wrongFacts)
    const wrong = checkCustomInfo(ctx, change, platform.custom_fields)
    if (Object.keys(wrong).length > 0) problem(index, 'custom_info', wrong)
    checkProtocols(change, offered.get(Number(platform.id)) ?? [], (text) => problem(index, 'protocols', text))
    const needsDatabase = platform.category === 'database' && needsDatabaseName(platform.type)
    if (
      needsDatabase &&
      ((mode === 'create' && values.db_name === undefined) || (!partial && values.db_name === undefined))
    )
      problem(index, 'db_name', say(errors.required))
    else if (needsDatabase && values.db_name === '') problem(index, 'db_name', say(errors.blank))
  }
  await checkRedirects(ctx, changes)
}

/** Adds the missing protocols of an asset's new platform. */
async function followPlatform(ctx: Context, changes: readonly AssetChange[]): Promise<void> {
  const moved = changes.filter(({ before, row }) => before && before.platform_id !== row.platform_id)
  if (moved.length === 0) return
  await fillProtocols(
    ctx,
    moved.map(({ row }) => row),
  )
}

/** Adds the missing protocols of their platforms to assets, at the platforms' ports. */
export async function fillProtocols(
  ctx: Context,
  rows: readonly { id: string; platform_id: number }[],
): Promise<{ asset_id: string; name: string; port: number }[]> {
  const offered = await protocolsByPlatform(ctx)
  const has = await protocolsOf(
    ctx,
    rows.map(({ id }) => id),
  )
  const added = rows.flatMap((row) => {
    const known = new Set((has.get(row.id) ?? []).map(({ name }) => name))
    return (offered.get(row.platform_id) ?? [])
      .filter(({ name }) => !known.has(name))
      .map(({ name, port }) => ({ asset_id: row.id, name, port }))
  })
  await addProtocols(ctx, added)
  return added
}

export const assetHooks: AssetHooks = {
  prepare,
  validate,
  async afterSave(ctx, changes) {
    await followPlatform(ctx, changes)
    const made = changes.flatMap(({ mode, row }) => (mode === 'create' ? [row.id] : []))
    await noteDecision(ctx, made, 'destination')
    const sent = changes.flatMap(({ mode, row, values }) =>
      mode === 'create' && !empty(values.accounts) ? [{ asset: row, accounts: values.accounts ?? [] }] : [],
    )
    if (sent.length > 0) await accountPort.use.create(ctx, sent)
  },
  beforeDelete: checkGatewayRemoval,
  afterDelete: (ctx, rows) =>
    forgetUnconfirmed(
      ctx,
      rows.map(({ id }) => id),
    ),
}

const platformKey = (input: unknown): unknown => keyOf((input as StoredRow | null)?.platform)

const isListOfObjects = (value: unknown): boolean => Array.isArray(value) && value.every(isObject)

/** New assets. A single body without a known platform is answered by that alone, before anything else is looked at. */
export function creating(resource: () => Resource) {
  return async (
    ctx: Context,
    inputs: readonly unknown[],
    call: { bulk: boolean; query: Params },
  ): Promise<StoredRow[]> => {
    const platforms = await platformsById(ctx)
    if (!call.bulk) {
      const key = platformKey(inputs[0])
      if (empty(key) || key === '') throw invalid({ platform: say(errors.required) })
      const platform = platforms.get(normalSerial(key) ?? 0)
      if (!platform) throw invalid({ platform: say(errors.does_not_exist, { pk: quoted(key) }) })
      const sent = (inputs[0] as StoredRow).accounts
      if (!empty(sent) && !isListOfObjects(sent))
        throw invalid({ accounts: say(errors.not_a_list, { type: typeof sent }) })
      return [await createOne(ctx, resource(), inputs[0], call.query)]
    }
    return createMany(ctx, resource(), inputs, call.query)
  }
}
