import type { SystemLogin, SystemTarget } from '@castellan/connectors/accounts'
import type { CommandEnd, OutputSink } from '@castellan/connectors/commands'
import { say } from '@castellan/contract/messages'
import { opsMessages } from '@castellan/contract/messages/ops'
import type { JobItem } from '../../../kernel/jobs/kinds.ts'
import { ItemSkipped, JobFailure } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { findById } from '../../../kernel/resource/repository.ts'
import { account, commandLogin, systemFailure, takesSecret, withTarget } from '../../accounts/index.ts'
import { type AssetRow, asset, platformsById, protocolsOf } from '../../assets/index.ts'
import { accessToMany } from '../../perms/index.ts'
import type { JobSnapshot } from '../job-execution.ts'
import { chooseAccount } from './choose-account.ts'
import { givenValues, type HostPayload, runnableProtocols } from './decide.ts'
import type { ExecutionRun } from './execution-run.ts'
import type { HostEnd } from './output-store.ts'
import { demandReviewed } from './reviews.ts'
import { withVariables } from './variables.ts'

interface Prepared {
  row: AssetRow
  login: SystemLogin
  protocol: { name: string; port: number }
  command: string
  /** Values of variables about this host. */
  given: Record<string, string>
}

/**
 * What runs, as everything is now: a permission that was withdrawn since the decision, or a platform that was changed,
 * leaves the host out. The account stays the one that was decided, and so does the decision of the rules.
 */
export async function prepared(run: ExecutionRun, payload: HostPayload): Promise<Prepared> {
  const { ctx, snapshot, own } = run
  const row = await findById(ctx, asset, payload.asset)
  if (!row?.is_active) throw new ItemSkipped('asset_gone', say(opsMessages.host_asset_gone, ctx.language))
  const platform = (await platformsById(ctx)).get(row.platform_id)
  const access = (await accessToMany(ctx, ctx.me, [row.id])).get(row.id)
  const offered = (await protocolsOf(ctx, [row.id])).get(row.id) ?? []
  const protocols = await runnableProtocols(ctx, snapshot, row.platform_id, offered)
  const wanted = { ...snapshot, runas: payload.username, runas_policy: 'skip' }
  const choice = chooseAccount(access, platform, protocols, wanted, Date.now(), takesSecret)
  const chosen = typeof choice === 'string' ? undefined : await findById(ctx, account, payload.account)
  if (typeof choice === 'string' || !chosen)
    throw new ItemSkipped('not_permitted', say(opsMessages.host_not_permitted, ctx.language))
  const facts = {
    id: row.id,
    name: row.name,
    address: row.address,
    category: platform?.category ?? '',
    type: platform?.type ?? '',
  }
  const given = givenValues(ctx, snapshot, facts, choice.protocol.port)
  const isCommand = snapshot.type === 'adhoc' && !snapshot.transfer
  const command = !isCommand ? '' : withVariables(snapshot.args, own, given)
  if (isCommand) demandReviewed(ctx, payload, command)
  return {
    row: row as AssetRow,
    login: await commandLogin(ctx, chosen, platform, choice.protocol.name),
    protocol: choice.protocol,
    command,
    given,
  }
}

async function carryOut(
  { module, chdir }: JobSnapshot,
  target: SystemTarget,
  login: SystemLogin,
  text: string,
  sink: OutputSink,
  ending: AbortSignal,
): Promise<CommandEnd> {
  const { runOnWindows, runOverSsh, runSql } = await import('@castellan/connectors/commands')
  if (module === 'mysql' || module === 'postgresql' || module === 'sqlserver')
    return runSql(module, target, login, text, sink)
  if (module === 'win_shell') return runOnWindows(target, login, { text, chdir }, sink)
  return runOverSsh(target, login, { module: module as 'shell' | 'python' | 'raw', text, chdir }, sink, ending)
}

/** How long the connection stays when the command is to end. Milliseconds. */
const lastWords = 2500

/** A signal that is aborted some time after another one. */
function heldBeyond(signal: AbortSignal, ms: number): { signal: AbortSignal; release(): void } {
  const held = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    timer = setTimeout(() => held.abort(signal.reason), ms)
  }
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  return {
    signal: held.signal,
    release: () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    },
  }
}

/** Failures that say that the host could not be worked on at all, which the contract lists apart. */
export const unreachableCodes: ReadonlySet<string> = new Set([
  'refused',
  'timeout_connecting',
  'unknown_host',
  'unreachable',
  'gateway_failed',
  'host_key_changed',
  'auth_failed',
])

const restSaid = { file: opsMessages.output_in_file, cut: opsMessages.output_cut } as const

export function blockOf(ctx: Context, host: string, word: string, { rc, rest }: HostEnd, head: string): string {
  const more = rest === 'none' ? '' : `\r\n${say(restSaid[rest], ctx.language)}`
  const text = head.replace(/\n$/, '').replaceAll('\n', '\r\n')
  return `${host} | ${word} | rc=${rc ?? '-'} >>\r\n${text}${more}`
}

/** Runs the command on one host. Its output is stored as it arrives, its end with the item. */
export async function runOnHost(
  run: ExecutionRun,
  item: JobItem<HostPayload>,
  payload: HostPayload,
  log: (output: string) => Promise<void>,
): Promise<void> {
  const { ctx, snapshot, job, output, gate } = run
  const entered = await gate.enter()
  const { row, login, protocol, command } = await prepared(run, payload).catch((error: unknown) => {
    entered(false)
    throw error
  })
  const host = output.host(row.id)
  const take: OutputSink = (chunk, stream) => {
    entered(true)
    return host.write(chunk, stream)
  }
  const account = login.become?.username ?? login.username
  // A shell is told to end its command; other modules end with their connection.
  const held = heldBeyond(item.signal, protocol.name === 'ssh' ? lastWords : 0)
  let end: CommandEnd | undefined
  let failure: unknown
  try {
    end = await withTarget(ctx, row, protocol, held.signal, ({ target }) =>
      carryOut(snapshot, target, login, command, take, item.signal),
    )
  } catch (error) {
    failure = error
  } finally {
    entered(end !== undefined)
    held.release()
  }
  const said = await host.end(account, end?.status)
  const secrets = [login.secret, login.become?.password ?? '']
  const wrong = failure === undefined ? undefined : systemFailure(ctx, failure, { username: account, secrets })
  const isGood = wrong === undefined && end?.status === 0
  const reason =
    wrong?.message ?? say(opsMessages.command_failed, ctx.language, { status: end?.status ?? end?.signal ?? '-' })
  await job.log(
    blockOf(ctx, payload.host, isGood ? 'SUCCESS' : 'FAILED', said, wrong ? `${host.head}${wrong.message}` : host.head),
  )
  await log(host.head)
  item.signal.throwIfAborted()
  if (!isGood) throw wrong ?? new JobFailure('exit_status', reason)
}
