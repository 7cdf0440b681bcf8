import { storageMessages as texts } from '@castellan/contract/messages/storages'
import { terminalMessages } from '@castellan/contract/messages/terminal'
import { created } from '../../../kernel/http/route.ts'
import { failureAs, text as say } from '../../../kernel/module/errors.ts'
import { actionRoutes } from '../../../kernel/resource/resource-routes.ts'
import { moveCommands } from '../commands/move-commands.ts'
import { type CommandStorageRow, searchDetails } from './command-storages.ts'
import { moveFiles } from './move-files.ts'
import { type FileStorage, testStore } from './open-store.ts'
import { commandStorage, replayStorage } from './storage.ts'
import { isExternal } from './storage-details.ts'
import { testIndex } from './stores/command-index.ts'
import { failureOf } from './stores/object-store.ts'

/** Time a test may take. Milliseconds. */
const patience = 20_000

/** Calls on storages that their declarations must not import. */
export const storageRoutes = [
  ...actionRoutes(replayStorage, [
    {
      path: 'test-connective',
      methods: ['GET'],
      detail: true,
      requires: 'terminal.view_replaystorage',
      summary: 'Test a recording storage by storing, reading and deleting an object',
      transaction: 'none',
      async handle({ ctx, row }) {
        try {
          if (isExternal('replay', row.type))
            await testStore(ctx, row as unknown as FileStorage, AbortSignal.timeout(patience))
        } catch (error) {
          return { is_valid: false, msg: failureOf(error, row.name).text(ctx.language) }
        }
        return { is_valid: true, msg: terminalMessages.storage_reached[ctx.language] }
      },
    },
    {
      path: 'migrate',
      methods: ['POST'],
      detail: true,
      requires: 'terminal.change_replaystorage',
      summary: 'Move all recordings and files to this storage, as a task',
      statuses: [201],
      withoutBody: true,
      async handle({ ctx, row }) {
        if (row.type === 'null') throw failureAs(400, 'msg', say(texts.no_files))
        const payload = { storage: row.id }
        const creator = ctx.me.id
        return created({ task: await ctx.enqueue(moveFiles, payload, { uniqueKey: moveFiles.name, creator }) })
      },
    },
  ]),
  ...actionRoutes(commandStorage, [
    {
      path: 'test-connective',
      methods: ['GET'],
      detail: true,
      requires: 'terminal.view_commandstorage',
      summary: 'Test a command storage by asking it, and making its index',
      transaction: 'none',
      async handle({ ctx, row }) {
        try {
          if (isExternal('command', row.type))
            await testIndex(searchDetails(ctx, row as unknown as CommandStorageRow), AbortSignal.timeout(patience))
        } catch (error) {
          return { is_valid: false, msg: failureOf(error, row.name).text(ctx.language) }
        }
        return { is_valid: true, msg: terminalMessages.storage_reached[ctx.language] }
      },
    },
    {
      path: 'migrate',
      methods: ['POST'],
      detail: true,
      requires: 'terminal.change_commandstorage',
      summary: 'Move the commands in the database to this storage, as a task',
      statuses: [201],
      withoutBody: true,
      async handle({ ctx, row }) {
        if (!isExternal('command', row.type)) throw failureAs(400, 'msg', say(texts.no_commands))
        const payload = { storage: row.id }
        const creator = ctx.me.id
        return created({ task: await ctx.enqueue(moveCommands, payload, { uniqueKey: moveCommands.name, creator }) })
      },
    },
  ]),
]
