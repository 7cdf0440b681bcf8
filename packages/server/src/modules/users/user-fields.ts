import { mfaLevels, passwordStrategies, userSources } from '@castellan/contract/choices/users'
import {
  boolean,
  choice,
  computed,
  datetime,
  email,
  many,
  nullableDatetime,
  nullableText,
  phone,
  secret,
  text,
  unstored,
} from '../../kernel/fields/index.ts'
import type { ChangeOf, HooksOf, RowOf } from '../../kernel/resource/resource.ts'
import { decrypted } from '../../kernel/security/encrypted.ts'
import { loginBlocked } from './login-state.ts'
import { isPartialChange } from './partial-changes.ts'
import { mfaField, orgAdminField, rolesField, superuserField } from './role-fields.ts'
import { publicKeySignIn } from './settings.ts'

const year = 365 * 86_400_000
/** A new user expires in seventy years by default. */
export const defaultExpiry = () => Date.now() + 70 * year

export const isExpired = (row: { date_expired: number | null }) =>
  row.date_expired !== null && row.date_expired < Date.now()

type Validity = { is_active: boolean; date_expired: number | null }

/** The picture of a user. */
const avatarOf = (row: { username: string }) => `/static/img/avatar/${row.username === 'admin' ? 'admin' : 'user'}.svg`

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

export const userFields = {
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
  avatar_url: computed('field', {
    answers: 'string',
    wire: (_value, _ctx, row: { username: string }) => avatarOf(row),
    noExport: true,
  }),
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
  is_valid: computed('boolean', { wire: (_value, _ctx, row: Validity) => row.is_active && !isExpired(row) }),
  is_expired: computed('boolean', { wire: (_value, _ctx, row: Validity) => isExpired(row) }),
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
}

export const userColumns = {
  /** Argon2id, see `kernel/security/passwords.ts`; empty: no password matches. */
  password_hash: text(),
  otp_secret: secret(),
}

export type UserRow = RowOf<typeof userFields, typeof userColumns>
export type UserChange = ChangeOf<typeof userFields, typeof userColumns>
export type UserHooks = HooksOf<typeof userFields, typeof userColumns>
/** What is known of a user before the secrets of a new row are sealed. */
export type KnownUser = Omit<UserRow, 'otp_secret'>
