import { componentTypes, sessionErrorReasons, sessionOrigins, sessionTypes } from '@castellan/contract/choices/terminal'
import {
  boolean,
  choice,
  computed,
  datetime,
  describedAs,
  integer,
  nullableDatetime,
  nullableText,
  rawChoice,
  text,
  uuid,
} from '../../../kernel/fields/index.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { fieldsInfo } from '../../../kernel/resource/metadata.ts'
import type { ChangeOf, RowOf } from '../../../kernel/resource/resource.ts'
import { reportedOrgFields } from '../../../kernel/resource/standard-fields.ts'
import { canJoin, componentsOf, type Joinable } from './session-components.ts'

const reportedOrg = reportedOrgFields({ required: true })
/** Fields of a session's component. */
const componentParts = { id: uuid(), name: text({ max: 128, required: true }), type: rawChoice(componentTypes) }

export const sessionFields = (mine: boolean) => ({
  user: text({ max: 128, required: true, filter: true }),
  asset: text({ required: true, filter: true }),
  user_id: text({ max: 36 }),
  asset_id: text({ max: 36 }),
  account: text({ max: 128, required: true, filter: true }),
  account_id: text({ max: 128, required: true }),
  protocol: text({ max: 128, required: true, filter: true }),
  type: choice(sessionTypes, { default: 'normal' }),
  login_from: choice(sessionOrigins, { default: 'ST', filter: true }),
  remote_addr: nullableText({ max: 128, filter: true }),
  comment: describedAs(nullableText({ max: 4096 }), { max_length: undefined }),
  terminal_display: computed('field', {
    load: async (ctx) => {
      const components = await componentsOf(ctx)
      return (row: { terminal_id: string | null }) => components.get(row.terminal_id ?? '')?.name ?? ''
    },
  }),
  is_locked: computed('field', { wire: (_value, _ctx, row) => row.locked && !row.is_finished }),
  command_amount: computed(mine ? 'field' : 'integer', { wire: (_value, _ctx, row) => Number(row.commands) }),
  error_reason: choice(sessionErrorReasons, { blank: true, default: '' as never }),
  terminal: {
    ...computed(mine ? 'object_related_field' : 'nested object', {
      ...(mine ? {} : { meta: (ctx: Context) => ({ children: fieldsInfo(ctx, 'terminal', componentParts) }) }),
      load: async (ctx) => {
        const components = await componentsOf(ctx)
        return (row: { terminal_id: string | null }) => {
          const found = components.get(row.terminal_id ?? '')
          if (!found) return null
          return mine ? { id: found.id, name: found.name } : { id: found.id, name: found.name, type: found.type }
        }
      },
      toCell: (wire) => (wire as { name?: string } | null)?.name ?? '-',
    }),
  },
  /** Display form of the gateway it leads through, which v3 does not know. */
  gateway: { ...nullableText({ max: 1024 }), undescribed: true },
  ...reportedOrg,
  org_id: describedAs(reportedOrg.org_id, { max_length: undefined }),
  is_success: boolean({ default: true }),
  is_finished: boolean({ filter: true }),
  has_replay: boolean(),
  has_command: boolean(),
  can_replay: computed('boolean', { wire: (_value, _ctx, row) => row.has_replay }),
  can_join: computed('boolean', {
    load: async (ctx) => {
      const components = await componentsOf(ctx)
      return (row: Joinable & { terminal_id: string | null }) =>
        canJoin(row, components.get(row.terminal_id ?? '')?.type)
    },
  }),
  can_terminate: computed('boolean', { wire: (_value, _ctx, row) => !row.is_finished }),
  date_start: datetime({ default: () => Date.now(), resets: false }),
  date_end: nullableDatetime(),
})

export const sessionColumns = {
  terminal_id: uuid(),
  /** Input is blocked by an auditor. */
  locked: boolean(),
  /** Number of recorded commands, updated when they are stored. */
  commands: integer({ default: 0 }),
}

type Fields = ReturnType<typeof sessionFields>
export type SessionRow = RowOf<Fields, typeof sessionColumns>
export type SessionChange = ChangeOf<Fields, typeof sessionColumns>
