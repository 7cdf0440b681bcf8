import { mfaLevels, userSources } from '@castellan/contract/choices/users'
import {
  boolean,
  choice,
  datetime,
  email,
  many,
  nullableDatetime,
  nullableText,
  secret,
  text,
} from '../../kernel/fields/index.ts'
import { defineResource } from '../../kernel/resource.ts'

const year = 365 * 86_400_000
/** A new user expires in seventy years unless told otherwise. */
const defaultExpiry = () => Date.now() + 70 * year

export const user = defineResource({
  app: 'users',
  name: 'user',
  path: 'users',
  scope: 'global',
  fields: {
    name: text({ max: 128, required: true, search: true, filter: true }),
    username: text({ max: 128, required: true, search: true, filter: true }),
    email: email({ max: 128, required: true, search: true, filter: true }),
    mfa_level: choice(mfaLevels, { numeric: true, default: 0 }),
    source: choice(userSources, { default: 'local', filter: true }),
    groups: many('users.usergroup', { through: 'users_user_groups', from: 'user_id', to: 'usergroup_id' }),
    comment: nullableText(),
    created_by: nullableText({ readOnly: true }),
    updated_by: nullableText({ readOnly: true }),
    is_service_account: boolean(),
    is_active: boolean({ default: true, filter: true }),
    is_first_login: boolean({ readOnly: true, default: true }),
    need_update_password: boolean(),
    date_expired: nullableDatetime({ default: defaultExpiry }),
    date_joined: datetime({ readOnly: true, default: () => Date.now() }),
    last_login: nullableDatetime({ readOnly: true }),
    date_updated: datetime({ readOnly: true }),
    date_api_key_last_used: nullableDatetime({ readOnly: true }),
    date_password_last_updated: nullableDatetime({ readOnly: true, default: () => Date.now() }),
  },
  columns: {
    /** Argon2id, see `kernel/passwords.ts`; empty: no password can be right. */
    password_hash: text(),
    public_key: nullableText(),
    otp_secret: secret(),
    phone: nullableText(),
    wechat: nullableText(),
    wecom_id: nullableText(),
    dingtalk_id: nullableText(),
    feishu_id: nullableText(),
  },
  unique: [['username'], ['email']],
  indexes: [['name']],
  search: ['username', 'email', 'name'],
  defaultOrder: ['name'],
  display: (row) => `${row.name}(${row.username})`,
})
