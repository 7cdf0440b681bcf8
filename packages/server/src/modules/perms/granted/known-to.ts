import type { Context } from '../../../kernel/context.ts'
import type { ListQuery } from '../../../kernel/resource.ts'
import type { GrantPort } from '../../assets/index.ts'
import { coveredNodes, grantedOnly, grantOf } from './granted-assets.ts'
import { treeOf } from './granted-tree.ts'

/** What callers may know of without the right to list it: the assets they are granted and the nodes of their tree. */
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
}
