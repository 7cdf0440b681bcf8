/** Available actions of a list: per row and bulk. */
import { can, code, type rights } from '../session.ts'
import type { ListSpec } from './spec.ts'

/** Update, clone and delete as declared by the screen; by default all, if rows have their own pages. */
export function rowActionDefaults(spec: ListSpec) {
  return {
    update: spec.update ?? (spec.path ? {} : false),
    clone: spec.clone ?? (spec.path ? {} : false),
    remove: spec.remove ?? {},
  } as const
}

/** In pixels; 0 if rows have no buttons. */
export function rowActionsWidth(spec: ListSpec, own: ReturnType<typeof rights>): number {
  if (spec.picking) return 0
  if (spec.rowActions?.some((action) => action.primary)) return 116
  const { update, clone, remove } = rowActionDefaults(spec)
  const some = (update && own.change) || (clone && own.add) || (remove && own.delete) || spec.rowActions?.length
  return some ? 48 : 0
}

export function mayExport({ exporting, resource }: ListSpec): boolean {
  const own = typeof exporting === 'object' ? exporting.permission : undefined
  return exporting !== false && can(own ?? code(resource, 'view'))
}

/** Bulk actions. */
export function batchOf(spec: ListSpec, own: ReturnType<typeof rights>) {
  const { remove } = spec
  return {
    updating: Boolean(spec.batchFields ?? spec.batchForm) && own.change,
    removing: remove !== false && own.delete && (typeof remove !== 'object' || remove.batch !== false),
    others: (spec.batchActions ?? []).filter((action) => action.visible ?? true),
  } as const
}

/** Whether rows can be selected: only if there is a bulk action. */
export function isSelectable(spec: ListSpec, own: ReturnType<typeof rights>): boolean {
  if (spec.selectable === false || spec.picking) return spec.selectable !== false
  const { updating, removing, others } = batchOf(spec, own)
  return updating || removing || others.length > 0 || mayExport(spec)
}
