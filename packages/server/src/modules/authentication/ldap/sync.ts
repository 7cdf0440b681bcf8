/** Synchronization by schedule. */
import { defaultOrgId } from '@castellan/contract/ids'
import { ldapMessages } from '@castellan/contract/messages/ldap'
import { defineJob } from '../../../kernel/jobs/kinds.ts'
import { setSchedule } from '../../../kernel/jobs/schedules.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { render, text } from '../../../kernel/module/errors.ts'
import { licenseState } from '../../xpack/index.ts'
import { ldap } from '../backends/directory-settings.ts'
import { readDirectory, storeUsers } from './cached-users.ts'
import { deactivateMissing, importUsers } from './import.ts'

/** Organizations that synchronized users join: without a license, the Default one. */
function organizationsOf(ctx: Context): [string, ...string[]] {
  const [first, ...others] = licenseState(ctx.services).valid ? ldap.of(ctx).AUTH_LDAP_SYNC_ORG_IDS : []
  return first === undefined ? [defaultOrgId] : [first, ...others]
}

/** Users between two lines of the log. */
const loggedEvery = 2500

export const syncUsers = defineJob<object>({
  name: 'settings.tasks.ldap.import_ldap_user_periodic',
  delivery: 'idempotent',
  retries: 0,
  timeout: 3_600_000,
  async run(ctx, _payload, job) {
    const log = (line: ReturnType<typeof text>) => job.log(render(line, ctx.language))
    const found = await readDirectory(ctx)
    await storeUsers(ctx, found)
    await log(text(ldapMessages.found, { count: found.length }))
    const imported = await importUsers(ctx, found, organizationsOf(ctx), async (done) => {
      // Stopped from the task center: nobody is deactivated by an import that is not whole.
      job.signal.throwIfAborted()
      if (done % loggedEvery === 0) await log(text(ldapMessages.progress, { done, count: found.length }))
      return true
    })
    const { created, updated, unchanged, problems } = imported
    await log(text(ldapMessages.imported, { count: created + updated + unchanged, created }))
    for (const [username, problem] of problems) await job.log(`${username}: ${render(problem, ctx.language)}`)
    const gone = await deactivateMissing(ctx, found)
    await log(text(ldapMessages.deactivated, { count: gone.length }))
    for (const username of gone) await job.log(username)
  },
})

const hour = 3600
const owner = { type: 'authentication.directory', id: 'sync' }

type Values = ReturnType<typeof ldap.of>

/** Sets the schedule to what the settings say; `values` are those about to be stored. */
export async function scheduleSync(ctx: Context, values: Partial<Values> = {}): Promise<void> {
  const {
    AUTH_LDAP,
    AUTH_LDAP_SYNC_IS_PERIODIC,
    AUTH_LDAP_SYNC_CRONTAB: crontab,
    AUTH_LDAP_SYNC_INTERVAL: interval,
  } = { ...picked(ldap.of(ctx)), ...values }
  await setSchedule(ctx, owner, {
    job: syncUsers,
    payload: {},
    enabled: Boolean(AUTH_LDAP && AUTH_LDAP_SYNC_IS_PERIODIC && (crontab || interval)),
    creator: 'System',
    crontab: crontab || null,
    intervalSeconds: crontab || !interval ? null : interval * hour,
  })
}

const picked = (values: Values) => ({
  AUTH_LDAP: values.AUTH_LDAP,
  AUTH_LDAP_SYNC_IS_PERIODIC: values.AUTH_LDAP_SYNC_IS_PERIODIC,
  AUTH_LDAP_SYNC_CRONTAB: values.AUTH_LDAP_SYNC_CRONTAB,
  AUTH_LDAP_SYNC_INTERVAL: values.AUTH_LDAP_SYNC_INTERVAL,
})
