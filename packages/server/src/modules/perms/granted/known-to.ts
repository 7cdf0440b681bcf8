import { contains } from '../../../db/search.ts'
import type { Context } from '../../../kernel/module/context.ts'
import type { ListQuery } from '../../../kernel/resource/resource.ts'
import type { GrantPort } from '../../assets/index.ts'
import { coveredNodes, grantedOnly, grantOf } from './granted-assets.ts'
import { treeOf } from './granted-tree.ts'

/** Rows visible to callers without the right to list them: their granted assets and the nodes of their tree. */
export const knownToCaller: GrantPort = {
  async assets(ctx: Context) {
    const grant = await grantOf(ctx, ctx.me.id)
    return (query: ListQuery) => grantedOnly(ctx, query, grant)
  },
  async nodes(ctx: Context) {
    const { grant, reach, shape } = await treeOf(ctx, ctx.me.id)
    const ids = [...shape.keys()].map((at) => reach.index.node(at).id)
    return (query: ListQuery) =>
      query.where((eb) => {
        const known = grant.granted.length > 0 ? [eb('t.id', 'in', coveredNodes(ctx, grant))] : []
        if (ids.length > 0) known.push(eb('t.id', 'in', ids))
        return eb.or(known)
      })
  },
  async naming(ctx: Context, protocol: string) {
    const row = await ctx.acrossOrganizations
      .selectFrom('perms_assetpermission as p')
      .select((eb) => eb.fn.countAll().as('n'))
      .where((eb) => contains(ctx.dialect, eb.ref('p.protocols'), JSON.stringify(protocol)))
      .executeTakeFirstOrThrow()
    return Number(row.n)
  },
}
