import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import type { TableShape } from '../../../db/schema.ts'
import { defineRoute } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { failureAs, text as say } from '../../../kernel/module/errors.ts'
import { findAll } from '../../../kernel/resource/repository.ts'
import { findResource } from '../../../kernel/resource/resource.ts'
import { componentOptions } from '../settings.ts'

/** Ports of the native front end of databases, one for each Oracle database, whose clients cannot name it otherwise. */
export const listenPortTable: TableShape = {
  name: 'terminal_listenport',
  columns: {
    port: { type: 'integer' },
    asset_id: { type: 'uuid', references: 'assets_asset.id', onDelete: 'cascade' },
  },
  primaryKey: ['port'],
  unique: [['asset_id']],
  indexes: [],
}

export const listenPortsUrl = '/api/v1/terminal/db-listen-ports/'

/** The ports that may be assigned; none when the range is none. */
function assignable(ctx: Context): number[] {
  const [, first, last] = /^\s*(\d{1,5})\s*-\s*(\d{1,5})\s*$/.exec(componentOptions.of(ctx).MAGNUS_ORACLE_PORTS) ?? []
  const [from, to] = [Number(first), Math.min(Number(last), 65_535)]
  return first && from > 0 && to >= from ? Array.from({ length: to - from + 1 }, (_, index) => from + index) : []
}

const assigned = async (ctx: Context): Promise<Map<string, number>> => {
  const rows = await ctx.rawDb.selectFrom(listenPortTable.name).selectAll().execute()
  return new Map(rows.map(({ asset_id, port }) => [String(asset_id), Number(port)]))
}

/** The port of each Oracle database, in all organizations. New ones get a free port, as long as there are some. */
export async function listenPorts(ctx: Context): Promise<Map<string, number>> {
  const assets = await findAll(ctx.acrossOrgs(), findResource('assets.asset'), (query) =>
    query.where('t.type', '=', 'oracle').orderBy('t.date_created').orderBy('t.id'),
  )
  const range = assignable(ctx)
  const known = await assigned(ctx)
  const [allowed, isOracle] = [new Set(range), new Set(assets.map(({ id }) => id))]
  const isRight = ([asset, port]: [string, number]) => isOracle.has(asset) && allowed.has(port)
  if (known.size === Math.min(assets.length, range.length) && [...known].every(isRight)) return known
  return ctx.transaction(async (inside) => {
    const { rawDb } = inside
    const before = await assigned(inside)
    const wrong = [...before].filter((one) => !isRight(one))
    for (const [asset] of wrong) {
      await rawDb.deleteFrom(listenPortTable.name).where('asset_id', '=', asset).execute()
      before.delete(asset)
    }
    const taken = new Set(before.values())
    const free = range.filter((port) => !taken.has(port))
    for (const { id } of assets) {
      const port = before.has(id) ? undefined : free.shift()
      if (port === undefined) continue
      await rawDb
        .insertInto(listenPortTable.name)
        .values({ port, asset_id: id })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    return assigned(inside)
  })
}

/** The port on which a component listens for an asset; 0 when there is none. */
export const listenPortOf = async (ctx: Context, assetId: string): Promise<number> =>
  (await listenPorts(ctx)).get(assetId) ?? 0

/** The id of the database behind a port. @throws ApiError 400 for what is no port, or is none of a database */
export async function assetBehindPort(ctx: Context, sent: string | undefined): Promise<string> {
  const port = Number(sent)
  const isPort = Number.isInteger(port) && port > 0 && port < 65_536
  if (!isPort) throw failureAs(400, 'error', say(texts.port_wrong))
  const found = [...(await listenPorts(ctx))].find(([, one]) => one === port)
  if (!found) throw failureAs(400, 'error', say(texts.port_unassigned, { port }))
  return found[0]
}

export const listenPortsRoute = defineRoute({
  method: 'GET',
  path: listenPortsUrl,
  requires: 'assets.view_asset',
  summary: 'Ports on which components listen for databases',
  handle: async ({ ctx }) => [...(await listenPorts(ctx)).values()].sort((one, other) => one - other),
})
