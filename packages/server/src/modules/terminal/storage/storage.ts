import { commandStorageTypes, replayStorageTypes } from '@castellan/contract/choices/terminal'
import type { Message } from '@castellan/contract/messages'
import { storageMessages as storageTexts } from '@castellan/contract/messages/storages'
import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import {
  boolean,
  booleanOf,
  choice,
  computed,
  type Field,
  json,
  longText,
  normalUuid,
  type StoredRow,
  text,
} from '../../../kernel/fields/index.ts'
import { isObject, objectOf, own } from '../../../kernel/fields/safe-lookup.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { badRequest, failureAs, Rejected, text as say } from '../../../kernel/module/errors.ts'
import { fieldsInfo } from '../../../kernel/resource/metadata.ts'
import { insertRow } from '../../../kernel/resource/repository.ts'
import { defineResource, type Filter } from '../../../kernel/resource/resource.ts'
import { attributesToStore, openedAttributes, shownAttributes } from '../../../kernel/resource/sealed-attributes.ts'
import { searchDetails } from './command-storages.ts'
import { hostPasswords, maskedHosts, withPasswordsApart } from './search-hosts.ts'
import { isExternal, storageAttributes, storageDetails } from './storage-details.ts'
import { type StorageKind, storageTable } from './storage-names.ts'
import { heldBy, loadProblems, loadWaiting } from './storage-state.ts'
import { testIndex } from './stores/command-index.ts'
import { failureOf } from './stores/object-store.ts'
import type { SearchDetails } from './stores/search-server.ts'

const only =
  (wanted: string): Filter =>
  (_ctx, query, value) =>
    query.where(`t.${wanted}`, '=', value)

const isBuiltIn = (name: unknown) => name === 'null' || name === 'default'

function shownMeta(kind: StorageKind, type: string, value: unknown): StoredRow {
  const { fields } = storageAttributes(kind, type)
  const shown = shownAttributes(fields, value)
  return hostPasswords in fields ? { ...shown, HOSTS: maskedHosts(shown.HOSTS) } : shown
}

/** Details of an external storage, by its type. */
const metaField = (kind: StorageKind): Field<StoredRow, 'own'> => ({
  ...json<StoredRow>({ nullable: true, default: {}, shape: 'object' }),
  type: 'nested object',
  noExport: true,
  loggedByEntry: true,
  wire: (value, _ctx, { type }) => shownMeta(kind, String(type), value),
  meta: (ctx, { type, pk }) => {
    const details = Object.entries(own(storageDetails[kind], type ?? '') ?? {}).filter(
      ([, field]) => !field.undescribed,
    )
    // A stored secret stays when nothing is sent.
    const described = details.map(([name, field]): [string, Field] => [
      name,
      pk && field.secret ? { ...field, required: false } : field,
    ])
    return {
      required: true,
      ...(details.length > 0 ? { children: fieldsInfo(ctx, 'terminal', Object.fromEntries(described)) } : {}),
    }
  },
})

/** What is sent for the details, with what is stored for those that are not sent. */
function sentMeta(ctx: Context, kind: StorageKind, type: string, input: unknown, before: unknown): unknown {
  if (!isObject(input)) return input
  const set = storageAttributes(kind, type)
  const sent = { ...shownMeta(kind, type, before), ...input }
  if (!(hostPasswords in set.fields)) return sent
  const stored = openedAttributes(ctx, set, before)
  // Whoever ends the verification of certificates would have them sent to anybody in between.
  const isLaxer = booleanOf(sent.IGNORE_VERIFY_CERTS) === true && stored.IGNORE_VERIFY_CERTS !== true
  return withPasswordsApart(sent, isLaxer ? '' : String(stored[hostPasswords] ?? ''))
}

/** A choice is sent as its value, or as it is shown. */
const choiceOf = (sent: unknown) => (isObject(sent) ? sent.value : sent)

/** Milliseconds that a search server has to answer before its storage is saved. */
const probePatience = 3_000

/**
 * A search server must answer before its storage is saved, as the contract wants it: 400 `invalid_elasticsearch`. Saved,
 * it may be away, and its commands wait. A body that is wrong is left to the validation.
 */
async function demandSearchServer(
  ctx: Context,
  body: unknown,
  { before, query }: { before?: StoredRow; query: Readonly<Record<string, string>> },
): Promise<void> {
  const type = String(before ? before.type : (choiceOf(objectOf(body).type) ?? query.type))
  const { meta } = objectOf(body)
  if (!isObject(meta) || !isExternal('command', type)) return
  let details: SearchDetails
  try {
    const set = storageAttributes('command', type)
    const stored = objectOf(before?.meta)
    const toStore = attributesToStore(ctx, set, sentMeta(ctx, 'command', type, meta, stored), before && stored)
    details = searchDetails(ctx, { id: '', name: '', type, meta: toStore })
  } catch (error) {
    if (error instanceof Rejected) return
    throw error
  }
  try {
    await testIndex(details, AbortSignal.timeout(probePatience))
  } catch (error) {
    const [host] = details.HOSTS
    const failure = failureOf(error, host ? new URL(host).host : '-')
    throw badRequest(failure.text(ctx.language), 'invalid_elasticsearch')
  }
}

