import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import { defineRoute } from '../../kernel/http/route.ts'
import { failureAs, text as say } from '../../kernel/module/errors.ts'
import { recordAction } from '../../kernel/resource/changes.ts'
import { findById } from '../../kernel/resource/repository.ts'
import { findResource } from '../../kernel/resource/resource.ts'
import { readableFields, serialize } from '../../kernel/resource/serialize.ts'
import { type AccountRow, account } from '../accounts/index.ts'
import { type AssetRow, asset, domainOf } from '../assets/index.ts'
import { assetBehindPort, componentOf, listenPortsUrl } from '../terminal/index.ts'
import { gatewaysOf } from './gateway-choice.ts'

/**
 * The database behind a port, for the component that listens there. Only that kind of component gets the gateway with
 * its secret, and each time is logged; users see the database as anywhere else.
 */
export const listenPortInfoRoute = defineRoute({
  method: 'GET',
  path: `${listenPortsUrl}db-info/`,
  requires: 'assets.view_asset',
  summary: 'The database behind a port',
  async handle({ ctx, request }) {
    const id = await assetBehindPort(ctx, request.query.port)
    const row = (await findById(ctx, asset, id)) as AssetRow | undefined
    // A database of another organization is none for the caller.
    if (!row) throw failureAs(400, 'error', say(texts.port_unassigned, { port: Number(request.query.port) }))
    const database = findResource('assets.database')
    const [shown] = await serialize(ctx, database, [row], readableFields(ctx, database))
    const isListener = (await componentOf(ctx))?.type === 'magnus'
    const domain = isListener ? await domainOf(ctx.acrossOrgs(), row) : undefined
    if (!domain) return { ...shown, gateway: null }
    const opened: AccountRow[] = []
    const place = { ...domain, org_id: row.org_id }
    const [gateway = null] = await gatewaysOf(ctx.acrossOrgs(), place, { everyOne: false, opened })
    await ctx.transaction(async (inside) => {
      for (const one of opened) await recordAction(inside, account, 'connect', one, { asset: asset.displayOf(row) })
    })
    return { ...shown, gateway }
  },
})
