import { isIPv6 } from 'node:net'
import { type AssetCategory, assetCategories, assetCategoryLabels } from '@castellan/contract/asset-types'
import { connectivities } from '@castellan/contract/choices/assets'
import { errors } from '@castellan/contract/messages/errors'
import { base } from '../../kernel/fields/field.ts'
import {
  boolean,
  type Change,
  choice,
  computed,
  datetime,
  type Field,
  longText,
  nullableDatetime,
  nullableText,
  one,
  oneBySerial,
  type StoredRow,
  text,
} from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { Rejected, text as say } from '../../kernel/module/errors.ts'
import { type Info, itemInfo, resourceInfo } from '../../kernel/resource/metadata.ts'
import { type Fields, findResource, type Hooks, type RowOf, type ValuesOf } from '../../kernel/resource/resource.ts'
import { wireOrder } from '../../kernel/resource/serialize.ts'
import type { Sealed } from '../../kernel/security/secrets.ts'
import { accountPort } from './account-port.ts'
import { assetLabelsField } from './asset-labels.ts'
import { assetNodesField, nodesDisplayField } from './asset-nodes.ts'
import { assetProtocolsField } from './asset-protocols.ts'
import { gatheredInfo } from './gathered-info.ts'
import { platformsById } from './platforms/platform.ts'
import { typeField } from './platforms/platform-type.ts'

/** The automations a platform allows for its assets. */
export async function autoConfigs(ctx: Context): Promise<(platformId: unknown) => StoredRow> {
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

/** A category's collection tells its own category and types; its rows and actions tell all, as in the contract. */
const isCollection = ({ pk, told }: Readonly<Record<string, string>>) => pk === undefined && told !== 'action'

function categoryField(category: AssetCategory | undefined): Field<string, 'own'> {
  return {
    ...choice(assetCategoryLabels, { readOnly: true, filter: true, order: false }),
    default: undefined,
    meta: (ctx, params) => {
      const offered = category && isCollection(params) ? [category] : assetCategories
      return { choices: offered.map((value) => ({ value, label: assetCategoryLabels[value][ctx.language] })) }
    },
  }
}

/** Accounts are sent with a new asset and shown in its detail; they are changed through their own collection. */
const accountsField: Field<StoredRow[], 'none'> = {
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

const addressText = text({ max: 767, required: true, filter: true, printable: true })

/** A host name, an address or a URL. An IPv6 address alone is stored without brackets, as programs that connect want it. */
const assetAddress: Field<string, 'own'> = {
  ...addressText,
  parse: (input, ctx) => {
    const value = addressText.parse?.(input, ctx) as string
    const inner = /^\[(.+)\]$/.exec(value)?.[1]
    return inner !== undefined && isIPv6(inner) ? inner : value
  },
}

/** Platforms are few and cached per request. */
const platformField: Field<number, 'ref'> = {
  ...oneBySerial('assets.platform', { required: true }),
  filter: true,
  load: async (ctx) => {
    const platforms = await platformsById(ctx)
    return (row: { platform_id: number }) => {
      const found = platforms.get(row.platform_id)
      return found ? { id: found.id, name: found.name } : null
    }
  },
}

/** The fields every category shares, with those of one category (`own`). */
export const assetFields = (category: AssetCategory | undefined, own: Fields, info: Field) => ({
  name: text({ max: 128, required: true, filter: true }),
  address: assetAddress,
  comment: longText(),
  domain: { ...one('assets.domain', { nullable: true }), filter: true },
  platform: platformField,
  nodes: assetNodesField,
  labels: assetLabelsField,
  protocols: assetProtocolsField,
  nodes_display: nodesDisplayField,
  accounts: accountsField,
  category: categoryField(category),
  type: typeField({ readOnly: true, ...(category ? { category, narrows: isCollection } : {}) }),
  connectivity: choice(connectivities, { readOnly: true, default: '-' }),
  auto_config: computed('field', {
    noExport: true,
    load: async (ctx) => {
      const configOf = await autoConfigs(ctx)
      return (row: { platform_id: number }) => configOf(row.platform_id)
    },
  }),
  created_by: nullableText({ readOnly: true }),
  gathered_info: gatheredInfo,
  spec_info: info,
  is_active: boolean({ default: true, filter: true }),
  ...own,
  date_verified: nullableDatetime({ readOnly: true }),
  date_created: datetime({ readOnly: true }),
})

export type CommonFields = ReturnType<typeof assetFields>
/** Fields of one category are in `spec`, the secret among them in a column. */
export type AssetRow = RowOf<CommonFields> & { spec: StoredRow | null; client_key: Sealed | null }
type AssetValues = ValuesOf<CommonFields> & StoredRow
export type AssetChange = Change<AssetRow, AssetValues>
export type AssetHooks = Hooks<AssetRow, AssetValues>
