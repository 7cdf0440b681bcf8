import { defineEvent } from '../../kernel/events/events.ts'
import { on } from '../../kernel/module/hooks.ts'
import { rowsChanged } from '../../kernel/resource/changes.ts'
import { commandFilterAcl } from './command-filter.ts'
import { commandGroup } from './command-group.ts'
import { loginAssetAcl } from './login-asset.ts'

/** Rules about the use of assets were changed: what runs by them is judged again. */
export const rulesChanged = defineEvent<object>('acls.rules.changed')

const tables: ReadonlySet<string> = new Set([loginAssetAcl.table, commandFilterAcl.table, commandGroup.table])

export const ruleListener = on(rowsChanged, async (ctx, changes) => {
  if (changes.some(({ resource }) => tables.has(resource.table))) await ctx.publish(rulesChanged, {})
})
