import { automationErrors } from '@castellan/contract/messages/automations'
import { computed, type Field, keyOf, many, normalUuid } from '../../../kernel/fields/index.ts'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { defineRoute, type Handling, Reply, type Route } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { ApiError, failureAs, text as say } from '../../../kernel/module/errors.ts'
import { updateOne } from '../../../kernel/resource/mutations.ts'
import { findAll } from '../../../kernel/resource/repository.ts'
import { type ListQuery, type Resource, requirement } from '../../../kernel/resource/resource.ts'
import { listReply, rowBySegment } from '../../../kernel/resource/resource-routes.ts'
import { asset } from '../asset.ts'
import { node } from '../nodes/node.ts'
import { outermost, subtree } from '../nodes/node-key.ts'

type TargetField = 'assets' | 'nodes'
type Direction = 'add' | 'remove'

interface Parts {
  automation: Resource
  /** Of the addresses. */
  prefix: string
  linked(ctx: Context, field: TargetField, id: string): Promise<string[]>
}

/** The assets that are targets themselves or stand below a node that is. */
async function targeted(ctx: Context, assetIds: readonly string[], nodeIds: readonly string[]) {
  const nodes = await findAll(ctx, node, (query) => query.where('t.id', 'in', [...nodeIds]))
  const below = outermost(nodes.map(({ key }) => String(key))).map((key) =>
    ctx.acrossOrganizations
      .selectFrom('assets_node as n')
      .innerJoin('assets_asset_nodes as m', 'm.node_id', 'n.id')
      .select('m.asset_id')
      .where(subtree(key, 'n.key')),
  )
  return (query: ListQuery): ListQuery =>
    query.where((eb) => eb.or([eb('t.id', 'in', [...assetIds]), ...below.map((members) => eb('t.id', 'in', members))]))
}

/** The assets and nodes of one automation, changed some at a time. Clients read errors in answers with status 200. */
export function targetRoutes({ automation, prefix, linked }: Parts): Route[] {
  const [view, change] = [requirement(automation, 'retrieve'), requirement(automation, 'update')]
  const rowOf = ({ ctx, request }: Handling) => rowBySegment(ctx, automation, request.params.id ?? '')

  /** Adds sent ids to the links, or takes them away; ids that cannot be targets are refused as in the form. */
  async function changeLinks(handling: Handling, field: TargetField, direction: Direction): Promise<unknown> {
    const { ctx, request } = handling
    const row = await rowOf(handling)
    const sent = objectOf(request.body)[field]
    const known = await linked(ctx, field, row.id)
    try {
      if (!Array.isArray(sent)) await updateOne(ctx, automation, row, { [field]: sent ?? '' }, true, {})
      else {
        const ids = sent.map((item) => normalUuid(keyOf(item)) ?? item)
        const wanted = direction === 'add' ? [...known, ...ids] : known.filter((id) => !ids.includes(id))
        await updateOne(ctx, automation, row, { [field]: [...new Set(wanted)] }, true, {})
      }
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) throw error
      return new Reply(200, { error: error.body(ctx.language) })
    }
    return { msg: 'ok' }
  }

  const links = (field: TargetField): Record<string, Field> => ({
    id: computed('string', {}),
    [field]: automation.fields[field] ?? many('assets.asset', { through: '', from: '', to: '' }),
  })
  const shown = async (handling: Handling, field: TargetField) => {
    const { id } = await rowOf(handling)
    return { id, [field]: await linked(handling.ctx, field, id) }
  }
  const maintained = (path: string, field: TargetField, directionOf: (handling: Handling) => Direction | undefined) => {
    const fields = { GET: links(field), PUT: links(field), PATCH: links(field) }
    return [
      defineRoute({
        method: 'GET',
        path: `${prefix}:id/${path}/`,
        requires: view,
        summary: `Ids of the ${field} of ${automation.path}`,
        fields,
        handle: (handling) => shown(handling, field),
      }),
      defineRoute({
        method: ['PUT', 'PATCH'],
        path: `${prefix}:id/${path}/`,
        requires: change,
        summary: `Change the ${field} of ${automation.path}`,
        fields,
        handle: (handling) => {
          const direction = directionOf(handling)
          if (!direction) throw failureAs(200, 'error', say(automationErrors.bad_target_action))
          return changeLinks(handling, field, direction)
        },
      }),
    ]
  }

  return [
    defineRoute({
      method: 'GET',
      path: `${prefix}:id/assets/`,
      requires: 'assets.view_asset',
      summary: `Assets of ${automation.path}, directly and below their nodes`,
      describes: asset.url,
      handle: async (handling) => {
        const { ctx, request } = handling
        const { id } = await rowOf(handling)
        const narrow = await targeted(ctx, await linked(ctx, 'assets', id), await linked(ctx, 'nodes', id))
        return listReply(ctx, asset, { ...request, query: { ...request.query, fields_size: 'mini' } }, narrow)
      },
    }),
    ...maintained('asset/add', 'assets', () => 'add'),
    ...maintained('asset/remove', 'assets', () => 'remove'),
    ...maintained('nodes', 'nodes', ({ request }) => {
      const { action } = request.query
      return action === 'add' || action === 'remove' ? action : undefined
    }),
  ]
}
