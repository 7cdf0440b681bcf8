import { rootOrgId } from '@castellan/contract/ids'
import { say } from '@castellan/contract/messages'
import { vaultMessages } from '@castellan/contract/messages/vault'
import type { StoredRow } from '../../../kernel/fields/index.ts'
import { defineJob, type JobRun } from '../../../kernel/jobs/kinds.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { render } from '../../../kernel/module/errors.ts'
import { Sealed } from '../../../kernel/security/secrets.ts'
import { VaultFailure } from './vault-client.ts'
import {
  marker,
  type Owner,
  pathsOf,
  placeOf,
  readFromVault,
  vaultEntryTable,
  vaultOf,
  withFew,
} from './vault-entries.ts'
import { vaultSettings } from './vault-settings.ts'

const tableOf: Readonly<Record<Owner, string>> = {
  account: 'accounts_account',
  template: 'accounts_accounttemplate',
  history: 'accounts_accounthistory',
}
const kindOf = {
  account: vaultMessages.kind_account,
  template: vaultMessages.kind_template,
  history: vaultMessages.kind_history,
}
const owners = Object.keys(tableOf) as Owner[]

/** Rows that are looked at at a time. */
const pageSize = 200
/** Characters of a value beside a secret. */
const longestMetadata = 500

interface Moved {
  succeeded: number
  failed: number
}

