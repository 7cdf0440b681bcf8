import { commandStorageTypes } from '@castellan/contract/choices/terminal'
import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import type { StoredRow } from '../../../kernel/fields/index.ts'
import { defineRoute, type Params } from '../../../kernel/http/route.ts'
import { countedPage } from '../../../kernel/lists/daily-counts.ts'
import { countOf, filtered } from '../../../kernel/lists/query.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { command } from '../commands/command.ts'
import { commandQuery } from '../commands/command-list.ts'
import { type CommandStorageRow, commandStorages, searchDetails } from './command-storages.ts'
import { commandStorage } from './storage.ts'
import { findCommandsIn } from './stores/command-index.ts'

const patience = 5_000

/** How many commands at a storage match; undefined when it cannot be asked. */
async function amountAt(ctx: Context, storage: CommandStorageRow, params: Params): Promise<number | undefined> {
  const signal = AbortSignal.timeout(patience)
  const query = commandQuery(ctx, params)
  return findCommandsIn(searchDetails(ctx, storage), query, { offset: 0, limit: 0 }, signal).then(
    ({ count }) => count,
    () => undefined,
  )
}

/** The tree beside the command list: every storage with its number of matching commands. */
export const storageTreeRoute = defineRoute({
  method: 'GET',
  path: `${commandStorage.url}tree/`,
  requires: 'terminal.view_commandstorage | terminal.view_command',
  describes: commandStorage.url,
  summary: 'Command storages as a tree with their amounts',
  async handle({ ctx, request }) {
    const rows = await ctx.rawDb
      .selectFrom(commandStorage.table)
      .select(['id', 'name', 'type'])
      .where('type', '!=', 'null')
      .orderBy('name')
      .execute()
    const { command_storage_id: _storage, real: _real, ...params } = request.query
    const counts = await countedPage(ctx, command, params, { limit: 1, offset: 0 })
    const amount = counts?.count ?? (await countOf(await filtered(ctx, command, params)))
    const external = new Map((await commandStorages(ctx)).map((storage) => [storage.id, storage]))
    const nodeOf = async ({ id, name, type }: StoredRow) => {
      const title = `${name}(${commandStorageTypes[type as 'server'][ctx.language]})`
      const storage = external.get(String(id))
      const count = storage ? await amountAt(ctx, storage, params) : amount
      const shown = count ?? texts.storage_unreachable[ctx.language]
      const valid = count !== undefined
      return { id, name: `${title}(${shown})`, title, pId: 'root', isParent: false, open: false, valid }
    }
    const nodes = await Promise.all(rows.map(nodeOf))
    const name = texts.command_storages[ctx.language]
    return [...nodes, { id: 'root', name, title: name, pId: '', isParent: true, open: true }]
  },
})
