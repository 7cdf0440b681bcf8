import {
  type AssetCategory,
  type AssetType,
  assetCategoryLabels,
  assetTypeLabels,
  assetTypes,
} from '@castellan/contract/asset-types'
import { errors } from '@castellan/contract/messages/errors'
import { type CustomType, typeLabel } from '@castellan/contract/platforms'
import { bare, type Field, text } from '../../../kernel/fields/index.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { quoted, Rejected, text as say } from '../../../kernel/module/errors.ts'

/** Types, in the order of the contract's `type` choices. */
export function offeredTypes(category?: AssetCategory): readonly AssetType[] {
  const order: readonly AssetCategory[] = category
    ? [category]
    : ['host', 'device', 'database', 'cloud', 'web', 'custom', 'gpt']
  return order.flatMap((one) => assetTypes[one])
}

/** Types of the installed custom platforms, with their protocols. */
export async function customTypes(ctx: Context): Promise<CustomType[]> {
  const rows = await ctx.rawDb
    .selectFrom('assets_platform as p')
    .leftJoin('assets_platformprotocol as q', 'q.platform_id', 'p.id')
    .select(['p.type', 'q.name', 'q.port'])
    .where('p.category', '=', 'custom')
    .orderBy('q.id')
    .execute()
  const byType = new Map<string, Map<string, number>>()
  for (const { type, name, port } of rows) {
    const protocols = byType.get(type) ?? new Map<string, number>()
    if (name && !protocols.has(name)) protocols.set(name, Number(port))
    byType.set(type, protocols)
  }
  return [...byType].map(([type, protocols]) => ({
    type,
    protocols: [...protocols].map(([name, port]) => ({ name, port })),
  }))
}

const choicesOf = (ctx: Context, category?: AssetCategory) => ({
  choices: offeredTypes(category).map((value) => ({ value, label: assetTypeLabels[value][ctx.language] })),
})

/**
 * The type of an asset or platform: a built-in one, or a custom one that is its own label. The platform's hooks check it
 * together with its category.
 */
export function typeField(options: {
  required?: boolean
  readOnly?: boolean
  category?: AssetCategory
  /** Whether OPTIONS offers the types of the category alone. */
  narrows?(params: Readonly<Record<string, string>>): boolean
}): Field<string, 'own'> {
  return {
    ...text({ filter: true, required: options.required ?? false, readOnly: options.readOnly ?? false }),
    type: 'labeled_choice',
    default: undefined,
    order: false,
    parse: (input) => {
      const value = bare(input)
      if (typeof value !== 'string' || value === '')
        throw new Rejected([say(errors.not_a_choice, { input: quoted(value) })])
      return value
    },
    wire: (value, ctx) => (value ? { value, label: typeLabel(String(value), ctx.language) } : null),
    meta: (ctx, params) => choicesOf(ctx, (options.narrows?.(params) ?? true) ? options.category : undefined),
    toCell: (wire) => (wire === null ? '-' : String((wire as { value: unknown }).value)),
  }
}

/** Category and type of an asset as labelled choices. */
export const typeAndCategory = (ctx: Context, row: { category: string; type: string }) => ({
  type: { value: row.type, label: typeLabel(row.type, ctx.language) },
  category: {
    value: row.category,
    label: assetCategoryLabels[row.category as AssetCategory]?.[ctx.language] ?? row.category,
  },
})
