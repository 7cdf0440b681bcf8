import { say } from '@castellan/contract/messages'
import { syncLogs } from '@castellan/contract/messages/cloud'
import { batches } from '../../../db/batches.ts'
import { findAll } from '../../../kernel/resource/repository.ts'
import type { SyncPreview } from '../execution.ts'
import { instance, instanceStatus } from '../instance.ts'
import { instancePages } from '../providers/calls.ts'
import type { Instance } from '../providers/provider.ts'
import { checked, type Machine, oneLine } from './machine.ts'
import { decide } from './plan.ts'
import type { SyncSetup } from './setup.ts'
import { carryOut, knownIn, release, unsynced } from './store.ts'

/** Machines of one transaction: other writers wait for it. */
const batchSize = 250

interface Batch {
  machines: Machine[]
  refused: { machine: Machine; reason: string }[]
  bad: number
}

/** The machines of some instances that the task wants, each once, and those that cannot be stored. */
function sorted({ ctx, task }: SyncSetup, instances: readonly Instance[]): Batch {
  const machines = new Map<string, Machine>()
  const refused = new Map<string, Batch['refused'][number]>()
  let bad = 0
  for (const one of instances) {
    const { machine, reason } = checked(one, task)
    if (reason === 'bad_id') bad += 1
    else if (machine && reason) refused.set(machine.id, { machine, reason: say(syncLogs[reason], ctx.language) })
    else if (machine) machines.set(machine.id, machine)
  }
  return {
    machines: [...machines.values()],
    refused: [...refused.values()].filter(({ machine }) => !machines.has(machine.id)),
    bad,
  }
}

/** The same values: the next one is asked for while the caller works on one, because a provider takes seconds a page. */
async function* readAhead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const values = source[Symbol.asyncIterator]()
  const ask = () => {
    const answer = values.next()
    // A failure counts when its turn comes.
    answer.catch(() => undefined)
    return answer
  }
  try {
    for (let next = ask(); ; ) {
      const { value, done } = await next
      if (done) return
      next = ask()
      yield value
    }
  } finally {
    await values.return?.()
  }
}

async function* batchesOf(setup: SyncSetup, region: string, signal: AbortSignal): AsyncGenerator<Batch> {
  const { ctx, job, provider } = setup
  const pages = instancePages(setup.connection, region, {
    signal,
    onRetry: (failure, seconds) =>
      job.log(
        say(syncLogs.retried, ctx.language, { region, reason: failure.text(ctx.language, provider.label), seconds }),
      ),
  })
  let count = 0
  for await (const page of readAhead(pages)) {
    count += page.length
    if (page.length > 0) await job.log(say(syncLogs.page, ctx.language, { region, count }))
    for (const some of batches(page, batchSize)) {
      signal.throwIfAborted()
      const batch = sorted(setup, some)
      if (batch.bad > 0)
        await job.log(
          say(syncLogs.not_synced, ctx.language, { region, name: '-', reason: say(syncLogs.bad_id, ctx.language) }),
        )
      yield batch
    }
  }
}

/** The rows of machines that cannot be stored, if they are known. */
async function known({ ctx, task }: SyncSetup, region: string, list: Batch['refused']) {
  const ids = list.map(({ machine }) => machine.id)
  const rows = await findAll(ctx, instance, (query) =>
    query.where('t.task_id', '=', task.id).where('t.region', '=', region).where('t.instance_id', 'in', ids),
  )
  const byId = new Map(rows.map((row) => [row.instance_id, row]))
  return list.map((one) => ({ ...one, row: byId.get(one.machine.id) }))
}

/**
 * Synchronizes one region, page by page. Machines count as released only after the last page: a page that fails ends the
 * region before that.
 */
export async function syncRegion(setup: SyncSetup, region: string, signal: AbortSignal): Promise<void> {
  const { ctx, job } = setup
  const before = await knownIn(setup, region)
  let found = 0
  for await (const { machines, refused } of batchesOf(setup, region, signal)) {
    found += machines.length + refused.length
    const decisions = await decide(setup, { id: region, name: oneLine(region, 64) }, machines)
    await carryOut(setup, region, decisions)
    if (refused.length === 0) continue
    await unsynced(setup, region, await known(setup, region, refused))
    for (const { machine, reason } of refused)
      await job.log(say(syncLogs.not_synced, ctx.language, { region, name: machine.name, reason }))
  }
  signal.throwIfAborted()
  const isSure = found > 0 || before === 0
  if (!isSure) await job.log(say(syncLogs.nothing_found, ctx.language, { region, count: before }))
  await release(setup, region, isSure)
}

/** Samples of each kind of change in a preview. */
const mostSamples = 200
/** Rows that are compared with what was found, at a time. */
const rowsAtOnce = 1000

type Sample = SyncPreview['samples'][number]

/** Collects what a synchronization would do. */
export class PreviewCollector {
  readonly summary = { new: 0, sync: 0, updated: 0, unsync: 0, released: 0 }
  readonly samples: Sample[] = []
  readonly failures: { region: string; reason: string }[] = []
  readonly #kept = new Map<Sample['change'], number>()

  add(sample: Sample): void {
    const kept = this.#kept.get(sample.change) ?? 0
    if (kept < mostSamples) this.samples.push(sample)
    this.#kept.set(sample.change, kept + 1)
  }

  result(): SyncPreview {
    return { summary: this.summary, samples: this.samples, failures: this.failures }
  }
}

/** Adds to a preview what a synchronization would do in a region. Writes nothing. */
export async function previewRegion(
  setup: SyncSetup,
  region: string,
  signal: AbortSignal,
  preview: PreviewCollector,
): Promise<void> {
  const { summary } = preview
  const seen = new Set<string>()
  for await (const { machines, refused } of batchesOf(setup, region, signal)) {
    const fresh = machines.filter(({ id }) => !seen.has(id))
    for (const decision of await decide(setup, { id: region, name: oneLine(region, 64) }, fresh)) {
      const { machine, kind } = decision
      seen.add(machine.id)
      if (kind === 'new') summary.new += 1
      else summary.sync += 1
      if (kind === 'updated') summary.updated += 1
      const name = kind === 'new' ? String(decision.body.name) : machine.name
      if (kind !== 'same') preview.add({ change: kind, region, name, address: machine.address })
    }
    for (const { machine, reason } of refused) {
      if (seen.has(machine.id)) continue
      seen.add(machine.id)
      summary.unsync += 1
      preview.add({ change: 'unsync', region, name: machine.name, address: '', reason })
    }
  }
  for (let after = ''; ; ) {
    const rows = await findAll(setup.ctx, instance, (query) =>
      query
        .where('t.task_id', '=', setup.task.id)
        .where('t.region', '=', region)
        .where('t.status', '!=', instanceStatus.released)
        .where('t.instance_id', '>', after)
        .orderBy('t.instance_id')
        .limit(rowsAtOnce),
    )
    for (const row of rows) {
      if (seen.has(row.instance_id)) continue
      summary.released += 1
      preview.add({ change: 'released', region, name: row.instance_name, address: row.asset_ip })
    }
    const last = rows.at(-1)
    if (!last || rows.length < rowsAtOnce) return
    after = last.instance_id
  }
}
