import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import type { TableShape } from '../../../db/schema.ts'
import { defineRoute } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { failureAs, text as say } from '../../../kernel/module/errors.ts'
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

/** What stands in the table and may: of an asset that still is such a database, with a port of the range. */
const standing = (ctx: Context, range: readonly number[]) =>
  ctx.rawDb
    .selectFrom(`${listenPortTable.name} as p`)
    .innerJoin('assets_asset as a', 'a.id', 'p.asset_id')
    .select(['p.port as port', 'p.asset_id as asset_id'])
    .where('a.type', '=', 'oracle')
    .where('p.port', '>=', range[0] ?? 0)
    .where('p.port', '<=', range.at(-1) ?? -1)

/** The databases without a port, oldest first: as many as there can be ports. */
const withoutPort = async (ctx: Context, range: readonly number[]): Promise<string[]> => {
  const rows = await ctx.rawDb
    .selectFrom('assets_asset as a')
    .leftJoin(`${listenPortTable.name} as p`, 'p.asset_id', 'a.id')
    .select('a.id as id')
    .where('a.type', '=', 'oracle')
    .where((where) =>
      where.or([
        where('p.port', 'is', null),
        where('p.port', '<', range[0] ?? 0),
        where('p.port', '>', range.at(-1) ?? -1),
      ]),
    )
    .orderBy('a.date_created')
    .orderBy('a.id')
    .limit(Math.max(range.length, 1))
    .execute()
  return rows.map(({ id }) => String(id))
}

/**
 * Gives a free port to each database that has none, as long as there are some. Two programs that do this at once get
 * different ports: the table refuses a port or a database that it has already, and the next port is tried.
 */
async function assignPorts(ctx: Context, range: readonly number[]): Promise<void> {
  const waiting = await withoutPort(ctx, range)
  if (waiting.length === 0 || (await standing(ctx, range).execute()).length >= range.length) return
  await ctx.transaction(async (inside) => {
    const { rawDb } = inside
    // What is left of databases that have become something else, or of another range.
    await rawDb
      .deleteFrom(listenPortTable.name)
      .where((where) =>
        where.or([
          where('port', '<', range[0] ?? 0),
          where('port', '>', range.at(-1) ?? -1),
          where('asset_id', 'not in', where.selectFrom('assets_asset').select('id').where('type', '=', 'oracle')),
        ]),
      )
      .execute()
    const taken = new Set((await standing(inside, range).execute()).map(({ port }) => Number(port)))
    const free = range.filter((port) => !taken.has(port))
    for (const asset_id of waiting) {
      const has = () =>
        rawDb.selectFrom(listenPortTable.name).select('port').where('asset_id', '=', asset_id).executeTakeFirst()
      while (free.length > 0 && !(await has()))
        await rawDb
          .insertInto(listenPortTable.name)
          .values({ port: free.shift() as number, asset_id })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
    }
  })
}

/** The ports of all Oracle databases, in all organizations. New ones get theirs. */
async function listenPorts(ctx: Context): Promise<number[]> {
  const range = assignable(ctx)
  await assignPorts(ctx, range)
  return (await standing(ctx, range).orderBy('p.port').execute()).map(({ port }) => Number(port))
}

/** The port on which a component listens for an asset, which gets one when it has none; 0 when there is none. */
export async function listenPortOf(ctx: Context, assetId: string): Promise<number> {
  const range = assignable(ctx)
  const find = async () =>
    Number((await standing(ctx, range).where('p.asset_id', '=', assetId).executeTakeFirst())?.port ?? 0)
  const known = await find()
  if (known !== 0) return known
  await assignPorts(ctx, range)
  return find()
}

/** The id of the database behind a port. @throws ApiError 400 for what is no port, or is none of a database */
export async function assetBehindPort(ctx: Context, sent: string | undefined): Promise<string> {
  const port = Number(sent)
  const isPort = Number.isInteger(port) && port > 0 && port < 65_536
  if (!isPort) throw failureAs(400, 'error', say(texts.port_wrong))
  const found = await standing(ctx, assignable(ctx)).where('p.port', '=', port).executeTakeFirst()
  if (!found) throw failureAs(400, 'error', say(texts.port_unassigned, { port }))
  return String(found.asset_id)
}

export const listenPortsRoute = defineRoute({
  method: 'GET',
  path: listenPortsUrl,
  requires: 'assets.view_asset',
  summary: 'Ports on which components listen for databases',
  handle: ({ ctx }) => listenPorts(ctx),
})
