import { normalUuid } from '../../kernel/fields/index.ts'
import { defineRoute, type Handling } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { notFound, permissionDenied } from '../../kernel/module/errors.ts'
import { nameOf } from '../../kernel/module/texts.ts'
import { updateRow } from '../../kernel/resource/repository.ts'
import { accessTo, grantsRight, lazyTree, type Subject, userOfPath } from '../perms/index.ts'
import { expiryOf } from './lifetime.ts'
import { connectionToken, isExpired, type TokenRow } from './token.ts'

const unknown = () => notFound(nameOf(connectionToken))

/**
 * A user's token for a cluster, extended while its tree is viewed. 404 when it is another user's, 403 when it has
 * expired.
 */
async function usedToken(ctx: Context, user: Subject, sent: string): Promise<TokenRow> {
  const id = normalUuid(sent)
  const found = id
    ? await ctx.rawDb.selectFrom(connectionToken.table).selectAll().where('id', '=', id).executeTakeFirst()
    : undefined
  const token = found && (connectionToken.decode(found) as TokenRow)
  if (!token || token.user_id !== user.id) throw unknown()
  if (isExpired(token)) throw permissionDenied()
  await ctx.transaction((inside) =>
    updateRow(inside, connectionToken, token.id, { date_expired: expiryOf(inside, token.is_reusable) }),
  )
  return token
}

/** Throws 404 unless there is a credential for the cluster: a typed one, or a granted account's secret. */
async function demandSecret(ctx: Context, user: Subject, token: TokenRow): Promise<void> {
  if (token.account === '@INPUT' || token.account === '@USER') {
    if (!token.input_secret) throw unknown()
    return
  }
  const access = await accessTo(ctx, user, token.asset_id ?? '')
  if (!access?.accounts.some((one) => one.account?.name === token.account && one.account.secret)) throw unknown()
}

/**
 * The tree of a cluster to connect to. Levels are empty when the cluster does not answer, and always while no component
 * supports clusters: only the cluster itself is shown. Without a token it is the tree of nodes.
 */
async function clusterTree(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  if (!request.query.token) return lazyTree(handling, false)
  const user = await userOfPath(handling)
  const token = await usedToken(ctx, user, request.query.token)
  await demandSecret(ctx, user, token)
  const asset = await ctx.acrossOrganizations
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
  summary: 'The tree of a cluster to connect to; without a token, one level of the user’s nodes',
  handle: clusterTree,
})
