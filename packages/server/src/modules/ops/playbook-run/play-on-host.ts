import { withPlaybookHost } from '@castellan/connectors/commands'
import { say } from '@castellan/contract/messages'
import { opsMessages } from '@castellan/contract/messages/ops'
import type { JobItem } from '../../../kernel/jobs/kinds.ts'
import { ItemSkipped, JobFailure } from '../../../kernel/jobs/states.ts'
import { systemFailure, withTarget } from '../../accounts/index.ts'
import type { PlaybookFile } from '../playbook-file.ts'
import type { HostPayload } from '../run/decide.ts'
import type { ExecutionRun } from '../run/execution-run.ts'
import { becoming, prepared } from '../run/prepare.ts'
import { blockOf } from '../run/run-on-host.ts'
import { Batch, type PlayedEnd } from './batch.ts'
import { Evidence } from './evidence.ts'

/** The batches of one execution, one after the other: hosts that come later are worked on by the next one. */
export class Playbook implements AsyncDisposable {
  readonly #run: ExecutionRun
  readonly #files: readonly PlaybookFile[]
  readonly evidence: Evidence
  #kept: Promise<void> | undefined
  #batch: Promise<Batch> | undefined
  readonly #all: Promise<Batch>[] = []

  constructor(run: ExecutionRun, files: readonly PlaybookFile[]) {
    this.#run = run
    this.#files = files
    this.evidence = new Evidence(run)
  }

  /** The batch that has not begun yet, with the place in it that this host takes. */
  async place(): Promise<{ batch: Batch; arrived: () => void }> {
    this.#kept ??= this.evidence.keepFiles(this.#files)
    await this.#kept
    for (;;) {
      const { own, job } = this.#run
      this.#batch ??= Batch.make(this.#files, own, job.signal, (line) => job.log(line))
      const current = this.#batch
      if (!this.#all.includes(current)) this.#all.push(current)
      const batch = await current
      if (!batch.hasBegun) return { batch, arrived: batch.announce() }
      if (this.#batch === current) this.#batch = undefined
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const batch of await Promise.allSettled(this.#all))
      if (batch.status === 'fulfilled') await batch.value[Symbol.asyncDispose]()
    await this.evidence.settled()
  }
}

/** Runs the playbook on one host, together with the others of its batch. */
export async function playOnHost(
  run: ExecutionRun,
  playbook: Playbook,
  item: JobItem<HostPayload>,
  payload: HostPayload,
  log: (output: string) => Promise<void>,
): Promise<void> {
  const { ctx, job, output } = run
  const { evidence } = playbook
  const { batch, arrived } = await playbook.place()
  try {
    const ready = await prepared(run, payload)
    const { row, login, protocol, given } = ready
    if (protocol.name !== 'ssh') throw new ItemSkipped('no_protocol', say(opsMessages.playbook_needs_ssh, ctx.language))
    const host = output.host(row.id)
    const place = { assetId: row.id, asset: item.target.label, secrets: [login.secret, login.become?.password ?? ''] }
    const carry = (command: string, username: string) => evidence.carry(place, command, username)
    let end: PlayedEnd | undefined
    let failure: unknown
    try {
      end = await withTarget(ctx, row, protocol, item.signal, ({ target }) =>
        withPlaybookHost(
          target,
          login,
          { path: batch.socketOf(payload.host), keys: batch.keys, become: becoming(run, ready), carry },
          (lost) => {
            const played = batch.join(
              {
                name: payload.host,
                username: login.become?.username ?? login.username,
                switches: ready.switches,
                variables: given,
                write: (text) => host.write(Buffer.from(text), 'out'),
              },
              AbortSignal.any([lost, item.signal]),
            )
            arrived()
            return played
          },
        ),
      )
    } catch (error) {
      failure = error
    }
    const said = await host.end(
      login.become?.username ?? login.username,
      end?.isGood ? 0 : failure === undefined ? 2 : undefined,
    )
    const wrong =
      failure === undefined
        ? undefined
        : systemFailure(ctx, failure, {
            username: login.username,
            secrets: [login.secret, login.become?.password ?? ''],
          })
    const isGood = end?.isGood === true && wrong === undefined
    const reason = wrong?.message ?? end?.reason ?? ''
    await job.log(
      blockOf(ctx, payload.host, isGood ? 'SUCCESS' : 'FAILED', said, `${host.head}${wrong?.message ?? ''}`),
    )
    await log(host.head)
    item.signal.throwIfAborted()
    if (!isGood) throw wrong ?? new JobFailure('exit_status', reason || say(opsMessages.playbook_failed, ctx.language))
  } finally {
    arrived()
  }
}
