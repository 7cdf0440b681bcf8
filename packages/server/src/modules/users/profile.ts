import { signInErrors } from '@castellan/contract/messages/sign-in'
import { base, type Field, type StoredRow } from '../../kernel/fields/field.ts'
import { computed, text } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { text as say } from '../../kernel/module/errors.ts'
import { fieldsInfo, itemInfo } from '../../kernel/resource/metadata.ts'
import { defineResource, type HooksOf } from '../../kernel/resource/resource.ts'
import { serializeOne } from '../../kernel/resource/serialize.ts'
import { receiveBackendsOf } from '../notifications/index.ts'
import { holdingsOf, organizationsOf, permissionsOf } from '../rbac/index.ts'
import { basic } from '../settings/index.ts'
import { userBy } from './find-user.ts'
import { publicKeyFacts } from './public-key.ts'
import { mfaForced } from './role-fields.ts'
import { publicKeySignIn } from './settings.ts'
import { user } from './user.ts'
import { userColumns } from './user-fields.ts'
import { demandOwnConfirmation, tellWaysChanged, waysChanged } from './ways-in.ts'

/** Fields users may change about themselves; all other fields are read-only. */
const own = new Set(['is_first_login', 'mfa_level', 'phone', 'wechat', 'public_key', 'comment'])

const { password: _password, ...shared } = user.fields
const restricted = Object.fromEntries(
  Object.entries<Field>(shared).map(([name, field]) => [
    name,
    { ...field, readOnly: !own.has(name), required: false, resets: false },
  ]),
) as typeof shared

const keyFact = (fact: 'comment' | 'md5') =>
  computed('string', {
    wire: (_value, _ctx, row: { public_key: string | null }) => publicKeyFacts(row.public_key)?.[fact] ?? '',
    meta: () => ({ max_length: 128 }),
  })

const organization = {
  id: text({ required: true }),
  name: text({ required: true }),
  is_default: computed('boolean', {}),
  is_root: computed('boolean', {}),
}

const organizationList = (view: 'console' | 'audit' | 'workbench') =>
  computed('field', {
    meta: (ctx) => itemInfo(fieldsInfo(ctx, 'orgs', organization), { read_only: true }),
    load: async (ctx, rows: readonly { id: string }[]) => {
      const found = new Map<string, unknown>()
      for (const row of rows)
        found.set(row.id, (await ctx.once(`orgs of ${row.id}`, () => organizationsOf(ctx, row.id)))[view])
      return (row: { id: string }) => found.get(row.id)
    },
  })

/** OPTIONS entry of a plain list. */
const listOf = (type: Field['type']) => ({ child: { type, required: true, read_only: false, write_only: false } })

const hooks: HooksOf<typeof shared, typeof userColumns> = {
  async validate(ctx, changes, problem) {
    for (const change of changes) {
      const { values, row, before } = change
      const chosen = { ...row }
      if (values.mfa_level !== undefined && before && mfaForced(ctx, before, await holdingsOf(ctx, [row.id]))) {
        row.mfa_level = 2
        // Not the user's choice: nothing to confirm.
        chosen.mfa_level = before.mfa_level
      }
      const keysAllowed = publicKeySignIn.of(ctx).TERMINAL_PUBLIC_KEY_AUTH
      if (!values.public_key || !keysAllowed) row.public_key = before?.public_key ?? null
      else if (!publicKeyFacts(row.public_key))
        problem(change.index, 'public_key', say(signInErrors.public_key_invalid))
      // Completed once: a newcomer's exemptions do not come back.
      if (before && !before.is_first_login) row.is_first_login = false
      chosen.public_key = row.public_key
      if (before) await demandOwnConfirmation(ctx, before, waysChanged(before, chosen))
    }
  },
  async afterSave(ctx, changes) {
    for (const { before, row } of changes) if (before) await tellWaysChanged(ctx, before, waysChanged(before, row))
  },
}

/** The profile a user sees and changes. */
export const profile = defineResource({
  app: 'users',
  name: 'user',
  path: 'profile',
  table: 'users_user',
  shares: 'users.user',
  scope: 'global',
  verbs: [],
  bulk: false,
  idWritable: false,
  noId: true,
  // What clients of the contract are told may be sent is ignored unless it is one's own.
  described: {
    id: { read_only: false },
    email: { max_length: undefined },
    wecom_id: { read_only: false, max_length: 128 },
    dingtalk_id: { read_only: false, max_length: 128 },
    feishu_id: { read_only: false, max_length: 128 },
    updated_by: { read_only: false },
    password_strategy: { read_only: false },
    is_service_account: { read_only: false },
    need_update_password: { read_only: false },
    date_api_key_last_used: { read_only: false },
  },
  fields: {
    ...restricted,
    public_key_comment: keyFact('comment'),
    public_key_hash_md5: keyFact('md5'),
    guide_url: computed('field', { wire: (_value, ctx) => basic.of(ctx).USER_GUIDE_URL }),
    console_orgs: organizationList('console'),
    audit_orgs: organizationList('audit'),
    workbench_orgs: organizationList('workbench'),
    receive_backends: {
      ...base('list', { readOnly: true, order: false }),
      meta: () => listOf('string'),
      load: async (ctx: Context, rows: readonly { id: string }[]) => {
        const chosen = await receiveBackendsOf(
          ctx,
          rows.map((row) => row.id),
        )
        return (row: { id: string }) => chosen.get(row.id) ?? []
      },
    },
    perms: {
      ...base('list', { readOnly: true, order: false }),
      meta: () => listOf('field'),
      load: async (ctx: Context, rows: readonly { id: string }[]) => {
        const codes = new Map<string, string[]>()
        for (const row of rows) codes.set(row.id, [...(await permissionsOf(ctx, { id: row.id }, ctx.orgId))].toSorted())
        return (row: { id: string }) => codes.get(row.id) ?? []
      },
    },
  },
  columns: userColumns,
  display: user.displayOf,
  hooks,
})

/** A user's own profile in wire form, in the current organization. */
export async function profileOf(ctx: Context, userId: string): Promise<StoredRow> {
  const row = await userBy(ctx, 'id', userId)
  if (!row) throw new Error('A profile was requested for a user who no longer exists.')
  return serializeOne(ctx, profile, row)
}