function storage<const C extends Readonly<Record<string, Message>>>(kind: StorageKind, types: C) {
  return defineResource({
    app: 'terminal',
    name: `${kind}storage`,
    path: `${kind}-storages`,
    scope: 'global',
    wholeRows: true,
    bulk: false,
    imports: false,
    fields: {
      name: text({ max: 128, required: true, filter: true }),
      type: choice(types, { required: true, filter: true }),
      meta: metaField(kind),
      is_default: boolean({ filter: true }),
      comment: longText(),
      waiting: { ...computed('integer', { load: (ctx) => loadWaiting(ctx, kind) }), undescribed: true },
      problem: { ...computed('string', { load: (ctx) => loadProblems(ctx, kind) }), undescribed: true },
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
    async describing(ctx, params) {
      const id = normalUuid(params.pk)
      const row = id
        ? await ctx.rawDb.selectFrom(storageTable(kind)).select('type').where('id', '=', id).executeTakeFirst()
        : undefined
      return row ? { ...params, type: row.type } : params
    },
    hooks: {
      ...(kind === 'command' ? { probe: demandSearchServer } : {}),
      prepare(_ctx, input, { mode, query }) {
        // The contract names the type of a new storage in the query too; without it there, `meta` is not for a type.
        return mode === 'create' && input.type === undefined && query.type ? { ...input, type: query.type } : input
      },
      validate(ctx, changes, problem) {
        for (const { row, before, values, index } of changes) {
          if (before && before.type !== row.type) problem(index, 'type', [say(storageTexts.type_fixed)])
          else if (before && isBuiltIn(before.name) && before.name !== row.name)
            problem(index, 'name', [say(texts.storage_builtin)])
          else if (!isExternal(kind, String(row.type))) row.meta = {}
          else if (!before || values.meta !== undefined)
            try {
              const set = storageAttributes(kind, String(row.type))
              const stored = objectOf(before?.meta)
              const sent = sentMeta(ctx, kind, String(row.type), values.meta ?? {}, stored)
              row.meta = attributesToStore(ctx, set, sent, before && stored)
              // The raw body holds secrets; the log reads the values.
              values.meta = row.meta
            } catch (error) {
              if (!(error instanceof Rejected)) throw error
              problem(index, 'meta', error.problem)
            }
        }
      },
      async afterSave(ctx, changes) {
        // Components refer to storages by their names.
        for (const { row, before } of changes)
          if (before && before.name !== row.name)
            await ctx.rawDb
              .updateTable('terminal_terminal')
              .set({ [`${kind}_storage`]: row.name })
              .where(`${kind}_storage`, '=', before.name)
              .execute()
        const chosen = changes.findLast((change) => change.row.is_default && change.values.is_default)
        if (!chosen) return
        await ctx.rawDb
          .updateTable(storageTable(kind))
          .set({ is_default: false })
          .where('id', '!=', chosen.row.id)
          .where('is_default', '=', true)
          .execute()
      },
      async beforeDelete(ctx, rows) {
        for (const row of rows) {
          if (isBuiltIn(row.name)) throw failureAs(400, 'msg', say(texts.storage_builtin))
          if (row.is_default) throw failureAs(400, 'msg', say(texts.storage_is_default))
          const user = await ctx.rawDb
            .selectFrom('terminal_terminal')
            .select('id')
            .where(`${kind}_storage`, '=', row.name)
            .where('is_deleted', '=', false)
            .executeTakeFirst()
          if (user) throw failureAs(400, 'msg', say(texts.storage_in_use))
          const count = await heldBy(ctx, kind, row.id)
          if (count > 0) throw failureAs(400, 'msg', say(storageTexts.holds_files, { count }))
        }
      },
    },
  })
}

export const commandStorage = storage('command', commandStorageTypes)
export const replayStorage = storage('replay', replayStorageTypes)

const resources = { command: commandStorage, replay: replayStorage }

export async function seedStorages(ctx: Context): Promise<void> {
  for (const kind of ['command', 'replay'] as const)
    for (const [name, type] of [
      ['null', 'null'],
      ['default', 'server'],
    ] as const) {
      const known = await ctx.rawDb.selectFrom(storageTable(kind)).select('id').where('name', '=', name).execute()
      if (known.length === 0) await insertRow(ctx, resources[kind], { name, type, is_default: name === 'default' })
    }
}

/** The storage for new components: the chosen default, else the server's own. */
export async function defaultStorage(ctx: Context, kind: StorageKind): Promise<{ name: string; type: string }> {
  const rows = await ctx.rawDb.selectFrom(storageTable(kind)).select(['name', 'type', 'is_default']).execute()
  const found = rows.find((row) => Boolean(row.is_default)) ?? rows.find((row) => row.name === 'default') ?? rows[0]
  return found ? { name: found.name, type: found.type } : { name: 'default', type: 'server' }
}
