import { commandStorageTypes } from '@castellan/contract/choices/terminal'
import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import { countedPage } from '../../../kernel/daily-counts.ts'
import { countOf, filtered } from '../../../kernel/query.ts'
import { defineRoute } from '../../../kernel/route.ts'
import { command } from '../commands/command.ts'
import { commandStorage } from './storage.ts'

/** The tree beside the command list: every storage with its number of matching commands. */
export const storageTreeRoute = defineRoute({
  method: 'GET',
  path: `${commandStorage.url}tree/`,
  requires: 'terminal.view_commandstorage | terminal.view_command',
  describes: commandStorage.url,
  summary: 'Command storages as a tree with their amounts',
  async handle({ ctx, request }) {
    const rows = await ctx.unscoped
      .selectFrom(commandStorage.table)
      .select(['id', 'name', 'type'])
      .where('type', '!=', 'null')
      .orderBy('name')
      .execute()
    const { command_storage_id: _storage, real: _real, ...params } = request.query
    const counts = await countedPage(ctx, command, params, { limit: 1, offset: 0 })
    const amount = counts?.count ?? (await countOf(await filtered(ctx, command, params)))
    const nodes = rows.map(({ id, name, type }) => {
      const title = `${name}(${commandStorageTypes[type as 'server'][ctx.language]})`
      return { id, name: `${title}(${amount})`, title, pId: 'root', isParent: false, open: false, valid: true }
    })
    const name = texts.command_storages[ctx.language]
    return [...nodes, { id: 'root', name, title: name, pId: '', isParent: true, open: true }]
  },
})
