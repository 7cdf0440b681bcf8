import { commandStorageTypes, replayStorageTypes } from '@castellan/contract/choices/terminal'
import type { Message } from '@castellan/contract/messages'
import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import type { Context } from '../../../kernel/context.ts'
import { failureAs, text as say } from '../../../kernel/errors.ts'
import { boolean, booleanOf, choice, computed, type Field, json, longText, text } from '../../../kernel/fields/index.ts'
import { fieldsInfo } from '../../../kernel/metadata.ts'
import { insertRow } from '../../../kernel/repository.ts'
import { defineResource, type Filter } from '../../../kernel/resource.ts'
import { own } from '../../../kernel/safe-lookup.ts'
import { storageDetails } from './storage-details.ts'
import { type StorageKind, storageTable } from './storage-names.ts'

/** Types of storage that are implemented: none, and the server's own database and data folder. */
const offered = new Set(['null', 'server'])

const only =
  (wanted: string): Filter =>
  (_ctx, query, value) =>
    query.where(`t.${wanted}`, '=', value)

/** Details of an external storage. Both available types have none, so sent values are ignored. */
const metaField: Field = {
  ...computed('nested object', { wire: () => ({}), noExport: true }),
  readOnly: false,
  nullable: true,
  parse: json({ shape: 'object' }).parse ?? ((input) => input),
}

function storage<const C extends Readonly<Record<string, Message>>>(kind: StorageKind, types: C) {
  const resource = defineResource({
    app: 'terminal',
    name: `${kind}storage`,
    path: `${kind}-storages`,
    scope: 'global',
    wholeRows: true,
    bulk: false,
    imports: false,
    fields: {
      name: text({ max: 128, required: true, filter: true }),
      type: choice(types, { required: true, filter: true, offers: (_ctx, value) => offered.has(value) }),
      meta: {
        ...metaField,
        meta: (ctx, { type }) => {
          const details = own(storageDetails[kind], type ?? '')
          return { required: true, ...(details ? { children: fieldsInfo(ctx, 'terminal', details) } : {}) }
        },
      },
      is_default: boolean({ filter: true }),
      comment: longText(),
    },
    unique: [['name']],
    search: ['name', 'type'],
    defaultOrder: ['name'],
    orderable: [],
    filters: {
      ...(kind === 'command'
        ? { real: ((_ctx, query, value) => (booleanOf(value) ? query.where('t.name', '!=', 'null') : query)) as Filter }
        : { type_not: ((_ctx, query, value) => query.where('t.type', '!=', value)) as Filter }),
      name: only('name'),
    },
    hooks: {
      async afterSave(ctx, changes) {
        const chosen = changes.findLast((change) => change.row.is_default && change.values.is_default)
        if (!chosen) return
        await ctx.unscoped
          .updateTable(storageTable(kind))
          .set({ is_default: false })
          .where('id', '!=', chosen.row.id)
          .where('is_default', '=', true)
          .execute()
      },
      async beforeDelete(ctx, rows) {
        for (const row of rows) {
          if (row.name === 'null' || row.name === 'default') throw failureAs(400, 'msg', say(texts.storage_builtin))
          if (row.is_default) throw failureAs(400, 'msg', say(texts.storage_is_default))
          const user = await ctx.unscoped
            .selectFrom('terminal_terminal')
            .select('id')
            .where(`${kind}_storage`, '=', row.name)
            .where('is_deleted', '=', false)
            .executeTakeFirst()
          if (user) throw failureAs(400, 'msg', say(texts.storage_in_use))
        }
      },
    },
    actions: [
      {
        path: 'test-connective',
        methods: ['GET'],
        detail: true,
        requires: `terminal.view_${kind}storage`,
        summary: `Test a ${kind} storage`,
        // Both available types are the server itself.
        handle: ({ ctx }) => ({ is_valid: true, msg: texts.storage_reached[ctx.language] }),
      },
    ],
  })
  return resource
}

export const commandStorage = storage('command', commandStorageTypes)
export const replayStorage = storage('replay', replayStorageTypes)

const resources = { command: commandStorage, replay: replayStorage }

export async function seedStorages(ctx: Context): Promise<void> {
  for (const kind of ['command', 'replay'] as const)
    for (const [name, type] of [
      ['null', 'null'],
      ['default', 'server'],
    ]) {
      const known = await ctx.unscoped.selectFrom(storageTable(kind)).select('id').where('name', '=', name).execute()
      if (known.length === 0) await insertRow(ctx, resources[kind], { name, type, is_default: name === 'default' })
    }
}

/** The storage for new components: the chosen default, else the server's own. */
export async function defaultStorage(ctx: Context, kind: StorageKind): Promise<{ name: string; type: string }> {
  const rows = await ctx.unscoped.selectFrom(storageTable(kind)).select(['name', 'type', 'is_default']).execute()
  const found = rows.find((row) => Boolean(row.is_default)) ?? rows.find((row) => row.name === 'default') ?? rows[0]
  return found ? { name: found.name, type: found.type } : { name: 'default', type: 'server' }
}

/** The storage settings sent to a component; the server's own when the named one does not exist. */
export async function storageConfig(ctx: Context, kind: StorageKind, name: string): Promise<{ TYPE: string }> {
  const row = await ctx.unscoped
    .selectFrom(storageTable(kind))
    .select('type')
    .where('name', '=', name)
    .executeTakeFirst()
  return { TYPE: row?.type ?? 'server' }
}
