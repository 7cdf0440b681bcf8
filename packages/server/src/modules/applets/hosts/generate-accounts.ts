import { systemOrgId } from '@castellan/contract/ids'
import { say } from '@castellan/contract/messages'
import { appletLogs } from '@castellan/contract/messages/applet-logs'
import { batches } from '../../../db/batches.ts'
import { defineJob } from '../../../kernel/jobs/kinds.ts'
import type { Context } from '../../../kernel/module/context.ts'
import type { RecordedChange } from '../../../kernel/resource/changes.ts'
import { destroy } from '../../../kernel/resource/mutations.ts'
import { findAll } from '../../../kernel/resource/repository.ts'
import { randomText } from '../../../kernel/security/random.ts'
import { account, createAccounts, randomPassword } from '../../accounts/index.ts'
import { user, usernames, usersBy } from '../../users/index.ts'
import { hostRows, hostTable } from './host-options.ts'

/** Names of accounts that any user may be given, and of those of one user. */
export const publicPrefix = 'jms_'
export const privatePrefix = 'js_'

/** Characters of a generated password. */
const passwordLength = 16
const atOnce = 100

/** Usernames of the private accounts that a host should have. */
async function privateNames(ctx: Context): Promise<Set<string>> {
  const users = await usernames(ctx).where('is_service_account', '=', false).where('is_active', '=', true).execute()
  return new Set(users.map(({ username }) => privatePrefix + username))
}

/** Private accounts whose user was deleted. */
async function withoutUser(ctx: Context, accounts: readonly string[]): Promise<Set<string>> {
  const names = accounts.map((name) => name.slice(privatePrefix.length))
  const known = new Set((await usersBy(ctx, 'username', names)).map(({ username }) => privatePrefix + username))
  return new Set(accounts.filter((name) => !known.has(name)))
}

/** Creates the missing accounts of a host and removes those of deleted users. Returns how many were created. */
async function complete(ctx: Context, hostId: string): Promise<number> {
  const host = (await hostRows(ctx, [hostId])).get(hostId)
  if (!host) return 0
  const known = await findAll(ctx, account, (query) => query.where('t.asset_id', '=', hostId))
  const names = new Set(known.map(({ username }) => username))
  const made = known.filter(({ created_by }) => created_by === 'System')
  const gone = await withoutUser(
    ctx,
    made.flatMap(({ username }) => (username.startsWith(privatePrefix) ? [username] : [])),
  )
  const removed = made.filter(({ username }) => gone.has(username))
  if (removed.length > 0) await ctx.transaction((inside) => destroy(inside, account, removed))
  const amount = [...names].filter((name) => name.startsWith(publicPrefix)).length
  const missing = [...(await privateNames(ctx))].filter((name) => !names.has(name))
  for (let more = amount; more < host.accounts_create_amount; more++)
    missing.push(publicPrefix + randomText(8).toLowerCase())
  for (const some of batches(missing, atOnce))
    await ctx.transaction((inside) =>
      createAccounts(
        inside,
        some.map((username) => ({
          asset: hostId,
          name: username,
          username,
          secret_type: 'password',
          secret: randomPassword({ length: passwordLength }),
          // The host's component activates it when the user of Windows is there.
          is_active: false,
          on_invalid: 'skip',
        })),
        { bulk: true, query: {} },
      ),
    )
  return missing.length
}

/** Creates the accounts of one host, or of every host that wants them. */
export const generateAccounts = defineJob<{ host?: string }>({
  name: 'terminal.tasks.applet_host_generate_accounts',
  delivery: 'idempotent',
  timeout: 3_600_000,
  concurrency: 1,
  watchedWith: 'terminal.change_applethost',
  async run(outer, { host }, job) {
    const ctx = outer.inOrg(systemOrgId)
    const hosts = host
      ? [{ id: host }]
      : await ctx.rawDb.selectFrom(hostTable.name).select('id').where('auto_create_accounts', '=', true).execute()
    let count = 0
    for (const { id } of hosts) {
      job.signal.throwIfAborted()
      count += await complete(ctx, String(id))
    }
    await job.log(say(appletLogs.accounts_made, outer.language, { count, hosts: hosts.length }))
    return { created: count }
  },
})

/** New and deleted users have, or lose, their accounts on every host that creates them. */
export async function followUsers(ctx: Context, changes: readonly RecordedChange[]): Promise<void> {
  if (!changes.some(({ resource, action }) => resource.key === user.key && action !== 'update')) return
  const used = await ctx.rawDb
    .selectFrom(hostTable.name)
    .select('id')
    .where('auto_create_accounts', '=', true)
    .executeTakeFirst()
  // It may have begun already, and not see this user.
  if (used) await ctx.enqueue(generateAccounts, {}, { orgId: systemOrgId, notBefore: ctx.now + 1000 })
}
