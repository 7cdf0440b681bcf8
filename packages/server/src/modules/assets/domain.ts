import { assetsMessages } from '@castellan/contract/messages/assets'
import { batches } from '../../db/batches.ts'
import {
  type Change,
  computed,
  datetime,
  type Field,
  longText,
  many,
  type StoredRow,
  text,
} from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, text as say } from '../../kernel/module/errors.ts'
import { findAll } from '../../kernel/resource/repository.ts'
import { defineResource, findResource } from '../../kernel/resource/resource.ts'
import { readableFields, serialize } from '../../kernel/resource/serialize.ts'
import { writerField } from '../../kernel/resource/standard-fields.ts'
import { accountPort } from './account-port.ts'
import { gatewayPlatformId } from './platforms/platform.ts'
import { assetsBehind, decideRedirect } from './redirects.ts'

async function membersOf(
  ctx: Context,
  rows: readonly StoredRow[],
  gateways: boolean,
): Promise<Map<unknown, StoredRow[]>> {
  const platform = await gatewayPlatformId(ctx)
  const grouped = new Map<unknown, StoredRow[]>()
  const members = await ctx.acrossOrganizations
    .selectFrom('assets_asset')
    .select(['id', 'name', 'domain_id'])
    .where(
      'domain_id',
      'in',
      rows.map(({ id }) => id),
    )
    .where('platform_id', gateways ? '=' : '!=', platform)
    .orderBy('name')
    .execute()
  for (const { id, name, domain_id } of members) {
    const list = grouped.get(domain_id) ?? []
    list.push({ id, name })
    grouped.set(domain_id, list)
  }
  return grouped
}

const load =
  (gateways: boolean): NonNullable<Field['load']> =>
  async (ctx, rows) => {
    const members = await membersOf(ctx, rows, gateways)
    return ({ id }) => members.get(id) ?? []
  }

/**
 * Throws 400 for gateways of other domains: as one of the assets, a gateway would silently begin to route the
 * connections of this domain. Its own gateways may be sent along.
 */
async function demandNoForeignGateways(ctx: Context, domainId: unknown, ids: readonly string[]): Promise<void> {
  const platform = await gatewayPlatformId(ctx)
  for (const some of batches(ids)) {
    const foreign = await ctx.acrossOrganizations
      .selectFrom('assets_asset')
      .select('name')
      .where('id', 'in', some)
      .where('platform_id', '=', platform)
      .where((eb) => eb.or([eb('domain_id', '!=', String(domainId)), eb('domain_id', 'is', null)]))
      .executeTakeFirst()
    if (foreign) throw invalid({ assets: [say(assetsMessages.gateway_of_other_domain, { gateway: foreign.name })] })
  }
}

/** Sets the assets of a domain; its gateways remain. */
async function storeAssets(ctx: Context, changes: readonly Change[]): Promise<void> {
  const platform = await gatewayPlatformId(ctx)
  for (const { row, values } of changes) {
    const wanted = values.assets as string[] | undefined
    if (!wanted) continue
    const members = await ctx.acrossOrganizations
      .selectFrom('assets_asset')
      .select(['id', 'platform_id'])
      .where('domain_id', '=', row.id)
      .execute()
    const present = new Set(members.map(({ id }) => id))
    const leaving = members.flatMap(({ id, platform_id }) =>
      platform_id === platform || wanted.includes(id) ? [] : [id],
    )
    const joining = wanted.filter((id) => !present.has(id))
    await demandNoForeignGateways(ctx, row.id, joining)
    await decideRedirect(ctx, [...joining, ...leaving])
    await ctx.acrossOrganizations
      .updateTable('assets_asset')
      .set({ domain_id: null })
      .where('domain_id', '=', row.id)
      .where('platform_id', '!=', platform)
      .execute()
    for (const some of batches(wanted))
      await ctx.acrossOrganizations
        .updateTable('assets_asset')
        .set({ domain_id: row.id })
        .where('id', 'in', some)
        .execute()
  }
}

// No join table: an asset is in at most one domain, in its own column.
const { join: _join, ...links } = many('assets.asset', { through: '', from: '', to: '' })

/** Every gateway of the domains in the form of its own collection, with its account. */
const gatewaysWithAccounts: NonNullable<Field['load']> = async (ctx, rows) => {
  const shown = findResource('assets/gateways')
  const gateways = await findAll(ctx.acrossOrgs(), shown, (query) =>
    query
      .where(
        't.domain_id',
        'in',
        rows.map(({ id }) => id),
      )
      .orderBy('t.name'),
  )
  const wires = await serialize(ctx, shown, gateways, readableFields(ctx, shown))
  const opening = await accountPort.use.gateways(
    ctx,
    gateways.map(({ id }) => id),
  )
  const grouped = new Map<unknown, StoredRow[]>()
  gateways.forEach((gateway, index) => {
    const list = grouped.get(gateway.domain_id) ?? []
    list.push({ ...wires[index], account: opening.get(gateway.id) ?? null })
    grouped.set(gateway.domain_id, list)
  })
  return ({ id }) => grouped.get(id) ?? []
}

const shared = {
  app: 'assets',
  name: 'domain',
  path: 'domains',
  scope: 'org' as const,
  unique: [['org_id', 'name']] as const,
  search: ['name'] as const,
  orderable: ['name', 'comment', 'org_id', 'date_created'] as const,
  defaultOrder: ['name'] as const,
  mini: ['id', 'name'] as const,
  small: ['id', 'name', 'comment', 'date_created'] as const,
}

const name = text({ max: 128, required: true, filter: true })

/** Domains for components: all stored fields, with the gateways and their accounts. */
const domainWithGateways = defineResource({
  ...shared,
  table: 'assets_domain',
  shares: 'assets.domain',
  fields: {
    created_by: writerField(),
    updated_by: writerField(),
    comment: longText(),
    name,
    gateways: computed('field', { load: gatewaysWithAccounts, noExport: true }),
    date_created: datetime({ readOnly: true }),
    date_updated: datetime({ readOnly: true }),
  },
})

/** Assets of one network, reached through its gateways. */
export const domain = defineResource({
  ...shared,
  readAs: ({ gateway }) => (gateway ? domainWithGateways : undefined),
  fields: {
    name,
    comment: longText(),
    assets: { ...links, load: load(false), store: storeAssets } as Field<never, 'none'>,
    gateways: { ...computed('m2m_related_field', { load: load(true) }), type: 'm2m_related_field' },
    date_created: datetime({ readOnly: true }),
  },
  hooks: {
    // Without its domain, an asset is reached directly.
    async beforeDelete(ctx, rows) {
      const ids = rows.map(({ id }) => id)
      await decideRedirect(ctx, await assetsBehind(ctx, ids))
    },
  },
})
