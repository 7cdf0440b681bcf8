import type { SystemLogin, SystemTarget } from '@castellan/connectors/accounts'
import type { CommandEnd, OutputSink } from '@castellan/connectors/commands'
import { say } from '@castellan/contract/messages'
import { opsMessages } from '@castellan/contract/messages/ops'
import type { JobItem } from '../../../kernel/jobs/kinds.ts'
import { JobFailure } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { systemFailure, withTarget } from '../../accounts/index.ts'
import type { ExecutionRun } from './execution-run.ts'
import type { HostPayload } from './host-payload.ts'
import type { Operation } from './operation.ts'
import type { HostEnd } from './output-store.ts'
import { prepared } from './prepare.ts'

async function carryOut(
  { module, chdir, text }: Operation,
  target: SystemTarget,
  login: SystemLogin,
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
  log: (output: string, operation: Operation) => Promise<void>,
): Promise<void> {
  const { ctx, job, output, gate } = run
  const entered = await gate.enter()
  const { row, login, protocol, operation } = await prepared(run, payload).catch((error: unknown) => {
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
      carryOut(operation, target, login, take, item.signal),
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
  await log(host.head, operation)
  item.signal.throwIfAborted()
  if (!isGood) throw wrong ?? new JobFailure('exit_status', reason)
}
