import type { Context } from '../../kernel/context.ts'
import { notFound, permissionDenied } from '../../kernel/errors.ts'
import { normalUuid } from '../../kernel/fields/index.ts'
import { updateRow } from '../../kernel/repository.ts'
import { defineRoute, type Handling } from '../../kernel/route.ts'
import { nameOf } from '../../kernel/texts.ts'
import { accessTo, grantsRight, lazyTree, personOf, type Subject } from '../perms/index.ts'
import { expiryOf } from './lifetime.ts'
import { connectionToken, isExpired, type TokenRow } from './token.ts'

const unknown = () => notFound(nameOf(connectionToken))

/** A person's token for a cluster, which lives on while its tree is looked at. 404 when it is not theirs, 403 when it is over. */
async function usedToken(ctx: Context, person: Subject, sent: string): Promise<TokenRow> {
  const id = normalUuid(sent)
  const found = id
    ? await ctx.unscoped.selectFrom(connectionToken.table).selectAll().where('id', '=', id).executeTakeFirst()
    : undefined
  const token = found && (connectionToken.decode(found) as TokenRow)
  if (!token || token.user_id !== person.id) throw unknown()
  if (isExpired(token)) throw permissionDenied()
  await ctx.transaction((inside) =>
    updateRow(inside, connectionToken, token.id, { date_expired: expiryOf(inside, token.is_reusable) }),
  )
  return token
}

/** Throws 404 unless there is something to sign in to the cluster with: what was typed, or a granted account's secret. */
async function demandSecret(ctx: Context, person: Subject, token: TokenRow): Promise<void> {
  if (token.account === '@INPUT' || token.account === '@USER') {
    if (!token.input_secret) throw unknown()
    return
  }
  const access = await accessTo(ctx, person, token.asset_id ?? '')
  if (!access?.accounts.some((one) => one.account?.name === token.account && one.account.secret)) throw unknown()
}

/**
 * The tree of a cluster that somebody connects to. A cluster that does not answer has empty levels, and
 * so has every one as long as no component of ours speaks with clusters: what is shown is the cluster itself. Without a
 * token it is the tree of nodes.
 */
async function clusterTree(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  if (!request.query.token) return lazyTree(handling, false)
  const person = await personOf(handling)
  const token = await usedToken(ctx, person, request.query.token)
  await demandSecret(ctx, person, token)
  const asset = await ctx.unscoped
    .selectFrom('assets_asset')
    .select(['id', 'name', 'address'])
    .where('id', '=', token.asset_id)
    .executeTakeFirst()
  if (!asset) throw unknown()
  if (request.query.key) return []
  const name = `${asset.name}(${asset.address})`
  return [
    {
      id: asset.id,
      name,
      title: name,
      pId: asset.id,
      isParent: true,
      open: true,
      iconSkin: 'k8s',
      meta: { type: 'k8s', data: { category: 'cloud', type: 'k8s', identity: 'asset' } },
    },
  ]
}

export const clusterTreeRoute = defineRoute({
  method: 'GET',
  path: '/api/v1/perms/users/:user/nodes/children-with-k8s/tree/',
  requires: grantsRight,
  refusesOthers: true,
  summary: 'The tree of a cluster that somebody connects to; without a token, one level of their nodes',
  handle: clusterTree,
})
