import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { assetTypeLabels } from '@castellan/contract/asset-types'
import { batches } from '../../../db/batches.ts'
import { Reply } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { organizationNames } from '../../../kernel/resource/standard-fields.ts'
import type { AssetRow } from '../asset-fields.ts'
import type { NodeRow } from './node-rows.ts'
import type { PlacementIndex } from './placement-index.ts'
import type { PlacedNode } from './tree-shape.ts'

/** A node as an item of the console's tree. */
export function nodeItem(
  node: Pick<NodeRow, 'id' | 'key' | 'value' | 'parent_key'>,
  amount: number | string,
  open = true,
) {
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

/** Placeholder for a value inserted into cached text; random, so that no name can contain it. */
const gap = randomUUID()

/** Cached texts of nodes around their amounts: a changed node is a new object in the index. */
const opened = new WeakMap<PlacedNode, readonly string[]>()
const closed = new WeakMap<PlacedNode, readonly string[]>()

/** `nodeItem` as JSON. Levels of thousands of nodes are concatenated from cached texts. */
export function nodeText(node: PlacedNode, amount: number, open = true): string {
  const written = open ? opened : closed
  let parts = written.get(node)
  if (!parts) {
    parts = JSON.stringify(nodeItem(node, gap, open)).split(gap)
    written.set(node, parts)
  }
  return `${parts[0]}${amount}${parts[1]}${amount}${parts[2]}`
}

/** Cached levels, valid until an amount changes: at most the size of the whole tree, 250 bytes per node. */
const levels = new WeakMap<Int32Array, Map<number, Buffer>>()

/** The children of a node with the amounts of their subtrees, as comma-separated JSON items. */
export function levelText(index: PlacementIndex, parent: number): Buffer {
  const { totals } = index
  const known = levels.get(totals) ?? new Map<number, Buffer>()
  levels.set(totals, known)
  let level = known.get(parent)
  if (!level) {
    level = Buffer.from(
      index
        .children(parent)
        .map((node) => nodeText(index.node(node), totals[node] ?? 0))
        .join(','),
    )
    known.set(parent, level)
  }
  return level
}

const [opening, comma, closing] = ['[', ',', ']'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer]

/** A tree whose items are already JSON: single ones, or several separated by commas. */
export function treeReply(items: readonly (string | Buffer)[]): Reply {
  const parts: Buffer[] = []
  let texts: string[] = []
  const write = () => {
    if (texts.length > 0) parts.push(Buffer.from(texts.join(',')))
    texts = []
  }
  for (const item of items) {
    if (typeof item === 'string') texts.push(item)
    else {
      write()
      if (item.length > 0) parts.push(item)
    }
  }
  write()
  const whole = [opening, ...parts.flatMap((part, at) => (at > 0 ? [comma, part] : [part])), closing]
  const length = whole.reduce((sum, piece) => sum + piece.length, 0)
  // Streamed in parts: copying a wide level for each response would burden the garbage collector.
  return new Reply(200, Readable.from(whole, { objectMode: false }), {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(length),
  })
}

type TreeAsset = Pick<AssetRow, 'id' | 'name' | 'address' | 'comment' | 'category' | 'type' | 'is_active' | 'org_id'>

function icon(row: { category: string; type: string }): string {
  if (row.category === 'device') return 'switch'
  return Object.hasOwn(assetTypeLabels, row.type) ? row.type : 'file'
}

/**
 * An asset as an item of the console's tree.
 * @param sftp whether files can be transferred by SFTP
 */
export const assetItem = (row: TreeAsset, pId: string, organization: string, sftp: boolean) => ({
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
      org_name: organization,
      sftp,
      name: row.name,
      address: row.address,
    },
  },
})

/** Assets as items of the console's tree, all below one key. */
export async function assetItems(ctx: Context, rows: readonly TreeAsset[], pId: string) {
  const names = await organizationNames(ctx)
  const ids = rows.map(({ id }) => id)
  const sftp = new Set<unknown>()
  for (const some of batches(ids))
    for (const { asset_id } of await ctx.rawDb
      .selectFrom('assets_protocol')
      .select('asset_id')
      .where('name', '=', 'sftp')
      .where('asset_id', 'in', some)
      .execute())
      sftp.add(asset_id)
  return rows.map((row) => assetItem(row, pId, names.get(row.org_id) ?? '', sftp.has(row.id)))
}
