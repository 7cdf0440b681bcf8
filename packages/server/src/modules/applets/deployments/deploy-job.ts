import { installApplet, RestartNeeded, type SetupStep, setUpHost } from '@castellan/connectors/applet-host'
import { systemOrgId } from '@castellan/contract/ids'
import { type Message, say } from '@castellan/contract/messages'
import { appletLogs } from '@castellan/contract/messages/applet-logs'
import { defineJob, type JobRun } from '../../../kernel/jobs/kinds.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { findById } from '../../../kernel/resource/repository.ts'
import { systemFailure, withSystem } from '../../accounts/index.ts'
import {
  type AssetPayload,
  accountPort,
  asset,
  assetTitle,
  eachTarget,
  startedBy,
  TargetFailure,
  type TargetItem,
} from '../../assets/index.ts'
import { applet } from '../applet.ts'
import { completeOptions, hostRows } from '../hosts/host-options.ts'
import { newRegistration, unbind } from '../hosts/registration.ts'
import { deployment, recordDeployments } from './deployment.ts'

/** A task: setting up one host, or installing applications on some. */
export interface DeployTask {
  hosts: readonly string[]
  kind: 'host' | 'applets'
  /** The only one to be installed. */
  applet?: string
}

/** How a host is reached: as for the accounts of Windows, over WinRM or SSH. */
const method = 'verify_account_windows'
const longestHost = 2 * 3_600_000

const steps: Readonly<Record<SetupStep, Message>> = {
  check: appletLogs.step_check,
  roles: appletLogs.step_roles,
  policies: appletLogs.step_policies,
  programs: appletLogs.step_programs,
  config: appletLogs.step_config,
  service: appletLogs.step_service,
  applets: appletLogs.step_applets,
}

/** Does the work on a host with its administrator. */
async function deploy(ctx: Context, job: JobRun, { item, asset: row }: TargetItem, task: DeployTask): Promise<void> {
  const { language } = ctx
  const target = assetTitle(row)
  await ctx.rawDb
    .updateTable(deployment.table)
    .set({ status: 'running', date_start: Date.now() })
    .where('task', '=', job.id)
    .where('host_id', '=', row.id)
    .execute()
  const login = await accountPort.use.login(ctx, row.id, ({ secret_type }) => secret_type === 'password', {
    prefersRoot: true,
  })
  if (!login) throw new TargetFailure('no_account', say(appletLogs.no_administrator, language))
  const by = { username: login.username, secretType: 'password' as const, secret: login.secret }
  let token = ''
  try {
    await withSystem(ctx, row, method, item.signal, async (session) => {
      if (task.kind === 'applets') {
        const name = task.applet && (await findById(ctx, applet, task.applet))?.name
        return installApplet(session.target, by, name)
      }
      const options = completeOptions(ctx, (await hostRows(ctx, [row.id])).get(row.id)?.deploy_options ?? {})
      token = await ctx.transaction(async (inside) => {
        await unbind(inside, row.id)
        return newRegistration(inside, row.id)
      })
      const setup = {
        host: row.id,
        core: options.CORE_HOST,
        ignoreCertificates: options.IGNORE_VERIFY_CERTS,
        token,
        licensing: options.RDS_Licensing,
        licenseServer: options.RDS_LicenseServer,
        licensingMode: options.RDS_LicensingMode,
        singleSession: options.RDS_fSingleSessionPerUser,
        disconnection: options.RDS_MaxDisconnectionTime,
        logoff: options.RDS_RemoteAppLogoffTimeLimit,
      }
      await setUpHost(session.target, by, setup, (step) =>
        job.log(say(appletLogs.step_done, language, { target, step: steps[step][language] })),
      )
    })
  } catch (error) {
    item.signal.throwIfAborted()
    if (error instanceof RestartNeeded)
      throw new TargetFailure('restart', say(appletLogs.restart_needed, language, { target }))
    throw systemFailure(ctx, error, { username: by.username, secrets: [by.secret, token] })
  }
  await job.log(say(appletLogs.host_done, language, { target }))
}

/** Sets hosts up, or installs applications on them. Steps that were done already change nothing. */
export const deployHosts = defineJob<DeployTask>({
  name: 'terminal.tasks.run_applet_host_deployment',
  delivery: 'at-most-once',
  timeout: 6 * 3_600_000,
  concurrency: 2,
  watchedWith: 'terminal.view_applethostdeployment',
  ended: recordDeployments,
  async run(outer, task, job) {
    const starter = await startedBy(outer.inOrg(systemOrgId), job, 'terminal.add_applethostdeployment')
    const { ctx } = starter
    await job.planItems(async () => {
      const rows = await Promise.all(task.hosts.map((id) => findById(ctx, asset, id)))
      return rows.flatMap((row) =>
        row
          ? [
              {
                target: { type: asset.key, id: row.id, label: assetTitle(row) },
                payload: { asset: row.id } satisfies AssetPayload,
              },
            ]
          : [],
      )
    })
    await job.log(say(appletLogs.deploying, ctx.language, { count: task.hosts.length }))
    return eachTarget(starter, job, { concurrency: 4, timeout: longestHost }, (target) =>
      deploy(ctx, job, target, task),
    )
  },
})
