import { accountSources, secretTypes } from '@castellan/contract/choices/accounts'
import { connectivities } from '@castellan/contract/choices/assets'
import type { Context } from '../../kernel/context.ts'
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
import { defineResource, type ListQuery } from '../../kernel/resource.ts'
import { filePasswordOf } from '../users/index.ts'
import { assetField, creationFields } from './account-fields.ts'
import { accountFilters } from './account-filters.ts'
import { accountHooks } from './account-hooks.ts'
import { createAccounts } from './create-accounts.ts'
import type { SentTo } from './sent-to.ts'

/** Fields of an account in all its declarations. */
export const accountFields = {
  name: text({ max: 128, nullable: true }),
  username: text({ max: 128, required: true, blank: true, filter: true }),
  secret_type: choice(secretTypes, { default: 'password', filter: true }),
  secret: secret({ max: 40_960 }),
  passphrase: creationFields.passphrase,
  spec_info: computed('field', {
    wire: (_value, _ctx, row) => (row.fingerprint ? { ssh_key_fingerprint: row.fingerprint } : {}),
  }),
  created_by: nullableText({ readOnly: true }),
  comment: longText(),
  su_from: one('accounts.account', { attrs: ['id', 'name', 'username'], nullable: true }),
  asset: assetField,
  version: integer({ default: 0, resets: false, min: -2_147_483_648, max: 2_147_483_647 }),
  source: choice(accountSources, { default: 'local', nullable: true }),
  source_id: nullableText({ max: 128, filter: true }),
  connectivity: choice(connectivities, { readOnly: true, default: '-' }),
  template: creationFields.template,
  params: creationFields.params,
  on_invalid: creationFields.on_invalid,
  privileged: boolean({ default: false }),
  is_active: boolean({ default: true }),
  push_now: creationFields.push_now,
  has_secret: computed('boolean', { wire: (_value, _ctx, row) => row.secret !== null }),
  date_created: datetime({ readOnly: true }),
  date_updated: datetime({ readOnly: true }),
}

const accountColumns = {
  date_verified: nullableDatetime(),
  /** `MD5:…` of an SSH key's public half; empty for other secrets. */
  fingerprint: text(),
  /** Last destination of the secret, to detect a new one. */
  sent_to: json<SentTo | null>({ nullable: true, default: null }),
}

export const accountDeclaration = {
  idFilter: true,
  app: 'accounts',
  scope: 'org' as const,
  fields: accountFields,
  columns: accountColumns,
  unique: [
    ['username', 'asset_id', 'secret_type'],
    ['name', 'asset_id'],
  ],
  indexes: [['asset_id'], ['org_id', 'date_updated'], ['org_id', 'username'], ['source_id'], ['su_from_id']],
  search: ['username', 'name', 'a.name', 'a.address', 'comment'],
  mini: ['id', 'name', 'username'],
  filters: accountFilters,
  // Search and filters also use columns of the asset.
  visible: (_ctx: unknown, query: ListQuery) =>
    query.innerJoin('assets_asset as a', 'a.id', 't.asset_id') as unknown as ListQuery,
  hidden: (_ctx: unknown, verb: string) => (verb === 'retrieve' ? [] : ['has_secret']),
  display: (row: Record<string, unknown>) => `${row.name}(${row.username})`,
  filePassword: (ctx: Context) => filePasswordOf(ctx, ctx.me.id),
}

/** Credentials for one asset. The secret is sealed and only opened in `secret.ts`. */
export const account = defineResource({
  ...accountDeclaration,
  name: 'account',
  path: 'accounts',
  hooks: accountHooks,
  create: createAccounts,
})
