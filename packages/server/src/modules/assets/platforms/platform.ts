import {
  type AssetCategory,
  appletHostPlatformName,
  assetCategoryLabels,
  gatewayPlatformName,
} from '@castellan/contract/asset-types'
import { builtinPlatforms } from '@castellan/contract/builtin-platforms'
import { charsets, suMethods } from '@castellan/contract/choices/assets'
import { baseConstraintsOf } from '@castellan/contract/platforms'
import { followIds } from '../../../db/sequence.ts'
import { base } from '../../../kernel/fields/field.ts'
import {
  boolean,
  choice,
  datetime,
  describedAs,
  type Field,
  longText,
  nullable,
  nullableText,
  type StoredRow,
  slug,
} from '../../../kernel/fields/index.ts'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { parseBoolean } from '../../../kernel/fields/scalars.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { defineHook } from '../../../kernel/module/hooks.ts'
import { decoded, findAll, insertRow } from '../../../kernel/resource/repository.ts'
import { defineResource, type Row } from '../../../kernel/resource/resource.ts'
import { customFieldsField } from './custom-fields.ts'
import { sealNewPasswords } from './custom-passwords.ts'
import { type Automation, automationField, automationOf, completeAutomation } from './platform-automation.ts'
import { checkPlatforms } from './platform-checks.ts'
import { internalPlatform } from './platform-guard.ts'
import { insertProtocols, platformProtocolsField } from './platform-protocols.ts'
import { offeredTypes, typeField } from './platform-type.ts'

/**
 * Platforms decide otherwise about where secrets of their assets go: `rerouted` through the gateways of domains, or no
 * longer; `reworded` in commands that secrets are put into.
 */
export const platformRedirects = defineHook<{ rerouted: readonly unknown[]; reworded: readonly unknown[] }>(
  'assets.platform-redirects',
)

/** The commands of the methods of a platform. */
const commandsIn = (automation: unknown): string =>
  JSON.stringify(
    Object.entries(objectOf(automation)).flatMap(([name, params]) =>
      name.endsWith('_params')
        ? [objectOf(params), ...Object.values(objectOf(params)).map(objectOf)].map(({ commands }) => commands ?? [])
        : [],
    ),
  )

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
    /** Sent with a platform of category `custom` to name a type that no platform has yet. */
    new_type: {
      ...base('boolean', { writeOnly: true, noExport: true, order: false }),
      undescribed: true,
      parse: parseBoolean,
    } as Field<boolean, 'none'>,
    charset: choice(charsets, { default: 'utf-8' }),
    protocols: platformProtocolsField,
    domain_enabled: describedAs(boolean({ default: true }), { default: undefined }),
    su_enabled: boolean({ default: false }),
    su_method: nullable(choice(suMethods, { nullable: true, default: 'sudo', resets: false })),
    automation: automationField,
    comment: longText(),
    custom_fields: customFieldsField,
    date_created: datetime({ readOnly: true }),
    date_updated: datetime({ readOnly: true }),
    created_by: nullableText({ readOnly: true }),
    updated_by: nullableText({ readOnly: true }),
  },
  unique: [['name']],
  indexes: [['category', 'type']],
  search: ['name'],
  orderable: [
    ...(['id', 'name', 'category', 'type', 'internal', 'charset', 'comment', 'date_created'] as const),
    ...(['date_updated', 'domain_enabled', 'su_enabled', 'su_method', 'created_by', 'updated_by'] as const),
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
    if (row.internal && (verb === 'update' || verb === 'delete')) throw internalPlatform()
  },
  hooks: {
    validate: checkPlatforms,
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
      const which = (differs: (before: StoredRow, row: StoredRow) => boolean) =>
        changes.flatMap(({ row, before }) => (before && differs(before, row) ? [row.id] : []))
      await platformRedirects.run(ctx, {
        rerouted: which((before, row) => before.domain_enabled !== row.domain_enabled),
        reworded: which(
          (before, row) => commandsIn(completeAutomation(objectOf(before.automation))) !== commandsIn(row.automation),
        ),
      })
      await sealNewPasswords(ctx, changes)
      if (changes.some(({ mode, values }) => mode === 'create' && 'id' in values))
        await followIds(ctx.rawDb, ctx.dialect, platform.table)
      for (const { row, before } of changes)
        if (before && (before.category !== row.category || before.type !== row.type))
          await ctx.acrossOrganizations
            .updateTable('assets_asset')
            .set({ category: row.category, type: row.type })
            .where('platform_id', '=', row.id)
            .execute()
    },
  },
})

export type Platform = Row<typeof platform> & { automation: Automation }

/** Every platform by id, loaded once per request: there are few, and nearly everything about assets needs them. */
export function platformsById(ctx: Context): Promise<Map<unknown, Platform>> {
  return ctx.once('assets.platforms', () =>
    ctx.services.lists.derived(ctx, ctx.rawDb.selectFrom(platform.table).selectAll(), (rows) => {
      const complete = (row: Row<typeof platform>) => ({ ...row, automation: completeAutomation(row.automation) })
      return new Map<unknown, Platform>(rows.map((row) => [row.id, complete(decoded(platform, row))]))
    }),
  )
}

async function builtinPlatformId(ctx: Context, wanted: string): Promise<number> {
  for (const { id, name } of (await platformsById(ctx)).values()) if (name === wanted) return Number(id)
  throw new Error(`The built-in platform ${wanted} is missing.`)
}

export const gatewayPlatformId = (ctx: Context) => builtinPlatformId(ctx, gatewayPlatformName)
/** The platform of hosts that applications run on. */
export const appletHostPlatformId = (ctx: Context) => builtinPlatformId(ctx, appletHostPlatformName)

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
  if (missing.length > 0) await followIds(ctx.rawDb, ctx.dialect, platform.table)
}
