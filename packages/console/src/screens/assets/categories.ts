/** Categories of assets, and the addresses that follow from them. */
import { type AssetCategory, assetCategories } from '@castellan/contract/asset-types'
import { pathOf, type RouteName } from '@castellan/contract/routes'
import { withQuery } from '../../kit/api/client.ts'
import { at, type Row, rawOf } from '../../kit/row.ts'
import type { WireForm, WireRow } from '../../kit/wire.ts'

const prefixOf = (category: AssetCategory) =>
  (category.charAt(0).toUpperCase() + category.slice(1)) as Capitalize<AssetCategory>

const isCategory = (value: unknown): value is AssetCategory => (assetCategories as readonly unknown[]).includes(value)

/** The category of an asset or a platform; one without is treated as a host. */
export function categoryOf(row: Row): AssetCategory {
  const value = rawOf(row.category)
  return isCategory(value) ? value : 'host'
}

/** The category whose form a screen is: `DatabaseCreate`, `DatabaseUpdate`. */
export const categoryOfScreen = (name: RouteName): AssetCategory =>
  assetCategories.find((category) => name.startsWith(prefixOf(category))) ?? 'host'

type AssetCollection = `/api/v1/assets/${AssetCategory}s/`

/** An asset of any category, with the fields of all of them. */
export type AssetRow = WireRow<AssetCollection>
export type AssetFormRow = WireForm<AssetCollection>

/** The collection with the fields of a category. */
export const collectionOf = (category: AssetCategory): AssetCollection => `/api/v1/assets/${category}s/`

/** Address of the form for a new asset. */
export const createPath = (
  category: AssetCategory,
  query: { platform?: string; type?: string; node?: string; clone_from?: string },
): string => withQuery(pathOf(`${prefixOf(category)}Create`), { ...query, category })

/** Address of the form that changes an asset. */
export const updatePath = (row: Row): string =>
  withQuery(pathOf(`${prefixOf(categoryOf(row))}Update`, row.id), {
    platform: String(at(row, 'platform.id') ?? ''),
    type: String(rawOf(row.type) ?? ''),
  })

/** Address of the form for a copy. */
export const clonePath = (row: Row): string =>
  createPath(categoryOf(row), {
    clone_from: row.id,
    platform: String(at(row, 'platform.id') ?? ''),
    type: String(rawOf(row.type) ?? ''),
  })
