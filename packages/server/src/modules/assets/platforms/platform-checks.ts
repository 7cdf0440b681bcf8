import { type AssetCategory, assetCategories, assetTypeLabels, assetTypes } from '@castellan/contract/asset-types'
import { suMethods } from '@castellan/contract/choices/assets'
import { assetsMessages } from '@castellan/contract/messages/assets'
import { errors } from '@castellan/contract/messages/errors'
import { baseConstraintsOf, typeLabel } from '@castellan/contract/platforms'
import type { Change } from '../../../kernel/fields/index.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { type Problem, quoted, text as say, type Text } from '../../../kernel/module/errors.ts'
import { customTypes } from './platform-type.ts'

type Report = (index: number, field: 'type' | 'category' | 'su_method', problem: Problem) => void

/** How a type of custom assets may be called: letters, digits, `_` and `-` of any script. */
const customTypeName = /^[\p{L}\p{N}_-]{1,32}$/u

/** Why a type is none of a category; undefined when it is one. */
async function typeProblem(
  ctx: Context,
  category: AssetCategory,
  type: string,
  isNew: boolean,
): Promise<Text | undefined> {
  if (Object.hasOwn(assetTypeLabels, type)) {
    const known: readonly string[] = assetTypes[category]
    return known.includes(type)
      ? undefined
      : say(assetsMessages.type_other_category, { type: typeLabel(type, ctx.language) })
  }
  if (category === 'custom') {
    if ((await customTypes(ctx)).some((known) => known.type === type)) return undefined
    if (isNew) return customTypeName.test(type) ? undefined : say(assetsMessages.custom_type_name)
  }
  return say(errors.not_a_choice, { input: quoted(type) })
}

const used = (ctx: Context, platformId: unknown) =>
  ctx.acrossOrganizations
    .selectFrom('assets_asset')
    .select('id')
    .where('platform_id', '=', platformId)
    .limit(1)
    .executeTakeFirst()

/**
 * Checks rules between the fields of platforms: the type is one of the category, the category of a platform in use does
 * not change, and the way to switch accounts is one of the type.
 */
export async function checkPlatforms(ctx: Context, changes: readonly Change[], problem: Report): Promise<void> {
  for (const { row, before, values, index } of changes) {
    const category = row.category as AssetCategory
    if (!assetCategories.includes(category) || (values.type === undefined && values.category === undefined)) continue
    const isSame = before?.category === category && before.type === row.type
    const wrong = isSame ? undefined : await typeProblem(ctx, category, String(row.type), values.new_type === true)
    if (wrong) problem(index, 'type', [wrong])
    else if (before && before.category !== category && (await used(ctx, row.id)))
      problem(index, 'category', [say(assetsMessages.category_in_use)])
  }
  for (const { row, before, values, index } of changes) {
    const kind = before ?? row
    const { su_enabled, su_methods = [] } = baseConstraintsOf(kind.category as AssetCategory, String(kind.type))
    const method = values.su_method
    if (!su_enabled || !row.su_enabled || !method || su_methods.some((one) => one === method)) continue
    const offered = su_methods.map((one) => suMethods[one][ctx.language]).join(', ')
    problem(index, 'su_method', [
      say(assetsMessages.su_method_other_type, { method: quoted(method), methods: offered }),
    ])
  }
}
