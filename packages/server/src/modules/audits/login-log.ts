import { loginMfaStates, loginReasons, loginStatuses, loginTypes } from '@castellan/contract/choices/audits'
import { errors } from '@castellan/contract/messages/errors'
import type { Field } from '../../kernel/fields/field.ts'
import { boolean, choice, computed, datetime, nullableText, text, uuid } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, text as say } from '../../kernel/module/errors.ts'
import { defineResource, type Filter } from '../../kernel/resource/resource.ts'
import { backendLabel, cityLabel, cityStored } from './login-facts.ts'
import { ofMembers } from './members.ts'

/** Success or failure: a choice whose wire value is a boolean, while filters take 1 and 0. */
const status: Field<boolean, 'own'> = {
  ...boolean({ required: true }),
  type: 'labeled_choice',
  wire: (value, ctx) => ({ value: value === true, label: loginStatuses[value ? 1 : 0][ctx.language] }),
  meta: (ctx) => ({
    choices: [1, 0].map((value) => ({ value, label: loginStatuses[value as 0 | 1][ctx.language] })),
  }),
  toCell: (wire) => ((wire as { value: boolean }).value ? 'True' : 'False'),
}

const byStatus: Filter = (_ctx, query, value) => {
  if (value !== '1' && value !== '0') throw invalid({ status: [say(errors.not_a_choice, { input: value })] })
  return query.where('t.status', '=', value === '1')
}
const byCity: Filter = (ctx, query, value) => query.where('t.city', '=', cityStored(value, ctx.language))

const declaration = {
  idFilter: true,
  app: 'audits',
  name: 'userloginlog',
  scope: 'global' as const,
  verbs: ['list', 'retrieve'] as const,
  wholeRows: true,
  bare: true,
  unlogged: true,
  fields: {
    username: text({ max: 128, required: true, filter: true }),
    type: choice(loginTypes, { required: true, filter: true }),
    ip: text({ required: true, filter: true }),
    city: {
      ...nullableText({ max: 254, filter: true }),
      wire: (value: unknown, ctx: Context) => cityLabel(value as string | null, ctx.language),
    },
    user_agent: nullableText({ max: 254 }),
    mfa: choice(loginMfaStates, { required: true, numeric: true, filter: true }),
    reason: text({ max: 128 }),
    reason_display: computed('field', {
      wire: (_value, ctx, row: { reason: string }) =>
        Object.hasOwn(loginReasons, row.reason)
          ? loginReasons[row.reason as keyof typeof loginReasons][ctx.language]
          : row.reason,
    }),
    backend: text({ max: 32 }),
    backend_display: computed('field', {
      wire: (_value, ctx, row: { backend: string }) => backendLabel(row.backend, ctx.language),
    }),
    status,
    datetime: datetime(),
  },
  columns: { user_id: uuid() },
  indexes: [
    ['datetime', 'id'],
    ['username', 'datetime', 'id'],
  ] as const,
  dateRange: 'datetime' as const,
  defaultOrder: ['-datetime'] as const,
  search: ['username', 'ip', 'city', 'id'] as const,
  filters: { status: byStatus, city: byCity },
}

/** Successful and failed sign-ins. */
export const loginLog = defineResource({
  ...declaration,
  path: 'login-logs',
  visible: (ctx, query) => ofMembers(ctx, query, 't.username', 'username'),
})

/** The caller's own sign-ins. */
export const myLoginLog = defineResource({
  ...declaration,
  shares: 'audits.userloginlog',
  path: 'my-login-logs',
  requires: { list: 'valid', retrieve: 'valid' },
  visible: (ctx, query) => query.where('t.username', '=', ctx.me.username),
})
