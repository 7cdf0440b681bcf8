import { systemOrgId } from '@castellan/contract/ids'
import { appletLogs } from '@castellan/contract/messages/applet-logs'
import { errors } from '@castellan/contract/messages/errors'
import type { StoredRow } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { failureAs, render, text } from '../../kernel/module/errors.ts'
import { recordAction } from '../../kernel/resource/changes.ts'
import { account as accountResource, secretToSend, secretTypeWire } from '../accounts/index.ts'
import { activeApplets, chooseHost, releaseAccount, takeAccount } from '../applets/index.ts'
import { asset as assetResource, domainOf, platformsById, protocolsOf } from '../assets/index.ts'
import { gatewaysOf } from './gateway-choice.ts'
import { standingOf } from './lifetime.ts'
import { isExpired, type TokenRow } from './token.ts'

/** The lines of an RDP file that start an application instead of a desktop. */
function remoteAppLines(token: TokenRow, applet: { name: string }): StoredRow {
  const what = { app_name: applet.name, user_id: token.user_id, asset_id: token.asset_id, token_id: token.id }
  const program = '||tinker'
  return {
    'remoteapplicationmode:i': '1',
    'remoteapplicationprogram:s': program,
    'remoteapplicationname:s': program,
    'alternate shell:s': program,
    'remoteapplicationcmdline:s': Buffer.from(JSON.stringify(what)).toString('base64'),
    'disableconnectionsharing:i': '1',
  }
}

/**
 * The host and the account on it with which a component runs the application of a token. The account stays locked until
 * it is released. Throws 400 when nothing is free, and 403 when the token is no longer valid.
 */
export async function appletOption(ctx: Context, token: TokenRow): Promise<StoredRow> {
  if (isExpired(token)) throw failureAs(400, 'error', text(errors.token_invalid))
  const { user, caller } = await standingOf(ctx, token)
  const applet = (await activeApplets(ctx)).find(
    ({ name, protocols }) => name === token.connect_method && protocols.includes(token.protocol),
  )
  if (!applet) throw failureAs(400, 'error', text(appletLogs.not_an_applet, { method: token.connect_method }))
  const place = ctx.inOrg(systemOrgId)
  const wish = { applet, userId: user.id, assetId: token.asset_id ?? '' }
  const chosen = await chooseHost(place, wish)
  const row = await takeAccount(place, chosen, { applet, user, holder: ctx.me.id })
  const acting = place.actingFor(caller)
  const secret = await secretToSend(acting, row, 'rdp')
  const host = chosen.asset
  await recordAction(acting, accountResource, 'connect', row, {
    asset: assetResource.displayOf(host),
    component: ctx.me.name,
    connection_token: token.id,
  })
  const domain = await domainOf(place, host)
  const gateways = domain
    ? await gatewaysOf(acting, { ...domain, org_id: host.org_id }, { everyOne: false, opened: [] })
    : []
  const platform = (await platformsById(place)).get(host.platform_id)
  return {
    id: row.id,
    applet: { id: applet.id, name: applet.name },
    host: {
      id: host.id,
      name: host.name,
      address: host.address,
      protocols: (await protocolsOf(place, [host.id])).get(host.id) ?? [],
      category: host.category,
      type: platform?.type ?? host.type,
      org_id: host.org_id,
      info: {},
      secret_info: {},
      spec_info: {},
    },
    account: {
      id: row.id,
      name: row.name,
      username: row.username,
      secret_type: secretTypeWire(ctx, row.secret_type),
      secret,
      su_from: null,
      privileged: row.privileged,
    },
    gateway: gateways[0] ?? null,
    remote_app_option: remoteAppLines(token, applet),
  }
}

/** Frees an account that this component was given. Throws 400 when it holds none of this id. */
export async function releaseAppletAccount(ctx: Context, id: string): Promise<StoredRow> {
  if (!(await releaseAccount(ctx, id, ctx.me.id))) throw failureAs(400, 'error', text(appletLogs.account_not_held))
  return { msg: render(text(appletLogs.account_released), ctx.language) }
}

/** The application of a token's connect method as components are told; undefined when it is none. */
export async function appletMethodOf(ctx: Context, name: string): Promise<StoredRow | undefined> {
  const found = (await activeApplets(ctx)).find((one) => one.name === name)
  return found && { value: found.name, label: found.display_name, type: 'applet', component: 'tinker' }
}
