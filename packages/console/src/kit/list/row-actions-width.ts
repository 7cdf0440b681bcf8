/** Available actions of a list: per row and bulk. */
import { can, code, type rights } from '../session.ts'
import type { CompleteListSpec } from './spec.ts'

/** Update, clone and delete as declared by the screen; by default all, if rows have their own pages. */
export function rowActionDefaults(spec: CompleteListSpec) {
  return {
    update: spec.actions.update ?? (spec.path ? {} : false),
    clone: spec.actions.clone ?? (spec.path ? {} : false),
    remove: spec.actions.remove ?? {},
  } as const
}

/** In pixels; 0 if rows have no buttons. */
export function rowActionsWidth(spec: CompleteListSpec, own: ReturnType<typeof rights>): number {
  if (spec.picking) return 0
  if (spec.actions.row?.some((action) => action.primary)) return 116
  const { update, clone, remove } = rowActionDefaults(spec)
  const some = (update && own.change) || (clone && own.add) || (remove && own.delete) || spec.actions.row?.length
  return some ? 48 : 0
}

export function mayExport({ files, resource }: CompleteListSpec): boolean {
  const { export: exporting } = files
  const own = typeof exporting === 'object' ? exporting.permission : undefined
  return exporting !== false && can(own ?? code(resource, 'view'))
}

/** Bulk actions. */
export function batchOf(spec: CompleteListSpec, own: ReturnType<typeof rights>) {
  const { remove } = spec.actions
  return {
    updating: Boolean(spec.bulk.fields ?? spec.bulk.form) && own.change,
    removing: remove !== false && own.delete && (typeof remove !== 'object' || remove.batch !== false),
    others: (spec.bulk.actions ?? []).filter((action) => action.visible ?? true),
  } as const
}

/** Whether rows can be selected: only if there is a bulk action. */
export function isSelectable(spec: CompleteListSpec, own: ReturnType<typeof rights>): boolean {
  if (!spec.selectable || spec.picking) return spec.selectable
  const { updating, removing, others } = batchOf(spec, own)
  return updating || removing || others.length > 0 || mayExport(spec)
}
