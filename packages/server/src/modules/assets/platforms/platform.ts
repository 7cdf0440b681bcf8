import { type AssetCategory, assetCategoryLabels } from '@castellan/contract/asset-types'
import { builtinPlatforms } from '@castellan/contract/builtin-platforms'
import { charsets, customFieldTypes, suMethods } from '@castellan/contract/choices/assets'
import { assetsMessages } from '@castellan/contract/messages/assets'
import { errors } from '@castellan/contract/messages/errors'
import { baseConstraintsOf } from '@castellan/contract/platforms'
import { followIds } from '../../../db/sequence.ts'
import type { Context } from '../../../kernel/context.ts'
import { ApiError, quoted, Rejected, render, text as say } from '../../../kernel/errors.ts'
import {
  type AnyRow,
  boolean,
  choice,
  datetime,
  describedAs,
  type Field,
  json,
  longText,
  nullableText,
  rawChoice,
  slug,
  stringList,
  text,
} from '../../../kernel/fields/index.ts'
import { fieldsInfo, itemInfo } from '../../../kernel/metadata.ts'
import { findAll, insertRow } from '../../../kernel/repository.ts'
import { defineResource, type Row } from '../../../kernel/resource.ts'
import { type Automation, automationField, automationOf, completeAutomation } from './platform-automation.ts'
import { insertProtocols, parseItems, platformProtocolsField } from './platform-protocols.ts'
import { offeredTypes, typeField } from './platform-type.ts'

const customFieldParts: Record<string, Field> = {
  name: text({ max: 128, required: true }),
  label: text({ max: 128, required: true }),
  type: rawChoice(customFieldTypes, { default: 'str' }),
  default: describedAs(text({ max: 1024 }), { default: '' }),
  help_text: describedAs(text({ max: 1024 }), { default: '' }),
  choices: stringList(),
}

function parsedCustomField(input: unknown): AnyRow {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new Rejected({ non_field_errors: [say(errors.not_a_dictionary, { type: typeof input })] })
  const { name, label, type = 'str', default: value = '', help_text = '', choices = [] } = input as AnyRow
  for (const [field, words] of [
    ['name', name],
    ['label', label],
  ])
    if (typeof words !== 'string' || words === '' || words.length > 128)
      throw new Rejected({ [field]: [say(words ? errors.max_length : errors.required, { max: 128 })] })
  const kind = typeof type === 'object' && type !== null ? type.value : type
  if (typeof kind !== 'string' || !Object.hasOwn(customFieldTypes, kind))
    throw new Rejected({ type: [say(errors.not_a_choice, { input: quoted(kind) })] })
  if (typeof help_text !== 'string') throw new Rejected({ help_text: [say(errors.not_a_string)] })
  if (!Array.isArray(choices)) throw new Rejected({ choices: [say(errors.not_a_list, { type: typeof choices })] })
  return { name, label, type: kind, default: value, help_text: help_text.slice(0, 1024), choices }
}

const internal = () =>
  new ApiError(403, 'internal platform', (language) => ({
    detail: render(say(assetsMessages.platform_internal), language),
  }))

/**
 * The kind of an asset: its protocols, charset, methods of switching user, and automations. Shared by all
 * organizations.
 */
