import { errors } from '@castellan/contract/messages/errors'
import {
  boolean,
  computed,
  datetime,
  type Field,
  normalUuid,
  nullableDatetime,
  nullableText,
  one,
  secret,
  text,
  uuid,
} from '../../../kernel/fields/index.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { invalid, text as say } from '../../../kernel/module/errors.ts'
import { defineResource, type Filter, type ListQuery, type Row } from '../../../kernel/resource/resource.ts'

/** What a record is of: an execution of a plan, or accounts that somebody pushed without one. */
export type RecordOrigin = 'change_secret' | 'push_account' | 'quick_push'

const byId =
  (column: 'asset_id' | 'execution_id' | 'account_id'): Filter =>
  (_ctx, query, value) => {
    const id = normalUuid(value)
    if (!id) throw invalid({ [column]: [say(errors.not_a_uuid, { input: value })] })
    return query.where(`t.${column}` as 't.name', '=', id)
  }

const addition = <F extends Field>(field: F): F => ({ ...field, undescribed: true })

/** Clients know it as a field that is required, although nobody can write a record. */
const describedAsRequired = <F extends Field>(field: F): F => ({
  ...field,
  meta: (ctx, params) => ({ ...field.meta?.(ctx, params), required: true, read_only: false }),
})

const declaration = {
  app: 'accounts',
  scope: 'org' as const,
  orgFields: false,
  // It is a log itself.
  unlogged: true,
  verbs: ['list'] as const,
  imports: 'superuser' as const,
  bulk: false,
  fieldOrder: 'declared' as const,
  idWritable: false,
  fields: {
    asset: describedAsRequired(one('assets.asset', { nullable: true, readOnly: true, onDelete: 'set null' })),
    account: describedAsRequired(one('accounts.account', { nullable: true, readOnly: true, onDelete: 'set null' })),
    date_finished: nullableDatetime({ readOnly: true }),
    /** `pending`, `success` or `failed`. */
    status: { ...text({ readOnly: true, default: 'pending' }), meta: () => ({ default: undefined }) },
    is_success: computed('field', { wire: (_value, _ctx, row: { status: string }) => row.status === 'success' }),
    error: nullableText({ readOnly: true }),
    execution: describedAsRequired(
      computed('object_related_field', {
        wire: (_value, _ctx, row: { execution_id: string }) => ({ id: row.execution_id }),
      }),
    ),
    /** Which of the two secrets the target accepts is not known. The next run finds out. */
    in_doubt: addition(boolean({ readOnly: true })),
    error_code: addition(nullableText({ readOnly: true })),
    date_created: addition(datetime({ readOnly: true })),
  },
  columns: {
    execution_id: uuid(),
    origin: text(),
    old_secret: secret(),
    new_secret: secret(),
    secret_type: text(),
    /** The unconfirmed decisions about the asset that the new secret was given to: see `destination.ts`. */
    entrusted: text({ default: '' }),
    /** How the account was named, for when it is gone. */
    label: text(),
  },
  indexes: [
    ['org_id', 'date_created', 'id'],
    ['org_id', 'execution_id', 'date_created', 'id'],
    ['execution_id'],
    ['asset_id'],
    ['account_id', 'status'],
  ] as const,
  search: ['a.address', 'a.name'] as const,
  defaultOrder: ['-date_created'] as const,
  filters: { asset_id: byId('asset_id'), execution_id: byId('execution_id'), account_id: byId('account_id') },
  display: (row: { label: string }) => row.label,
}

const joined = (query: ListQuery) => query.leftJoin('assets_asset as a', 'a.id', 't.asset_id') as unknown as ListQuery

/**
 * What was done to the secret of one account: the one before and the new one, sealed. It is stored before the target is
 * touched and stays, so that no secret is lost whatever happens.
 */
export const secretRecord = defineResource({
  ...declaration,
  name: 'changesecretrecord',
  path: 'change-secret-records',
  dailyCounts: { column: 'date_created', unit: 1, hidesNothing: true },
  visible: (_ctx: Context, query: ListQuery) => joined(query),
})

/** The same records of push plans alone. */
export const pushRecord = defineResource({
  ...declaration,
  name: 'pushaccountrecord',
  path: 'push-account-records',
  table: 'accounts_changesecretrecord',
  shares: 'accounts.changesecretrecord',
  requires: { list: 'accounts.view_changesecretrecord' },
  visible: (_ctx: Context, query: ListQuery) => joined(query).where('t.origin' as 't.name', '=', 'push_account'),
})

export type SecretRecordRow = Row<typeof secretRecord>
