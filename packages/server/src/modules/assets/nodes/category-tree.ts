import { assetCategories, assetCategoryLabels } from '@castellan/contract/asset-types'
import { say } from '@castellan/contract/messages'
import { assetsMessages } from '@castellan/contract/messages/assets'
import { typeLabel } from '@castellan/contract/platforms'
import { flag } from '../../../kernel/fields/index.ts'
import type { Params } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { decoded, scoped } from '../../../kernel/resource/repository.ts'
import { asset } from '../asset.ts'
import { platformsById } from '../platforms/platform.ts'
import { customTypes, offeredTypes } from '../platforms/platform-type.ts'
import { assetItems } from './tree-items.ts'

/** Number of assets, or accounts, of each platform in the organization. */
async function countsByPlatform(ctx: Context, resource: string): Promise<Map<unknown, number>> {
  let query =
    resource === 'account'
      ? ctx.acrossOrganizations
          .selectFrom('accounts_account as x')
          .innerJoin('assets_asset as a', 'a.id', 'x.asset_id')
          .select(['a.platform_id', (eb) => eb.fn.countAll().as('n')])
      : ctx.acrossOrganizations
          .selectFrom('assets_asset as a')
          .select(['a.platform_id', (eb) => eb.fn.countAll().as('n')])
  if (!ctx.isRootOrg) query = query.where('a.org_id', '=', ctx.orgId)
  const rows = await query.groupBy('a.platform_id').execute()
  return new Map(rows.map(({ platform_id, n }) => [platform_id, Number(n)]))
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0)

/** All categories, types and platforms with their counts; a platform's assets are loaded when it is opened. */
export async function categoryTree(ctx: Context, query: Params): Promise<unknown[]> {
  const withAssets = flag(query.assets) === true
  if (query.key) {
    if (!withAssets || !/^\d+$/.test(query.key)) return []
    const rows = await scoped(ctx, asset).where('t.platform_id', '=', Number(query.key)).orderBy('t.name').execute()
    return assetItems(
      ctx,
      rows.map((row) => decoded(asset, row)),
      query.key,
    )
  }
  const counts = await countsByPlatform(ctx, query.count_resource ?? 'asset')
  const platforms = [...(await platformsById(ctx)).values()]
  const custom = (await customTypes(ctx)).map(({ type }) => type)
  const title = say(assetsMessages.all_types, ctx.language)
  const items: unknown[] = []
  for (const category of assetCategories) {
    const id = `ROOT_${category.toUpperCase()}`
    const label = assetCategoryLabels[category][ctx.language]
    const types: readonly string[] = category === 'custom' ? custom : offeredTypes(category)
    let total = 0
    const below: unknown[] = []
    for (const type of types) {
      const own = platforms.filter((one) => one.category === category && one.type === type)
      const n = sum(own.map((one) => counts.get(one.id) ?? 0))
      total += n
      const name = typeLabel(type, ctx.language)
      below.push({
        id: `${id}_${type}`,
        name: `${name}(${n})`,
        title: name,
        pId: id,
        isParent: own.length > 0,
        open: false,
        meta: { type: 'type', category, _type: type },
      })
      for (const one of own)
        below.push({
          id: String(one.id),
          name: `${one.name}(${counts.get(one.id) ?? 0})`,
          title: one.name,
          pId: `${id}_${type}`,
          isParent: withAssets,
          open: false,
          meta: { type: 'platform' },
        })
    }
    items.push(
      {
        id,
        name: `${label}(${total})`,
        title: label,
        pId: 'ROOT',
        isParent: true,
        open: true,
        meta: { type: 'category', category, _type: category },
      },
      ...below,
    )
  }
  return [{ id: 'ROOT', name: title, title, pId: '', isParent: true, open: true }, ...items]
}
