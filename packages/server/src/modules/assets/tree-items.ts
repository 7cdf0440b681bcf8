import { assetTypeLabels } from '@castellan/contract/asset-types'
import type { Context } from '../../kernel/context.ts'
import type { AnyRow } from '../../kernel/fields/index.ts'
import { organisationNames } from '../../kernel/standard-fields.ts'
import type { NodeRow } from './node-rows.ts'

/** A node as the console's tree takes it (assets.md §10.4). */
export function nodeItem(node: Pick<NodeRow, 'id' | 'key' | 'value' | 'parent_key'>, amount: number, open = true) {
  const name = `${node.value} (${amount})`
  return {
    id: node.key,
    name,
    title: name,
    pId: node.parent_key,
    isParent: true,
    open,
    meta: { type: 'node', data: { id: node.id, key: node.key, value: node.value } },
  }
}

function icon(row: AnyRow): string {
  if (row.category === 'device') return 'switch'
  return Object.hasOwn(assetTypeLabels, row.type) ? row.type : 'file'
}

/** An asset as the console's tree takes it. @param sftp whether files can be moved by SFTP */
export const assetItem = (row: AnyRow, pId: string, organisation: string, sftp: boolean) => ({
  id: row.id,
  name: row.name,
  title: `${row.address}\n${row.comment}`,
  pId,
  isParent: false,
  open: false,
  iconSkin: icon(row),
  chkDisabled: !row.is_active,
  meta: {
    type: 'asset',
    data: {
      platform_type: row.type,
      org_name: organisation,
      sftp,
      name: row.name,
      address: row.address,
    },
  },
})

/** Assets as the console's tree takes them, all below one key. */
export async function assetItems(ctx: Context, rows: readonly AnyRow[], pId: string) {
  const names = await organisationNames(ctx)
  const ids = rows.map(({ id }) => id)
  const sftp = new Set<unknown>()
  for (let at = 0; at < ids.length; at += 500)
    for (const { asset_id } of await ctx.unscoped
      .selectFrom('assets_protocol')
      .select('asset_id')
      .where('name', '=', 'sftp')
      .where('asset_id', 'in', ids.slice(at, at + 500))
      .execute())
      sftp.add(asset_id)
  return rows.map((row) => assetItem(row, pId, names.get(row.org_id) ?? '', sftp.has(row.id)))
}
