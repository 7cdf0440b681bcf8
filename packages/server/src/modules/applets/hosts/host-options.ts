import { componentLoads, rdsLicensingModes, rdsSingleSession } from '@castellan/contract/choices/terminal'
import { appletLogs } from '@castellan/contract/messages/applet-logs'
import { errors } from '@castellan/contract/messages/errors'
import { batches } from '../../../db/batches.ts'
import type { TableRow, TableShape } from '../../../db/schema.ts'
import { base } from '../../../kernel/fields/field.ts'
import {
  boolean,
  type Change,
  computed,
  describedAs,
  type Field,
  integer,
  nullableDatetime,
  rawChoice,
  type StoredRow,
  text,
  unstored,
} from '../../../kernel/fields/index.ts'
import { isObject, objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { decodeJson } from '../../../kernel/fields/scalars.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { ApiError, Rejected, text as say } from '../../../kernel/module/errors.ts'
import { readBody } from '../../../kernel/resource/body.ts'
import { fieldsInfo } from '../../../kernel/resource/metadata.ts'
import type { Fields } from '../../../kernel/resource/resource.ts'
import { basic } from '../../settings/index.ts'
import { livingBeats, loadOf } from '../../terminal/index.ts'

/** What is known of an application host beside its asset. */
export const hostTable = {
  name: 'terminal_applethost',
  columns: {
    /** The id of the asset. */
    id: { type: 'uuid', references: 'assets_asset.id', onDelete: 'cascade' },
    deploy_options: { type: 'json' },
    auto_create_accounts: { type: 'boolean' },
    accounts_create_amount: { type: 'integer' },
    using_same_account: { type: 'boolean' },
    /** The component of the host. */
    terminal_id: { type: 'uuid', nullable: true, references: 'terminal_terminal.id', onDelete: 'set null' },
    date_synced: { type: 'timestamp', nullable: true },
    /** Hash of the token with which its component registers once, and until when. */
    registration: { type: 'text', nullable: true },
    date_registration: { type: 'timestamp', nullable: true },
  },
  primaryKey: ['id'],
  unique: [['terminal_id']],
  indexes: [['registration']],
} as const satisfies TableShape

export type HostRow = Omit<TableRow<typeof hostTable>, 'deploy_options'> & { deploy_options: StoredRow }

/** Most generated accounts of a host. */
const mostAccounts = 2000

const address = text({ max: 1024 })
const ofSite = text({ max: 1024, default: (ctx) => basic.of(ctx).SITE_URL })

/** An address that scripts on the host contact: no more than that, since a shell of the host reads it. */
const coreHost: Field = {
  ...ofSite,
  parse: (input, ctx) => {
    const value = String(ofSite.parse?.(input, ctx) ?? '').replace(/\/+$/, '')
    if (value !== '' && (!URL.canParse(value) || !/^https?:\/\/[^\s'"`$]+$/.test(value)))
      throw new Rejected([say(errors.not_a_url)])
    return value
  },
}

const serverName: Field = {
  ...address,
  default: '127.0.0.1',
  parse: (input, ctx) => {
    const value = String(address.parse?.(input, ctx) ?? '')
    if (!/^[\p{L}\p{N}.:_-]*$/u.test(value)) throw new Rejected([say(appletLogs.server_name)])
    return value
  },
}

const longestTime = 2_147_483_647
export const deployFields = {
  CORE_HOST: coreHost,
  IGNORE_VERIFY_CERTS: boolean({ default: true }),
  RDS_Licensing: boolean({ default: false }),
  RDS_LicenseServer: serverName,
  RDS_LicensingMode: rawChoice(rdsLicensingModes, { default: 2, numeric: true }),
  RDS_fSingleSessionPerUser: rawChoice(rdsSingleSession, { default: 1, numeric: true }),
  RDS_MaxDisconnectionTime: describedAs(integer({ default: 60_000, min: 0, max: longestTime }), {
    max_value: undefined,
  }),
  RDS_RemoteAppLogoffTimeLimit: describedAs(integer({ default: 0, min: 0, max: longestTime }), {
    max_value: undefined,
  }),
} satisfies Record<string, Field>

export interface DeployOptions {
  CORE_HOST: string
  IGNORE_VERIFY_CERTS: boolean
  RDS_Licensing: boolean
  RDS_LicenseServer: string
  RDS_LicensingMode: number
  RDS_fSingleSessionPerUser: number
  RDS_MaxDisconnectionTime: number
  RDS_RemoteAppLogoffTimeLimit: number
}

/** The options of a host with the defaults of those that were not set. */
export const completeOptions = (ctx: Context, stored: StoredRow): DeployOptions =>
  readBody<DeployOptions>(ctx, deployFields, stored)

const deployOptions: Field<StoredRow, 'none'> = {
  ...base('nested object', { default: {}, resets: false, order: false }),
  parse: (input, ctx) => {
    if (!isObject(input)) throw new Rejected([say(errors.not_a_dictionary, { type: typeof input })])
    try {
      return readBody<StoredRow>(ctx, deployFields, input)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw new Rejected(error.body(ctx.language) as Record<string, string[]>)
    }
  },
  meta: (ctx) => ({ children: fieldsInfo(ctx, 'terminal', deployFields) }),
  toCell: (wire) => JSON.stringify(wire),
}

/** Stored rows of hosts by id. */
export async function hostRows(ctx: Context, ids: readonly unknown[]): Promise<Map<unknown, HostRow>> {
  const found = new Map<unknown, HostRow>()
  for (const some of batches(ids))
    for (const row of await ctx.rawDb.selectFrom(hostTable.name).selectAll().where('id', 'in', some).execute())
      found.set(row.id, {
        ...row,
        deploy_options: objectOf(decodeJson(row.deploy_options)),
        auto_create_accounts: Boolean(row.auto_create_accounts),
        using_same_account: Boolean(row.using_same_account),
      } as HostRow)
  return found
}

/** One query for all fields of a page. */
const loading = new WeakMap<readonly StoredRow[], Promise<Map<unknown, HostRow>>>()
function rowsOf(ctx: Context, rows: readonly StoredRow[]): Promise<Map<unknown, HostRow>> {
  const known = loading.get(rows)
  if (known) return known
  const read = hostRows(
    ctx,
    rows.map(({ id }) => id),
  )
  loading.set(rows, read)
  return read
}

const shownBy = (show: (host: HostRow, ctx: Context) => unknown): Pick<Field, 'load'> => ({
  load: async (ctx, rows) => {
    const hosts = await rowsOf(ctx, rows)
    return ({ id }) => {
      const host = hosts.get(id)
      return host ? show(host, ctx) : null
    }
  },
})

const synced = nullableDatetime({ readOnly: true })

/** The fields that an application host has more than any host. */
export const optionFields: Fields = {
  auto_create_accounts: unstored(
    boolean({ default: true, order: false, resets: false }),
    shownBy((host) => host.auto_create_accounts),
  ),
  accounts_create_amount: describedAs(
    unstored(
      integer({ default: 100, min: 0, max: mostAccounts, order: false, resets: false }),
      shownBy((host) => Number(host.accounts_create_amount)),
    ),
    {},
  ),
  using_same_account: unstored(
    boolean({ default: false, order: false, resets: false }),
    shownBy((host) => host.using_same_account),
  ),
  load: computed('labeled_choice', {
    meta: (ctx) => ({
      choices: Object.entries(componentLoads).map(([value, label]) => ({ value, label: label[ctx.language] })),
    }),
    load: async (ctx, rows) => {
      const hosts = await rowsOf(ctx, rows)
      const beats = await livingBeats(ctx)
      return ({ id }) => {
        const value = loadOf(beats.get(String(hosts.get(id)?.terminal_id)))
        return { value, label: componentLoads[value][ctx.language] }
      }
    },
  }),
  deploy_options: {
    ...deployOptions,
    ...shownBy((host, ctx) => completeOptions(ctx, host.deploy_options)),
  } as Field<StoredRow, 'none'>,
  date_synced: unstored(
    synced,
    shownBy((host, ctx) => synced.wire?.(host.date_synced === null ? null : Number(host.date_synced), ctx, {}) ?? null),
  ),
}

/** Stores what was sent of the options with assets. */
export async function storeOptions(ctx: Context, changes: readonly Change[]): Promise<void> {
  for (const { mode, row, values } of changes) {
    const names = ['auto_create_accounts', 'accounts_create_amount', 'using_same_account'] as const
    const sent = Object.fromEntries(names.flatMap((name) => (name in values ? [[name, values[name]]] : [])))
    const options = values.deploy_options as StoredRow | undefined
    if (mode === 'create')
      await ctx.rawDb
        .insertInto(hostTable.name)
        .values({
          id: row.id,
          auto_create_accounts: true,
          accounts_create_amount: 100,
          using_same_account: false,
          ...sent,
          deploy_options: JSON.stringify(options ?? {}),
        })
        .execute()
    else if (Object.keys(sent).length > 0 || options)
      await ctx.rawDb
        .updateTable(hostTable.name)
        .set({ ...sent, ...(options ? { deploy_options: JSON.stringify(options) } : {}) })
        .where('id', '=', row.id)
        .execute()
  }
}
