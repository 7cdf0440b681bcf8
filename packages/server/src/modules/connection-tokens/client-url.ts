import { authenticationMessages } from '@castellan/contract/messages/authentication'
import { localStamp } from '../../kernel/fields/timestamps.ts'
import type { Context } from '../../kernel/module/context.ts'
import { failureAs, text } from '../../kernel/module/errors.ts'
import { findById } from '../../kernel/resource/repository.ts'
import type { AssetRow } from '../assets/index.ts'
import { asset as assetResource, shownDetails } from '../assets/index.ts'
import { connectMethod, endpointFor } from '../terminal/index.ts'
import { standingOf } from './lifetime.ts'
import type { TokenRow } from './token.ts'

/** `YYYY-MM-DD_HH:MM:SS` in the caller's zone. */
const stamp = (ctx: Context) => localStamp(ctx.now, ctx.zone).replace(' ', '_')

/** The URL with which a local client opens the connection of a token: `jms://` and base64 JSON. */
export async function clientUrl(ctx: Context, token: TokenRow, origin: string): Promise<{ url: string }> {
  const { account } = (await standingOf(ctx, token)).use
  const asset = (await findById(ctx.acrossOrgs(), assetResource, token.asset_id)) as AssetRow
  const method = connectMethod(ctx, token.protocol, token.connect_method)
  // Remote desktop files need a component that this installation does not have.
  if (!method || token.connect_method === 'mstsc')
    throw failureAs(400, 'error', text(authenticationMessages.method_unsupported))
  const value = token.value ? ctx.services.vault.open(token.value) : ''
  const who = token.input_username || account.account?.username || account.alias
  const name = `${who}@${asset.name}[${stamp(ctx)}]`.replace(/[/\\.]/g, '_')
  const facts = {
    version: 2,
    id: token.id,
    value,
    token: { id: token.id, value },
    name: encodeURIComponent(name),
    protocol: token.protocol,
    file: {},
    command: '',
    asset: {
      id: asset.id,
      category: asset.category,
      type: asset.type,
      name: asset.name,
      address: asset.address,
      info: shownDetails(asset),
    },
    endpoint: await endpointFor(
      ctx.acrossOrgs(),
      token.protocol,
      { assetId: asset.id, address: asset.address },
      origin,
    ),
  }
  return { url: `jms://${Buffer.from(JSON.stringify(facts)).toString('base64')}` }
}
