import type { Context } from '../../../kernel/module/context.ts'
import { scoped } from '../../../kernel/resource/repository.ts'
import { asset, nodeBy } from '../../assets/index.ts'
import type { Subject } from '../subject.ts'
import { inGrantedNode } from './granted-tree.ts'
import { isSpecial, specialAssets } from './user-trees.ts'

/** Ids of the assets of the current organization that a user is granted in nodes of their tree, by id, or `favorite` and `ungrouped`. */
export async function grantedAssetsIn(ctx: Context, user: Subject, nodes: readonly string[]): Promise<string[]> {
  const found = new Set<string>()
  for (const word of new Set(nodes)) {
    let query = isSpecial(word) ? await specialAssets(ctx, user, word) : undefined
    const node = query ? undefined : await nodeBy(ctx, word)
    if (node) query = await inGrantedNode(ctx, scoped(ctx, asset), user.id, node.key)
    if (!query) continue
    for (const { id } of await query.clearSelect().select('t.id').execute()) found.add(String(id))
  }
  return [...found]
}