export const platform = defineResource({
  app: 'assets',
  name: 'platform',
  path: 'platforms',
  scope: 'global',
  serialId: true,
  idWritable: true,
  bulk: false,
  wholeRows: true,
  fields: {
    name: slug({ max: 50, required: true, filter: true }),
    internal: boolean({ readOnly: true, default: false }),
    category: choice(assetCategoryLabels, { required: true, filter: true }),
    type: typeField({ required: true }),
    charset: choice(charsets, { default: 'utf-8' }),
    protocols: platformProtocolsField,
    domain_enabled: describedAs(boolean({ default: true }), { default: undefined }),
    su_enabled: boolean({ default: false }),
    su_method: choice(suMethods, { nullable: true, default: 'sudo', resets: false }),
    automation: automationField,
    comment: longText(),
    custom_fields: {
      ...json<AnyRow[]>({ default: [], shape: 'array', resets: false }),
      type: 'field' as const,
      parse: (input: unknown) => parseItems(input ?? [], parsedCustomField),
      meta: (ctx: Context) => ({ ...itemInfo(fieldsInfo(ctx, 'assets', customFieldParts)), default: undefined }),
    },
    date_created: datetime({ readOnly: true }),
    date_updated: datetime({ readOnly: true }),
    created_by: nullableText({ readOnly: true }),
    updated_by: nullableText({ readOnly: true }),
  },
  unique: [['name']],
  indexes: [['category', 'type']],
  search: ['name'],
  orderable: [
    ...['id', 'name', 'category', 'type', 'internal', 'charset', 'comment', 'date_created', 'date_updated'],
    ...['domain_enabled', 'su_enabled', 'su_method', 'created_by', 'updated_by'],
  ],
  defaultOrder: ['id'],
  mini: ['id', 'name'],
  filters: {
    category: (_ctx, query, value) => query.where('t.category', '=', value),
    type: (_ctx, query, value) => query.where('t.type', '=', value),
  },
  visible: (_ctx, query) =>
    query.where((eb) => eb.or([eb('t.category', '=', 'custom'), eb('t.type', 'in', [...offeredTypes()])])),
  lookup: (segment) => (/^\d+$/.test(segment) ? undefined : { column: 'name', value: segment }),
  guard: (_ctx, row, verb) => {
    if (row.internal && (verb === 'update' || verb === 'delete')) throw internal()
  },
  hooks: {
    beforeSave(_ctx, changes) {
      for (const { row, before } of changes) {
        const kind = before ?? row
        const allowed = baseConstraintsOf(kind.category as AssetCategory, kind.type)
        row.domain_enabled = row.domain_enabled && allowed.domain_enabled
        row.su_enabled = row.su_enabled && allowed.su_enabled
        row.automation = completeAutomation({ ...before?.automation, ...row.automation })
      }
    },
    async afterSave(ctx, changes) {
      ctx.forget('assets.platforms')
      if (changes.some(({ mode, values }) => mode === 'create' && values.id !== undefined))
        await followIds(ctx.unscoped, ctx.dialect, platform.table)
      for (const { row, before } of changes)
        if (before && (before.category !== row.category || before.type !== row.type))
          await ctx.unscoped
            .updateTable('assets_asset')
            .set({ category: row.category, type: row.type })
            .where('platform_id', '=', row.id)
            .execute()
    },
  },
})

export type Platform = Row<typeof platform> & { id: unknown; automation: Automation }

/** Every platform by id, loaded once per request: there are few, and nearly everything about assets needs them. */
export function platformsById(ctx: Context): Promise<Map<unknown, Platform>> {
  return ctx.once('assets.platforms', () =>
    ctx.services.lists.derived(ctx, ctx.unscoped.selectFrom(platform.table).selectAll(), (rows) => {
      const complete = (row: AnyRow) => ({ ...row, automation: completeAutomation(row.automation) }) as Platform
      return new Map<unknown, Platform>(rows.map((row) => [row.id, complete(platform.decode(row))]))
    }),
  )
}

/** The platform of gateways. */
export const gatewayPlatformName = 'Gateway'
export async function gatewayPlatformId(ctx: Context): Promise<number> {
  for (const { id, name } of (await platformsById(ctx)).values()) if (name === gatewayPlatformName) return Number(id)
  throw new Error('The built-in platform Gateway is missing.')
}

/** Creates missing built-in platforms; existing ones are not changed, so that edits remain. */
export async function seedPlatforms(ctx: Context): Promise<void> {
  const known = new Set((await findAll(ctx, platform)).map(({ name }) => name))
  const missing = builtinPlatforms.filter(({ name }) => !known.has(name))
  for (const builtin of missing) {
    const row = await insertRow(ctx, platform, {
      ...(known.size === 0 ? { id: builtin.id } : {}),
      name: builtin.name,
      internal: builtin.internal,
      category: builtin.category,
      type: builtin.type,
      charset: builtin.charset,
      domain_enabled: builtin.domainEnabled,
      su_enabled: builtin.suEnabled,
      su_method: builtin.suMethod,
      automation: automationOf(builtin.automation),
      comment: '',
      custom_fields: [],
    })
    await insertProtocols(ctx, Number(row.id), builtin.protocols)
  }
  if (missing.length > 0) await followIds(ctx.unscoped, ctx.dialect, platform.table)
}
