import { type AssetCategory, assetCategories, assetCategoryLabels } from '@castellan/contract/asset-types'
import { connectivities } from '@castellan/contract/choices/assets'
import { errors } from '@castellan/contract/messages/errors'
import type { Context } from '../../kernel/context.ts'
import { Rejected, text as say } from '../../kernel/errors.ts'
import { base } from '../../kernel/fields/field.ts'
import {
  type AnyRow,
  boolean,
  choice,
  computed,
  datetime,
  type Field,
  json,
  longText,
  nullableDatetime,
  nullableText,
  one,
  text,
} from '../../kernel/fields/index.ts'
import { type Info, itemInfo, resourceInfo } from '../../kernel/metadata.ts'
import { type Fields, findResource } from '../../kernel/resource.ts'
import { wireOrder } from '../../kernel/serialize.ts'
import { accountPort } from './account-port.ts'
import { assetLabelsField } from './asset-labels.ts'
import { assetNodesField, nodesDisplayField } from './asset-nodes.ts'
import { assetProtocolsField } from './asset-protocols.ts'
import { platformsById } from './platforms/platform.ts'
import { typeField } from './platforms/platform-type.ts'

/** The automations a platform allows for its assets. */
export async function autoConfigs(ctx: Context): Promise<(platformId: unknown) => AnyRow> {
  const platforms = await platformsById(ctx)
  return (id) => {
    const platform = platforms.get(id)
    if (!platform) return { su_enabled: false, domain_enabled: false, ansible_enabled: false }
    return {
      su_enabled: platform.su_enabled,
      domain_enabled: platform.domain_enabled,
      id: Number(platform.id),
      platform: Number(platform.id),
      ...platform.automation,
    }
  }
}

function categoryField(category: AssetCategory | undefined): Field<string, 'own'> {
  const offered = category ? [category] : assetCategories
  return {
    ...choice(assetCategoryLabels, { readOnly: true, filter: true, order: false }),
    default: undefined,
    meta: (ctx) => ({ choices: offered.map((value) => ({ value, label: assetCategoryLabels[value][ctx.language] })) }),
  }
}

/** Accounts are sent with a new asset and shown in its detail; they are changed through their own collection. */
const accountsField: Field<never, 'none'> = {
  ...base('field', { nullable: true, order: false, noExport: true }),
  parse: (input) => {
    if (!Array.isArray(input) || input.some((item) => typeof item !== 'object' || item === null || Array.isArray(item)))
      throw new Rejected(say(errors.not_a_list, { type: Array.isArray(input) ? 'str' : typeof input }))
    return input
  },
  load: async (ctx, rows) => {
    const found = await accountPort.use.shown(
      ctx,
      rows.map(({ id }) => id),
    )
    return ({ id }) => found.get(id) ?? []
  },
  meta: (ctx) => {
    const account = findResource('accounts.account')
    const left = new Set(['org_id', 'org_name', 'spec_info', 'has_secret'])
    const names = wireOrder(account).filter((name) => !left.has(name))
    const children = resourceInfo(ctx, account, 'POST', false, names)
    children.asset = {
      ...(children.asset as Info),
      type: 'field',
      required: false,
      write_only: true,
      children: undefined,
    }
    return { write_only: true, ...itemInfo(children, { write_only: true }) }
  },
}

const factLengths = {
  vendor: 64,
  model: 54,
  sn: 128,
  cpu_model: 64,
  cpu_count: 64,
  cpu_cores: 64,
  cpu_vcpus: 64,
  memory: 64,
  disk_total: 1024,
  distribution: 128,
  distribution_version: 16,
  arch: 16,
}

const gatheredInfo: Field<AnyRow, 'own'> = {
  ...json<AnyRow>({ readOnly: true, default: {} }),
  type: 'nested object',
  wire: (value, _ctx, row) => {
    const info = (value ?? {}) as AnyRow
    if (row.category !== 'host') return info
    return Object.fromEntries(Object.entries(info).filter(([name]) => name in factLengths))
  },
  meta: () => ({
    children: Object.fromEntries(
      Object.entries(factLengths).map(([name, max]) => [
        name,
        { type: 'string', required: false, read_only: false, write_only: false, label: name, max_length: max },
      ]),
    ),
  }),
}

/** Platforms are few and cached per request. */
const platformField: Field<string | null, 'ref'> = {
  ...one('assets.platform', { required: true }),
  filter: true,
  load: async (ctx) => {
    const platforms = await platformsById(ctx)
    return (row) => {
      const found = platforms.get(row.platform_id)
      return found ? { id: found.id, name: found.name } : null
    }
  },
}

/** The fields every category shares, with those of one category (`own`). */
export const assetFields = (category: AssetCategory | undefined, own: Fields, info: Field) => ({
  name: text({ max: 128, required: true, filter: true }),
  address: text({ max: 767, required: true, filter: true, printable: true }),
  comment: longText(),
  domain: { ...one('assets.domain', { nullable: true }), filter: true },
  platform: platformField,
  nodes: assetNodesField,
  labels: assetLabelsField,
  protocols: assetProtocolsField,
  nodes_display: nodesDisplayField,
  accounts: accountsField,
  category: categoryField(category),
  type: typeField({ readOnly: true, ...(category ? { category } : {}) }),
  connectivity: choice(connectivities, { readOnly: true, default: '-' }),
  auto_config: computed('field', {
    noExport: true,
    load: async (ctx) => {
      const configOf = await autoConfigs(ctx)
      return (row) => configOf(row.platform_id)
    },
  }),
  created_by: nullableText({ readOnly: true }),
  ...own,
  gathered_info: gatheredInfo,
  spec_info: info,
  is_active: boolean({ default: true, filter: true }),
  date_verified: nullableDatetime({ readOnly: true }),
  date_created: datetime({ readOnly: true }),
})
