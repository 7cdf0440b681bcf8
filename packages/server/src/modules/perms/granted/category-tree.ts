import { assetCategories, assetCategoryLabels, assetTypes } from '@castellan/contract/asset-types'
import { say } from '@castellan/contract/messages'
import { assetsMessages } from '@castellan/contract/messages/assets'
import { typeLabel } from '@castellan/contract/platforms'
import type { StoredRow } from '../../../kernel/fields/field.ts'
import type { Context } from '../../../kernel/module/context.ts'
import type { ListQuery } from '../../../kernel/resource/resource.ts'

interface Asked {
  type: string | undefined
  /** A subtree is requested, so the root exists already. */
  lazy: boolean
  /** Returns everything at once, including the assets. */
  sync: boolean
  leaves(query: ListQuery, pId: string): Promise<StoredRow[]>
}

const idOf = (category: string, type?: string) => `ROOT_${category.toUpperCase()}${type ? `_${type}` : ''}`

/** Granted assets by category and type, without empty ones. */
export async function grantedCategories(ctx: Context, granted: ListQuery, asked: Asked): Promise<unknown[]> {
  const counted = (await granted
    .clearSelect()
    .select(['t.category', 't.type', (eb) => eb.fn.countAll().as('n')])
    .groupBy(['t.category', 't.type'])
    .execute()) as unknown as { category: string; type: string; n: unknown }[]
  if (counted.length === 0) return []
  if (asked.type) {
    const found = counted.find(({ type }) => type === asked.type)
    return found ? asked.leaves(granted.where('t.type', '=', asked.type), idOf(found.category, found.type)) : []
  }
  const title = say(assetsMessages.all_types, ctx.language)
  const result: unknown[] = []
  if (!asked.lazy) result.push({ id: 'ROOT', name: title, title, isParent: true, open: true, meta: { data: {} } })
  for (const category of assetCategories) {
    const known: readonly string[] = assetTypes[category]
    const rank = (type: string) => (known.includes(type) ? known.indexOf(type) : known.length)
    const types = counted
      .filter((row) => row.category === category)
      .sort((a, b) => rank(a.type) - rank(b.type) || (a.type < b.type ? -1 : 1))
    if (types.length === 0) continue
    const label = assetCategoryLabels[category][ctx.language]
    result.push(item(idOf(category), label, sum(types.map(({ n }) => Number(n))), 'ROOT', true, category, category))
    for (const { type, n } of types) {
      const id = idOf(category, type)
      result.push(item(id, typeLabel(type, ctx.language), Number(n), idOf(category), asked.sync, category, type))
      if (asked.sync) result.push(...(await asked.leaves(granted.where('t.type', '=', type), id)))
    }
  }
  return result
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0)

const item = (id: string, label: string, n: number, pId: string, open: boolean, category: string, type: string) => ({
  id,
  name: `${label}(${n})`,
  title: label,
  pId,
  isParent: true,
  open,
  type,
  meta: { type: category === type ? 'category' : 'type', category, _type: type, data: {} },
})
