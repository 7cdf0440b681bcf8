import { riskLevels } from '@castellan/contract/choices/terminal'
import { normalUuid, type StoredRow } from '../../../kernel/fields/index.ts'
import { parseTimestamp } from '../../../kernel/fields/timestamps.ts'
import { exportReply } from '../../../kernel/files/export.ts'
import { defineRoute, type Handling, type Params } from '../../../kernel/http/route.ts'
import { type Pageable, pagedReply } from '../../../kernel/lists/paging.ts'
import { countOf, filtered, type ListQuery, ordered, type Page, selectedIds } from '../../../kernel/lists/query.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { badRequest, notFound } from '../../../kernel/module/errors.ts'
import { nameOf } from '../../../kernel/module/texts.ts'
import { decoded } from '../../../kernel/resource/repository.ts'
import { listReply } from '../../../kernel/resource/resource-routes.ts'
import { chosenFields, serialize } from '../../../kernel/resource/serialize.ts'
import { type CommandStorageRow, commandStorages, searchDetails } from '../storage/command-storages.ts'
import { commandStorage } from '../storage/storage.ts'
import { type CommandQuery, findCommandsIn, mostResults } from '../storage/stores/command-index.ts'
import { failureOf } from '../storage/stores/object-store.ts'
import { command } from './command.ts'

/** Milliseconds that a storage may take for one list. */
const patience = 10_000

const nothing = (query: ListQuery) => query.where('t.id', '=', '')

/** The list's parameters for a storage outside of the server, in the organization of the caller. */
export function commandQuery(ctx: Context, params: Params): CommandQuery {
  const at = (value: string | undefined) => {
    const timestamp = parseTimestamp(value ?? '', ctx.zone)
    return timestamp === undefined ? undefined : Math.floor(timestamp / 1000)
  }
  const risk = Number(params.risk_level)
  const [order = ''] = (params.order ?? '').split(',')
  return {
    org_id: ctx.isRootOrg ? undefined : ctx.orgId,
    session: params.session_id || params.session,
    asset: params.asset,
    account: params.account,
    user: params.user,
    input: params.input,
    search: params.search,
    risk_level: params.risk_level && Number.isInteger(risk) ? risk : undefined,
    from: at(params.date_from),
    to: at(params.date_to),
    order: {
      by: order.replace('-', '') === 'risk_level' ? 'risk_level' : 'timestamp',
      descending: !['timestamp', 'risk_level'].includes(order),
    },
  }
}

/** Rows of one place, in the order of the list. */
interface Source {
  count(): Promise<number>
  rows(page: Page): Promise<StoredRow[]>
}

function sourceOf(ctx: Context, storage: CommandStorageRow, query: CommandQuery): Source {
  const find = (page: Page) => findCommandsIn(searchDetails(ctx, storage), query, page, AbortSignal.timeout(patience))
  return {
    count: async () => (await find({ offset: 0, limit: 0 })).count,
    rows: async (page) =>
      (await find(page)).rows
        // A session's facts are looked up by its id.
        .filter(({ session }) => normalUuid(session) !== undefined)
        .map((row) => ({ ...row, risk_level: row.risk_level in riskLevels ? row.risk_level : 0 })),
  }
}

async function serverSource(ctx: Context, params: Params): Promise<Source> {
  const query = await filtered(ctx, command, params)
  return {
    count: () => countOf(query),
    rows: async ({ offset, limit }) => {
      const rows = await ordered(query, command, params).limit(limit).offset(offset).execute()
      return rows.map((row) => decoded(command, row))
    },
  }
}

/** A storage that cannot be asked has no commands, as the others have. */
const reachable = (source: Source): Source => ({
  count: () => source.count().catch(() => 0),
  rows: (page) => source.rows(page).catch(() => []),
})

/** Several sources as one list. Pages end where those of a search server do. */
function merged(sources: readonly Source[], { by, descending }: CommandQuery['order']): Source {
  return {
    count: async () => (await Promise.all(sources.map((source) => source.count()))).reduce((sum, one) => sum + one, 0),
    async rows({ offset, limit }) {
      const first = { offset: 0, limit: Math.min(offset + limit, mostResults) }
      const found = (await Promise.all(sources.map((source) => source.rows(first)))).flat()
      const direction = descending ? -1 : 1
      const compared = (one: StoredRow, other: StoredRow) =>
        Number(one[by]) - Number(other[by]) || (String(one.id) < String(other.id) ? -1 : 1)
      return found.sort((one, other) => direction * compared(one, other)).slice(offset, offset + limit)
    },
  }
}

async function answerFrom(source: Source, { ctx, request }: Handling): Promise<unknown> {
  const everything = { offset: 0, limit: mostResults }
  const fields = chosenFields(ctx, command, request.query)
  const list: Pageable = {
    count: () => source.count(),
    rows: async (page) => serialize(ctx, command, await source.rows(page ?? everything), fields),
  }
  const isFile = Boolean(request.query.format) && request.query.format !== 'json'
  if (!isFile) return pagedReply(ctx, request, list)
  const { spm, ...params } = request.query
  const chosen = spm ? new Set(await selectedIds(ctx, spm)) : undefined
  const rows = (await source.rows(everything)).filter(({ id }) => chosen?.has(String(id)) ?? true)
  return exportReply(ctx, command, { ...request, query: params }, () => pagedReply(ctx, request, list), rows)
}

/** The list of the server's own commands, or an empty one. */
function ownList({ ctx, request }: Handling, isNamed: boolean): Promise<unknown> {
  // The storage is not a column.
  const query = { ...request.query, ...(isNamed ? {} : { session: '-' }) }
  return exportReply(ctx, command, { ...request, query }, () =>
    listReply(ctx, command, request, isNamed ? undefined : nothing),
  )
}

async function listCommands(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const { command_storage_id: wanted, ...params } = request.query
  const external = await commandStorages(ctx)
  const query = commandQuery(ctx, params)
  if (!wanted) {
    if (!params.session_id || external.length === 0) return ownList(handling, Boolean(params.session_id))
    const others = external.map((storage) => reachable(sourceOf(ctx, storage, query)))
    return answerFrom(merged([await serverSource(ctx, params), ...others], query.order), handling)
  }
  const id = normalUuid(wanted)
  const row = id
    ? await ctx.rawDb.selectFrom(commandStorage.table).select('type').where('id', '=', id).executeTakeFirst()
    : undefined
  if (!row) throw notFound(nameOf(commandStorage))
  const found = external.find((storage) => storage.id === id)
  if (!found) return ownList(handling, row.type === 'server')
  try {
    return await answerFrom(sourceOf(ctx, found, query), handling)
  } catch (error) {
    throw badRequest(failureOf(error, found.name).text(ctx.language), 'storage_invalid')
  }
}

export const commandListRoute = defineRoute({
  method: 'GET',
  path: command.url,
  listed: true,
  requires: 'terminal.view_command',
  summary: 'Commands of a session or of a storage',
  handle: listCommands,
})
