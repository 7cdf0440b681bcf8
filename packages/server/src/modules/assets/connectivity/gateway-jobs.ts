import { connectGateway, connectSsh, openThrough, reasonOfGateway, type SshCredential } from '@castellan/connectors/ssh'
import { type Message, say } from '@castellan/contract/messages'
import { taskLogs } from '@castellan/contract/messages/task-logs'
import { defineJob, type JobRun } from '../../../kernel/jobs/kinds.ts'
import { JobFailure } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { type AccountPort, accountPort } from '../account-port.ts'
import { assetItems, assetTitle, eachTarget, type TargetItem } from '../automations/targets.ts'
import { assetTimeout, mayTest, setConnectivity } from './asset-jobs.ts'
import { type DomainGateway, fastestGateway, gatewayById, gatewaysOfDomain, storeGatewayTime } from './gateways.ts'
import { gatewayFailed, hostKeyVerifierFor, preferGateway, sshGateway } from './reach.ts'
import { startedBy } from './started-by.ts'

type Login = Awaited<ReturnType<AccountPort['gatewayLogin']>>

/**
 * Signs in to a gateway and through it to itself again, as a connection to an asset would. Resolves with the
 * milliseconds until the tunnel was open.
 */
async function measure(
  ctx: Context,
  gateway: DomainGateway,
  port: number,
  { job, signal, signedIn }: { job: JobRun; signal: AbortSignal; signedIn: (login: Login) => void },
): Promise<number> {
  const about = { target: assetTitle(gateway) }
  const verifyHostKey = hostKeyVerifierFor(ctx, gateway.id, gateway.port)
  let credential: SshCredential | undefined
  const openCredential = async () => {
    const login = await accountPort.use.gatewayLogin(ctx.inOrg(gateway.org_id), gateway.id)
    signedIn(login)
    credential = login
    return login
  }
  const began = performance.now()
  const client = await connectGateway({ ...sshGateway(ctx, gateway), openCredential }, verifyHostKey, signal)
  try {
    const username = credential?.username ?? ''
    await job.log(say(taskLogs.gateway_signed_in, ctx.language, { ...about, username }))
    const stream = await openThrough(client, '127.0.0.1', port)
    const milliseconds = Math.max(1, Math.round(performance.now() - began))
    // Whoever else listens there on the gateway has not its host key, and is not given its password.
    if (credential) (await connectSsh({ stream, credential, verifyHostKey, signal })).end()
    await job.log(say(taskLogs.gateway_forwards, ctx.language, { ...about, port, milliseconds }))
    return milliseconds
  } finally {
    client.end()
  }
}

const reasonFor = (error: unknown): Message =>
  error instanceof JobFailure ? taskLogs.gateway_host_key_changed : reasonOfGateway(error)

/** Tests one gateway, and stores whether it works and how long it took. */
async function test(ctx: Context, gateway: DomainGateway, port: number, { item }: TargetItem, job: JobRun) {
  let account: Login
  const done = async (milliseconds: number | null, reason: Message | null) => {
    await storeGatewayTime(ctx, gateway.id, { milliseconds, reason, date_tested: Date.now() })
    await setConnectivity(ctx, gateway.id, reason === null)
    if (account) await accountPort.use.verified(ctx, account.id, reason === null)
  }
  try {
    const signedIn = (login: Login) => {
      account = login
    }
    const took = await measure(ctx, gateway, port, { job, signal: item.signal, signedIn })
    await done(took, null)
  } catch (error) {
    item.signal.throwIfAborted()
    const reason = reasonFor(error)
    await done(null, reason)
    if (error instanceof JobFailure) throw error
    throw new JobFailure(gatewayFailed, say(reason, ctx.language), { cause: error })
  }
}

async function testAll(
  outer: Context,
  job: JobRun,
  gatewaysOf: (ctx: Context) => Promise<readonly DomainGateway[]>,
  portOf: (gateway: DomainGateway) => number,
): Promise<Context> {
  const starter = await startedBy(outer, job, mayTest)
  const { ctx } = starter
  await job.planItems(async () => assetItems(await gatewaysOf(ctx)))
  await eachTarget(starter, job, { concurrency: 4, timeout: assetTimeout }, async (target) => {
    const gateway = await gatewayById(ctx, target.asset.id)
    if (gateway) await test(ctx, gateway, portOf(gateway), target, job)
  })
  return ctx
}

/** A gateway works when SSH lets us in and it forwards us to its own SSH port again. */
export const testGateway = defineJob<{ gateway: string; port: number }>({
  name: 'assets.tasks.ping_gateway.test_gateways_connectivity_task',
  delivery: 'idempotent',
  timeout: 120_000,
  watchedWith: mayTest,
  repeatedWith: mayTest,
  async run(outer, { gateway, port }, job) {
    const found = await gatewayById(outer, gateway)
    if (!found) return job.log(say(taskLogs.gateway_gone, outer.language))
    await testAll(
      outer,
      job,
      async () => [found],
      () => port,
    )
  },
})

/** Tests all gateways of a domain; the worker's connections use the fastest one from then on. */
export const testDomainGateways = defineJob<{ domain: string }>({
  name: 'assets.tasks.ping_gateway.test_domain_gateways_task',
  delivery: 'idempotent',
  timeout: 3_600_000,
  watchedWith: mayTest,
  repeatedWith: mayTest,
  async run(outer, { domain }, job) {
    const place = { id: domain, org_id: outer.orgId }
    const ctx = await testAll(
      outer,
      job,
      () => gatewaysOfDomain(outer, place),
      ({ port }) => port,
    )
    const used = await fastestGateway(ctx, place)
    if (!used) return job.log(say(taskLogs.no_gateway_works, ctx.language))
    preferGateway(ctx, domain, used.id)
    const { name, time } = used
    await job.log(say(taskLogs.fastest_gateway, ctx.language, { gateway: name, milliseconds: time?.milliseconds ?? 0 }))
  },
})
