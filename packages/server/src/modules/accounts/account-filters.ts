import { errors } from '@castellan/contract/messages/errors'
import { booleanOf, normalUuid } from '../../kernel/fields/index.ts'
import { invalid, text as say } from '../../kernel/module/errors.ts'
import type { Filter, ListQuery } from '../../kernel/resource/resource.ts'
import { nodeBy, subtree } from '../assets/index.ts'

const uuidOf = (field: string, value: string): string => {
  const id = normalUuid(value)
  if (!id) throw invalid({ [field]: [say(errors.not_a_uuid, { input: value })] })
  return id
}

const byAsset =
  (field: string): Filter =>
  (_ctx, query, value) =>
    query.where('t.asset_id', '=', uuidOf(field, value))

const byNode =
  (field: string): Filter =>
  async (ctx, query, value) => {
    const node = await nodeBy(ctx, uuidOf(field, value))
    if (!node) return query
    return query.where(
      't.asset_id',
      'in',
      ctx.acrossOrganizations
        .selectFrom('assets_node as n')
        .innerJoin('assets_asset_nodes as m', 'm.node_id', 'n.id')
        .select('m.asset_id')
        .where(subtree(node.key, 'n.key')),
    )
  }

/** A condition on the account's asset. */
const ofAsset = (query: ListQuery, column: string, value: unknown): ListQuery =>
  query.where((eb) => eb(eb.ref(column), '=', value))

const byAddress: Filter = (_ctx, query, value) => ofAsset(query, 'a.address', value)

/** Filters of account lists; `a` is the account's asset. */
export const accountFilters: Record<string, Filter> = {
  asset: byAsset('asset'),
  asset_id: byAsset('asset_id'),
  assets: byAsset('assets'),
  nodes: byNode('nodes'),
  node_id: byNode('node_id'),
  address: byAddress,
  ip: byAddress,
  hostname: (_ctx, query, value) => query.where('t.name', '=', value),
  platform: (_ctx, query, value) => {
    const id = Number(value)
    if (!Number.isSafeInteger(id)) throw invalid({ platform: [say(errors.not_an_integer)] })
    return ofAsset(query, 'a.platform_id', id)
  },
  category: (_ctx, query, value) => ofAsset(query, 'a.category', value),
  type: (_ctx, query, value) => ofAsset(query, 'a.type', value),
  has_secret: (_ctx, query, value) => {
    const wanted = booleanOf(value)
    if (wanted === undefined) return query
    return query.where('t.secret', wanted ? 'is not' : 'is', null)
  },
}
