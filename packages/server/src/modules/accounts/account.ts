import { accountInvalidPolicies, accountSources, secretTypes } from '@castellan/contract/choices/accounts'
import { connectivities } from '@castellan/contract/choices/assets'
import {
  boolean,
  choice,
  computed,
  datetime,
  integer,
  json,
  longText,
  nullableDatetime,
  nullableText,
  one,
  secret,
  text,
} from '../../kernel/fields/index.ts'
import { defineResource } from '../../kernel/resource.ts'

/** A way of signing in to one asset. Its secret is sealed; `secret.ts` has the only door to it. */
export const account = defineResource({
  app: 'accounts',
  name: 'account',
  path: 'accounts',
  scope: 'org',
  fields: {
    name: text({ max: 128, filter: true, nullable: true }),
    username: text({ max: 128, required: true, blank: true, filter: true }),
    secret_type: choice(secretTypes, { default: 'password', filter: true }),
    secret: secret({ max: 40_960 }),
    spec_info: computed('field', {
      wire: (_value, _ctx, row) => (row.fingerprint ? { ssh_key_fingerprint: row.fingerprint } : {}),
    }),
    created_by: nullableText({ readOnly: true }),
    comment: longText(),
    su_from: one('accounts.account', { attrs: ['id', 'name', 'username'], nullable: true }),
    asset: one('assets.asset', { required: true, onDelete: 'cascade' }),
    version: integer({ default: 0 }),
    source: choice(accountSources, { default: 'local', nullable: true }),
    source_id: nullableText({ max: 128, filter: true }),
    connectivity: choice(connectivities, { readOnly: true, default: '-' }),
    privileged: boolean({ default: false }),
    is_active: boolean({ default: true }),
    date_created: datetime({ readOnly: true }),
    date_updated: datetime({ readOnly: true }),
  },
  columns: {
    date_verified: nullableDatetime(),
    /** `MD5:…` of an SSH key's public half; empty for other secrets. */
    fingerprint: text(),
    params: json({ default: {}, nullable: true }),
  },
  unique: [
    ['username', 'asset_id', 'secret_type'],
    ['name', 'asset_id'],
  ],
  indexes: [['asset_id'], ['org_id', 'date_updated'], ['org_id', 'username'], ['source_id']],
  search: ['username', 'name', 'comment'],
  mini: ['id', 'name', 'username'],
  display: (row) => `${row.name}(${row.username})`,
})

void accountInvalidPolicies
