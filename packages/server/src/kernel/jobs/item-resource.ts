import type { Language } from '@castellan/contract/messages'
import { itemStatuses } from '@castellan/contract/messages/automations'
import { computed, integer, nullableDatetime, nullableText, rawChoice, unstored } from '../fields/index.ts'
import { own } from '../fields/safe-lookup.ts'
import { defineResource } from '../resource/resource.ts'
import type { ItemState } from './states.ts'

type ItemStatus = keyof typeof itemStatuses

const statusOf: Readonly<Record<ItemState, ItemStatus>> = {
  PENDING: 'pending',
  RUNNING: 'running',
  SUCCESS: 'success',
  FAILURE: 'failed',
  SKIPPED: 'skipped',
  CANCELED: 'canceled',
  LOST: 'lost',
}
/** The status of an item as lists show it, with its name in a language. */
export function itemStatus(state: string, language: Language): { value: ItemStatus; label: string } {
  const value = statusOf[state as ItemState]
  return { value, label: itemStatuses[value][language] }
}
const stateOf = Object.fromEntries(Object.entries(statusOf).map(([state, status]) => [status, state]))

/**
 * The items of executions as lists show them. It has no address of its own: a module lists those of one execution that
 * the caller may see (`listReply` with a condition on `t.job_id`). Payloads and checkpoints stay inside.
 */
export const jobItem = defineResource({
  app: 'kernel',
  name: 'jobitem',
  path: 'job-items',
  table: 'kernel_job_item',
  shares: 'kernel.jobitem',
  scope: 'global',
  bare: true,
  unlogged: true,
  verbs: [],
  bulk: false,
  fields: {
    target: computed('nested object', {
      wire: (_value, _ctx, row) => ({ id: row.target_id, type: row.target_type, name: row.target_label }),
    }),
    status: unstored(rawChoice(itemStatuses, { readOnly: true, filter: true, order: false }), {
      type: 'labeled_choice',
      wire: (_value, ctx, row) => itemStatus(String(row.state), ctx.language),
    }),
    attempts: { ...integer({ readOnly: true }), order: false },
    error_code: { ...nullableText({ readOnly: true }), order: false },
    error: { ...nullableText({ readOnly: true }), order: false },
    date_start: nullableDatetime({ readOnly: true }),
    date_finished: nullableDatetime({ readOnly: true }),
  },
  columns: { position: integer() },
  search: ['t.target_label', 't.error'],
  defaultOrder: ['position'],
  filters: {
    status: (_ctx, query, value) => {
      const state: string = own(stateOf, value) ?? ''
      return query.where('t.state', '=', state)
    },
  },
})
