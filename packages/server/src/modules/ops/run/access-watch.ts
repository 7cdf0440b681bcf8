import { say } from '@castellan/contract/messages'
import { opsMessages } from '@castellan/contract/messages/ops'
import { coalesced } from '../../../db/coalesced.ts'
import type { JobItem } from '../../../kernel/jobs/kinds.ts'
import { JobFailure } from '../../../kernel/jobs/states.ts'
import { rulesChanged } from '../../acls/index.ts'
import { accessChanged } from '../../perms/index.ts'
import type { ExecutionRun } from './execution-run.ts'
import type { HostPayload } from './host-payload.ts'
import { Judge, judgedHost, problemOf } from './judge.ts'

/** How often what is under way is judged without a change: permissions and users expire, and news may be missed. Milliseconds. */
const lookEvery = 5000
/** Changes within this time are judged together. Milliseconds. */
const together = 100
/** How long work that was ended may take to end. Milliseconds. */
const lastWords = 10_000

/** Work on a host that is under way. */
interface Working {
  readonly payload: HostPayload
  readonly since: number
  readonly over: AbortController
}

/**
 * Judges hosts again while they are worked on, as running sessions are: what may not begin any more does not go on
 * either. It is the same decision as before; conditions about times count as of the begin.
 */
export class AccessWatch implements Disposable {
  readonly #run: ExecutionRun
  readonly #demandPermission: () => Promise<void>
  readonly #working = new Set<Working>()
  readonly #look: () => Promise<void>
  readonly #interval: NodeJS.Timeout
  readonly #unhear: (() => void)[]
  #soon: NodeJS.Timeout | undefined

  constructor(run: ExecutionRun, demandPermission: () => Promise<void>) {
    this.#run = run
    this.#demandPermission = demandPermission
    const { events, log } = run.ctx.services
    const pass = coalesced(() => this.#judge())
    this.#look = () => pass().catch((error) => log.error({ err: error }, 'a running job could not be judged again'))
    this.#interval = setInterval(() => void this.#look(), lookEvery).unref()
    const soon = () => {
      this.#soon ??= setTimeout(() => {
        this.#soon = undefined
        void this.#look()
      }, together).unref()
    }
    this.#unhear = [events.on(accessChanged, soon), events.on(rulesChanged, soon)]
  }

  /** Works on a host. @throws JobFailure `access_ended` when it was ended */
  async over(
    item: JobItem<HostPayload>,
    payload: HostPayload,
    work: (watched: JobItem<HostPayload>) => Promise<void>,
  ): Promise<void> {
    const working: Working = { payload, since: Date.now(), over: new AbortController() }
    const { signal } = working.over
    this.#working.add(working)
    let timer: NodeJS.Timeout | undefined
    try {
      const watched = { ...item, signal: AbortSignal.any([item.signal, signal]) }
      const abandoned = new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          timer = setTimeout(() => reject(signal.reason), lastWords)
        })
      })
      await Promise.race([work(watched), abandoned])
      signal.throwIfAborted()
    } catch (error) {
      if (!signal.aborted || item.signal.aborted) throw error
      await this.#run.job.log(`${payload.host} | ENDED >>\r\n${(signal.reason as Error).message}`)
      throw signal.reason
    } finally {
      clearTimeout(timer)
      this.#working.delete(working)
    }
  }

  async #judge(): Promise<void> {
    const all = [...this.#working]
    if (all.length === 0) return
    const { ctx: outer, files } = this.#run
    const refusal = await this.#demandPermission().then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof JobFailure) return error
        throw error
      },
    )
    if (refusal) {
      for (const one of all) this.#end(one, refusal.message)
      return
    }
    const ctx = outer.inOrg(outer.orgId)
    const judge = await Judge.of(ctx, this.#run, [...new Set(all.map(({ payload }) => payload.asset))])
    for (const one of all) {
      const { payload, since } = one
      const problem = problemOf(ctx, await judgedHost(judge, payload, since), payload, files)
      if (problem) this.#end(one, problem.reason)
      for (const username of this.#run.became.get(payload.asset) ?? [])
        if (!(await judge.mayBecome(payload.asset, username, since)))
          this.#end(one, say(opsMessages.host_become_ended, ctx.language, { username }))
    }
  }

  #end({ over }: Working, reason: string): void {
    if (over.signal.aborted) return
    const { language } = this.#run.ctx
    over.abort(new JobFailure('access_ended', say(opsMessages.host_access_ended, language, { reason })))
  }

  [Symbol.dispose](): void {
    clearInterval(this.#interval)
    clearTimeout(this.#soon)
    for (const stop of this.#unhear) stop()
  }
}