/** The path of a secret; only ids are in it. That of a history stands below its account's. */
async function pathFor(ctx: Context, owner: Owner, row: StoredRow): Promise<string> {
  if (owner === 'template') return `orgs/${row.org_id}/account-templates/${row.id}`
  if (owner === 'account') return `orgs/${row.org_id}/assets/${row.asset_id}/accounts/${row.id}`
  const id = String(row.account_id)
  const known = (await pathsOf(ctx, 'account', [id])).get(id)
  if (known) return `${known}/histories/${row.id}`
  const account = await ctx.acrossOrganizations
    .selectFrom(tableOf.account)
    .select(['id', 'org_id', 'asset_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  // The history of an account outlives it.
  const above = account ? await pathFor(ctx, 'account', account) : `orgs/${rootOrgId}/accounts/${id}`
  return `${above}/histories/${row.id}`
}

const metadataOf = (row: StoredRow): Record<string, string> =>
  Object.fromEntries(
    ['name', 'username', 'secret_type', 'connectivity', 'su_from_id', 'privileged']
      .map((name) => [name.replace(/_id$/, ''), String(row[name] ?? '').slice(0, longestMetadata)] as const)
      .filter(([, value]) => value !== ''),
  )

/** Replaces what a column holds, unless it has changed meanwhile. */
async function exchange(ctx: Context, owner: Owner, id: unknown, before: string, after: string): Promise<boolean> {
  const { numUpdatedRows } = await ctx.transaction((inside) =>
    inside.acrossOrganizations
      .updateTable(tableOf[owner])
      .set({ secret: after })
      .where('id', '=', id)
      .where('secret', '=', before)
      .executeTakeFirst(),
  )
  return Number(numUpdatedRows) > 0
}

/**
 * Writes a secret to the vault, reads it back, and only then replaces it by the marker. Whatever ends this, the secret
 * is in the database, or in the vault as well, and the next time does the rest.
 */
async function toVault(ctx: Context, owner: Owner, row: StoredRow): Promise<void> {
  const { vault } = ctx.services
  const id = String(row.id)
  const known = (await pathsOf(ctx, owner, [id])).get(id)
  const path = known ?? (await pathFor(ctx, owner, row))
  if (!known)
    await ctx.transaction((inside) =>
      inside.rawDb
        .insertInto(vaultEntryTable.name)
        .values({ path, owner, owner_id: id, date_created: Date.now() })
        .execute(),
    )
  const before = String(row.secret)
  const plain = vault.open(new Sealed(before, `${tableOf[owner]}.secret`))
  const sealed = vault.seal(plain, placeOf(path)).stored()
  await vaultOf(ctx.services).write(path, sealed, owner === 'history' ? {} : metadataOf(row))
  const written = await readFromVault(ctx.services, [path])
  if (written.get(path) !== plain) throw new Error('The vault returned another secret than was written.')
  await exchange(ctx, owner, row.id, before, marker)
}

/** Reads a secret from the vault and stores it in the database; the vault's copy is removed by `forget` afterwards. */
async function toDatabase(ctx: Context, owner: Owner, row: StoredRow): Promise<void> {
  const id = String(row.id)
  const path = (await pathsOf(ctx, owner, [id])).get(id)
  if (!path) throw new Error(`Nobody knows where the secret of ${owner} ${id} is.`)
  const plain = (await readFromVault(ctx.services, [path])).get(path) ?? ''
  const sealed = ctx.services.vault.seal(plain, `${tableOf[owner]}.secret`).stored()
  await exchange(ctx, owner, row.id, marker, sealed)
}

/** Moves every secret of one kind to where the settings say. What fails stays where it is. */
async function moveAll(ctx: Context, owner: Owner, isVault: boolean, job: JobRun): Promise<Moved> {
  const moved = { succeeded: 0, failed: 0 }
  for (let after: unknown; ; ) {
    job.signal.throwIfAborted()
    let query = ctx.acrossOrganizations
      .selectFrom(tableOf[owner])
      .selectAll()
      .where('secret', 'is not', null)
      .where('secret', isVault ? '!=' : '=', marker)
      .orderBy('id')
      .limit(pageSize)
    if (after !== undefined) query = query.where('id', '>', after)
    const rows: StoredRow[] = await query.execute()
    await withFew(rows, async (row) => {
      try {
        await (isVault ? toVault : toDatabase)(ctx, owner, row)
        moved.succeeded += 1
      } catch (error) {
        moved.failed += 1
        const reason = error instanceof VaultFailure ? render(error.reason, ctx.language) : String(error)
        // The first ones are enough to know why.
        if (moved.failed <= 5)
          await job.log(say(vaultMessages.not_moved, ctx.language, { owner, id: String(row.id), reason }))
      }
    })
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return moved
    after = last.id
  }
}

/** The ids of owners whose secret is, or may soon be, in the vault. */
async function stillOwned(ctx: Context, owner: Owner, ids: readonly string[], isVault: boolean): Promise<Set<string>> {
  let query = ctx.acrossOrganizations
    .selectFrom(tableOf[owner])
    .select('id')
    .where('id', 'in', owner === 'history' ? ids.map(Number) : [...ids])
    .where('secret', 'is not', null)
  if (!isVault) query = query.where('secret', '=', marker)
  return new Set((await query.execute()).map(({ id }) => String(id)))
}

/** Removes from the vault what nobody has any more: of deleted accounts, of cleared secrets, and of those moved back. */
async function forget(ctx: Context, isVault: boolean): Promise<number> {
  let count = 0
  for (let after = ''; ; ) {
    const rows = await ctx.rawDb
      .selectFrom(vaultEntryTable.name)
      .selectAll()
      .where('path', '>', after)
      .orderBy('path')
      .limit(pageSize)
      .execute()
    for (const [owner, some] of Map.groupBy(rows, (row) => row.owner as Owner)) {
      const ids = some.map((row) => String(row.owner_id))
      const owned = await stillOwned(ctx, owner, ids, isVault)
      await withFew(
        some.filter((row) => !owned.has(String(row.owner_id))),
        async ({ path }) => {
          await vaultOf(ctx.services).remove(String(path))
          await ctx.transaction((inside) =>
            inside.rawDb.deleteFrom(vaultEntryTable.name).where('path', '=', path).execute(),
          )
          count += 1
        },
      )
    }
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return count
    after = String(last.path)
  }
}

async function synchronize(ctx: Context, job: JobRun): Promise<void> {
  const { language } = ctx
  const isVault = vaultSettings.of(ctx).VAULT_ENABLED
  await job.log(say(isVault ? vaultMessages.moving_to_vault : vaultMessages.moving_to_database, language))
  if (isVault) await vaultOf(ctx.services).ensureMount()
  let failed = 0
  for (const owner of owners) {
    const moved = await moveAll(ctx, owner, isVault, job)
    failed += moved.failed
    await job.log(say(vaultMessages.moved, language, { kind: kindOf[owner][language], ...moved }))
  }
  const count = await forget(ctx, isVault)
  if (count > 0) await job.log(say(vaultMessages.removed, language, { count }))
  if (failed > 0) throw new Error(say(vaultMessages.some_failed, language, { count: failed }))
}

const task = 'settings.tasks.vault.sync_vault_data'

/** Moves all secrets to where the settings say: what users start, with its log. */
export const syncVault = defineJob<object>({
  name: task,
  delivery: 'idempotent',
  retries: 0,
  timeout: 6 * 3_600_000,
  concurrency: 1,
  keys: () => ['accounts.vault'],
  watchedWith: 'settings.change_vault',
  async run(ctx, _payload, job) {
    try {
      await synchronize(ctx, job)
    } catch (error) {
      if (error instanceof VaultFailure) await job.log(render(error.reason, ctx.language))
      throw error
    }
  },
})

/** Whether there is something to move to the vault or to remove from it. */
async function hasWork(ctx: Context): Promise<boolean> {
  if (vaultSettings.of(ctx).VAULT_ENABLED) return true
  const entry = await ctx.rawDb.selectFrom(vaultEntryTable.name).select('path').limit(1).executeTakeFirst()
  return entry !== undefined
}

/**
 * Moves what is new to the vault and removes what was deleted. Until then a new secret stands sealed in the database,
 * so that nothing is lost while the vault is away. Secrets are moved back only when an administrator says so.
 */
export const tendVault = defineJob<object>({
  name: 'accounts.tend-vault',
  delivery: 'idempotent',
  retries: 0,
  every: 60_000,
  timeout: 3_600_000,
  concurrency: 1,
  keys: () => ['accounts.vault'],
  async run(ctx, _payload, job) {
    if (!(await hasWork(ctx))) return
    if (vaultSettings.of(ctx).VAULT_ENABLED) await synchronize(ctx, job)
    else await forget(ctx, false)
  },
})

/** New secrets are gathered this long before they are moved. Milliseconds. */
const gatheredFor = 1000

/** Has new secrets moved to the vault soon, if they belong there. For the transaction that stores them. */
export async function noteNewSecrets(ctx: Context): Promise<void> {
  if (!vaultSettings.of(ctx).VAULT_ENABLED) return
  // One run for all of a second, which begins after it: a run that has begun may have passed the rows of this one.
  const turn = Math.floor(ctx.now / gatheredFor) + 1
  const options = { uniqueKey: `accounts.vault:${turn}`, notBefore: turn * gatheredFor }
  await ctx.once('accounts.vault-noted', () => ctx.enqueue(tendVault, {}, options))
}
