import { mfaLevels, passwordStrategies, userSources } from '@castellan/contract/choices/users'
import { usersMessages } from '@castellan/contract/messages/users'
import type { Context } from '../../kernel/context.ts'
import { decrypted } from '../../kernel/encrypted.ts'
import { badRequest, text as say } from '../../kernel/errors.ts'
import type { AnyRow } from '../../kernel/fields/field.ts'
import {
  boolean,
  choice,
  computed,
  datetime,
  email,
  many,
  nullableDatetime,
  nullableText,
  secret,
  text,
  unstored,
} from '../../kernel/fields/index.ts'
import { defineResource } from '../../kernel/resource.ts'
import { loginBlocked } from './login-state.ts'
import { membersOnly, memberTotal } from './membership.ts'
import { phone } from './phone.ts'
import { mfaField, orgAdminField, rolesField, superuserField } from './role-fields.ts'
import { publicKeySignIn } from './settings.ts'
import { userActions } from './user-actions.ts'
import { userFilters, userRuleAttributes } from './user-filters.ts'
import { isPartialChange, userGuard, userHooks } from './user-hooks.ts'

const year = 365 * 86_400_000
/** A new user expires in seventy years by default. */
export const defaultExpiry = () => Date.now() + 70 * year

export const isExpired = (row: AnyRow) => typeof row.date_expired === 'number' && row.date_expired < Date.now()

/** Sent, but not stored as such: the hooks set it (`passwords.ts`). */
const sentPassword = text({ max: 1024, writeOnly: true, nullable: true, verbatim: true })
const password = unstored(sentPassword, {
  order: true,
  parse: (input, ctx) => sentPassword.parse?.(decrypted(ctx, input), ctx),
})

const passwordStrategy = unstored(choice(passwordStrategies, { nullable: true, default: 'email' }), {
  order: false,
  // The sent password is not stored; the contract shows a strategy instead.
  wire: (_value, ctx) =>
    isPartialChange(ctx) ? null : { value: 'email', label: passwordStrategies.email[ctx.language] },
})

/** Role fields exist only for callers who may see, or grant, roles of that scope. */
function hidden(ctx: Context, verb: string): string[] {
  const need = verb === 'create' || verb === 'update' ? 'add' : 'view'
  return (['system', 'org'] as const)
    .filter((scope) => !ctx.can(`rbac.${need}_${scope}rolebinding`))
    .map((scope) => `${scope}_roles`)
}

export const user = defineResource({
  app: 'users',
  name: 'user',
  path: 'users',
  scope: 'global',
  fields: {
    name: text({ max: 128, required: true, filter: true }),
    username: text({ max: 128, required: true, filter: true }),
    password,
    public_key: nullableText({ writeOnly: true }),
    email: email({ max: 128, required: true, filter: true }),
    wechat: text({ max: 256 }),
    phone: phone(),
    mfa_level: choice(mfaLevels, { numeric: true, default: 0 }),
    source: choice(userSources, { default: 'local', filter: true }),
    wecom_id: nullableText({ readOnly: true }),
    dingtalk_id: nullableText({ readOnly: true }),
    feishu_id: nullableText({ readOnly: true }),
    created_by: nullableText({ readOnly: true }),
    updated_by: nullableText({ max: 30 }),
    comment: nullableText(),
    is_superuser: superuserField(),
    is_org_admin: orgAdminField(),
    avatar_url: computed('field', { wire: (_value, _ctx, row) => avatarOf(row), noExport: true }),
    groups: many('users.usergroup', {
      through: 'users_user_groups',
      from: 'user_id',
      to: 'usergroup_id',
      shownInOrg: true,
    }),
    system_roles: rolesField('system'),
    org_roles: rolesField('org'),
    password_strategy: passwordStrategy,
    is_service_account: boolean(),
    is_valid: computed('boolean', { wire: (_value, _ctx, row) => row.is_active && !isExpired(row) }),
    is_expired: computed('boolean', { wire: (_value, _ctx, row) => isExpired(row) }),
    is_active: boolean({ default: true, filter: true }),
    is_otp_secret_key_bound: computed('boolean', { wire: (_value, _ctx, row) => row.otp_secret !== null }),
    can_public_key_auth: computed('boolean', {
      wire: (_value, ctx) => publicKeySignIn.of(ctx).TERMINAL_PUBLIC_KEY_AUTH,
    }),
    mfa_enabled: mfaField('enabled'),
    need_update_password: boolean(),
    mfa_force_enabled: mfaField('forced'),
    is_first_login: boolean({ readOnly: true, default: true }),
    login_blocked: loginBlocked(),
    date_expired: nullableDatetime({ default: defaultExpiry }),
    date_joined: datetime({ readOnly: true, default: () => Date.now() }),
    last_login: nullableDatetime({ readOnly: true }),
    date_updated: datetime({ readOnly: true }),
    date_api_key_last_used: nullableDatetime({ readOnly: true }),
    date_password_last_updated: nullableDatetime({ readOnly: true, default: () => Date.now() }),
  },
  columns: {
    /** Argon2id, see `kernel/passwords.ts`; empty: no password matches. */
    password_hash: text(),
    otp_secret: secret(),
  },
  unique: [['username'], ['email'], ['wecom_id'], ['dingtalk_id'], ['feishu_id']],
  // User lists are counted and skipped without reading rows, and the few components are found directly.
  indexes: [['is_service_account', 'name', 'id']],
  idFilter: true,
  mini: ['id', 'name', 'username'],
  small: [
    ...['id', 'name', 'username', 'password', 'public_key', 'email', 'wechat', 'phone', 'mfa_level', 'source'],
    ...['wecom_id', 'dingtalk_id', 'feishu_id', 'created_by', 'updated_by', 'comment'],
  ],
  search: ['username', 'email', 'name'],
  defaultOrder: ['name'],
  display: (row) => `${row.name}(${row.username})`,
  visible: membersOnly,
  total: memberTotal,
  hidden,
  suggestions: {
    requires: 'users.match_user',
    acrossOrgs: true,
    fields: ['id', 'name', 'username'],
  },
  filters: userFilters,
  ruleAttributes: userRuleAttributes,
  hooks: userHooks,
  guard: userGuard,
  actions: userActions,
  bulkDelete: async (_ctx, selected, all) => {
    if (selected.length >= (await all())) throw badRequest(say(usersMessages.delete_all), 'unable_to_delete_all_users')
  },
})

function avatarOf(row: AnyRow): string {
  return `/static/img/avatar/${row.username === 'admin' ? 'admin' : 'user'}.svg`
}
