/** Whether the rows of a list have buttons of their own, and how much room these take. */
import type { rights } from '../session.ts'
import type { ListSpec } from './spec.ts'

/** Update, clone and delete as the screen allows them; where it says nothing, rows with pages of their own have all. */
export function manners(spec: ListSpec) {
  return {
    update: spec.update ?? (spec.path ? {} : false),
    clone: spec.clone ?? (spec.path ? {} : false),
    remove: spec.remove ?? {},
  } as const
}

/** In pixels; 0 where no row could ever have a button. */
export function actsWidth(spec: ListSpec, own: ReturnType<typeof rights>): number {
  if (spec.picking) return 0
  if (spec.rowActions?.some((action) => action.wanted)) return 116
  const { update, clone, remove } = manners(spec)
  const some = (update && own.change) || (clone && own.add) || (remove && own.delete) || spec.rowActions?.length
  return some ? 48 : 0
}
