import { createHash } from 'node:crypto'
import { say } from '@castellan/contract/messages'
import { opsMessages } from '@castellan/contract/messages/ops'
import { linksOf, normalUuid } from '../../../kernel/fields/index.ts'
import { isObject } from '../../../kernel/fields/safe-lookup.ts'
import { GroupCommit } from '../../../kernel/jobs/group-commit.ts'
import { GroupRead } from '../../../kernel/jobs/group-read.ts'
import { defineJob, type JobItem, type JobRun } from '../../../kernel/jobs/kinds.ts'
import { ItemSkipped, JobFailure, JobRefused } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { ApiError } from '../../../kernel/module/errors.ts'
import { findById } from '../../../kernel/resource/repository.ts'
import type { Row } from '../../../kernel/resource/resource.ts'
import { startedBy } from '../../assets/index.ts'
import { recordRunCommands, tellOfJobCommands } from '../../terminal/index.ts'
import { isExecutionAllowed } from '../execution-allowed.ts'
import { job as jobResource } from '../job.ts'
import { type ExecutionRow, jobExecution } from '../job-execution.ts'
import { jobAssets } from '../job-fields.ts'
import { playbook as playbookResource } from '../playbook.ts'
import { isEntry, type PlaybookFile, readFiles } from '../playbook-files.ts'
import { Playbook, playOnHost } from '../playbook-run/play-on-host.ts'
import { sandboxProblem } from '../playbook-run/sandbox.ts'
import { isFromRepository, refreshFiles, sentenceOf } from '../playbook-source/refresh.ts'
import { commandExecution } from '../settings.ts'
import { TransferRun, transferOnHost } from '../transfer/transfer-on-host.ts'
import { AccessWatch } from './access-watch.ts'
import { blacklisted, blacklistedIn } from './command-rules.ts'
import { decideHosts, type HostPayload, type HostToReview } from './decide.ts'
import type { ExecutionRun } from './execution-run.ts'
import { excludedBy } from './judge.ts'
import { type JobPayload, runJobName } from './kinds.ts'
import { materialOf, type Operation } from './operation.ts'
import { OutputStore } from './output-store.ts'
import { prepareHosts } from './prepare.ts'
import { recordExecutionEnd } from './record-end.ts'
import { demandApproved, openReviews, type Reviewed, reviewOutcomes } from './reviews.ts'
import { runOnHost } from './run-on-host.ts'
import { SignInGate } from './sign-in-gate.ts'
import { recordExecution } from './start.ts'
import { tellOfVerdicts } from './tell-of-verdicts.ts'
import { withVariables } from './variables.ts'

/** Hosts on which a command runs at the same time, in one execution. */
const hostsAtOnce = 100
/** The same for files. */
const transfersAtOnce = 20
/** How lines of the command log wait for each other. */
const commandsTogether = { ms: 50, enough: () => 8 }
/** How long an execution may take. Milliseconds. */
const longest = 24 * 3_600_000
/** Executions at the same time in one worker. */
const executionsAtOnce = 4

function refuse(code: string, reason: string): never {
  throw new JobRefused(code, reason)
}

/** Why an execution failed as a whole; the hosts that it worked on are added when it ends. */
async function noteError(ctx: Context, id: string, error: string): Promise<void> {
  await ctx.rawDb
    .updateTable('ops_jobexecution')
    .set({ summary: JSON.stringify({ error }) })
    .where('id', '=', id)
    .where('org_id', '=', ctx.orgId)
    .execute()
}

/** The recorded execution; one of a schedule is recorded now. Undefined when the job is gone. */
async function begun(ctx: Context, job: JobRun, jobId: string): Promise<ExecutionRow | undefined> {
  if (!(await findById(ctx, jobExecution, job.id))) {
    const row = await findById(ctx, jobResource, jobId)
    if (!row) return undefined
    await ctx.transaction((inside) => recordExecution(inside, row, job.id))
  }
  await ctx.rawDb
    .updateTable('ops_jobexecution')
    .set({ date_start: Date.now() })
    .where('id', '=', job.id)
    .where('org_id', '=', ctx.orgId)
    .execute()
  return findById(ctx, jobExecution, job.id)
}

/** The values of parameters, secret ones too, and as they may be shown. */
function valuesOf(ctx: Context, { parameters, secret_parameters }: ExecutionRow): Pick<ExecutionRun, 'own' | 'values'> {
  const shown = isObject(parameters) ? (parameters as Record<string, string>) : {}
  const secrets = secret_parameters ? JSON.parse(ctx.services.vault.open(secret_parameters)) : {}
  const own = { ...shown, ...secrets }
  return { own, values: { own, shown } }
}

/** What a review is about beside the operation: the files of a playbook as they run, or those of a transfer. */
const filesDigest = (files: readonly object[]): string =>
  createHash('sha256').update(JSON.stringify(files)).digest('hex')

/**
 * What the run decides before it touches a host.
 * @returns the tickets of commands that have to be reviewed
 * @throws JobRefused when nothing is to run at all
 */
async function plan(run: Reviewed, files: readonly PlaybookFile[] | undefined): Promise<readonly string[]> {
  const { ctx, job, execution, snapshot, own } = run
  const shown = materialOf(snapshot, run.values.shown, execution.material)
  const listed = commandExecution.of(ctx).SECURITY_COMMAND_BLACKLIST
  const word = files
    ? blacklistedIn(listed, [...files, { path: '-', content: Object.values(own).join('\n'), is_binary: false }])?.word
    : snapshot.transfer
      ? undefined
      : blacklisted(listed, snapshot.module, withVariables(snapshot.args, own, {}))
  if (word) {
    await recordRunCommands(ctx, [
      {
        user: nameOf(ctx),
        asset: '-',
        account: snapshot.runas,
        input: shown,
        output: '',
        execution: execution.id,
        riskLevel: 5,
      },
    ])
    await tellOfJobCommands(ctx, [
      {
        ...{
          user: nameOf(ctx),
          command: shown,
          outcome: 'rejected',
          assets: ['-'],
        },
        rule: { id: '', name: 'SECURITY_COMMAND_BLACKLIST' },
      },
    ])
    refuse('blacklisted', say(opsMessages.command_blacklisted, ctx.language, { word }))
  }
  let reviews = snapshot.reviews ?? []
  await job.planItems(async () => {
    const links = execution.job_id
      ? await linksOf(ctx, { table: jobAssets.through, from: jobAssets.from, to: jobAssets.to }, [execution.job_id])
      : []
    const assets = links.map(({ asset_id }) => asset_id)
    const items = await decideHosts(ctx, run, assets)
    reviews = await openReviews(run, items)
    await tellOfVerdicts(run, items)
    if (reviews.length > 0)
      await ctx.rawDb
        .updateTable('ops_jobexecution')
        .set({ snapshot: JSON.stringify({ ...snapshot, reviews }) })
        .where('id', '=', job.id)
        .where('org_id', '=', ctx.orgId)
        .execute()
    return items
  })
  return reviews
}

const nameOf = (ctx: Context) => `${ctx.me.name}(${ctx.me.username})`

const reviewedRisks: Readonly<Record<string, number>> = { approved: 7, rejected: 6 }

function riskOf({ reviews }: ExecutionRun, { verdict, review }: HostPayload): number {
  if (review) return reviewedRisks[reviews.get(review.ticket)?.state ?? ''] ?? 8
  return verdict === undefined ? 0 : { reject: 5, review: 6, warning: 4, accept: 0 }[verdict.action]
}

/** What an execution that is no command works with. */
interface RunParts {
  readonly playbook: Playbook | undefined
  readonly moved: TransferRun | undefined
  readonly watch: AccessWatch
}

/** Runs on one host, or says why not; either is in the command log. */
async function workOn(run: ExecutionRun, item: JobItem<HostPayload>, more: RunParts): Promise<void> {
  const { ctx, snapshot, execution } = run
  // Hosts of a repetition were decided when it was started; their rules and permissions may be others now.
  const payload = item.payload?.host ? item.payload : await decidedAgain(run, item.target.id)
  const { playbook, moved, watch } = more
  const log = (output: string, operation?: Operation) =>
    run.commands.put({
      user: nameOf(ctx),
      asset: item.target.label,
      account: payload.username || '-',
      input: operation?.shown ?? payload.shown ?? materialOf(snapshot, run.values.shown, execution.material),
      output,
      execution: execution.id,
      riskLevel: riskOf(run, payload),
    })
  if (payload.excluded) {
    const { code, reason } = payload.excluded
    await run.job.log(`${payload.host} | SKIPPED >>\r\n${reason}`)
    if (payload.verdict) await log('')
    throw new ItemSkipped(code, reason)
  }
  try {
    demandApproved(run, payload)
  } catch (error) {
    if (error instanceof ItemSkipped) {
      await run.job.log(`${payload.host} | SKIPPED >>\r\n${error.message}`)
      await log('')
    }
    throw error
  }
  await watch.over(item, payload, async (watched) => {
    if (moved) await transferOnHost(run, moved, watched, payload)
    else await (playbook ? playOnHost(run, playbook, watched, payload, log) : runOnHost(run, watched, payload, log))
  })
}

async function decidedAgain(run: ExecutionRun, assetId: string): Promise<HostPayload> {
  const { ctx } = run
  const [item] = await decideHosts(ctx, run, [assetId])
  await tellOfVerdicts(run, item ? [item] : [])
  if (!item) throw new JobFailure('asset_gone', say(opsMessages.host_asset_gone, ctx.language))
  const { toReview, toReviewUse, ...payload } = item.payload as HostToReview
  // An approval counts for one execution.
  return toReview || toReviewUse ? { ...payload, excluded: excludedBy(ctx, 'review_repeated') } : payload
}

/** The files of a playbook as its repository has them now. @throws JobRefused */
async function refreshed(ctx: Context, row: Row<typeof playbookResource>, ending: AbortSignal) {
  try {
    return await refreshFiles(ctx, row, ending)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return refuse('vcs_failed', sentenceOf(error, ctx.language))
  }
}

/** The files of a playbook that can run here. @throws JobRefused */
async function playbookFor(ctx: Context, id: string | null, ending: AbortSignal): Promise<readonly PlaybookFile[]> {
  const problem = await sandboxProblem(ctx.services.dataDir)
  if (problem) refuse(problem, say(opsMessages[problem], ctx.language))
  const row = id ? await findById(ctx, playbookResource, id) : undefined
  const files = row ? await (isFromRepository(row) ? refreshed(ctx, row, ending) : readFiles(ctx, row.id)) : []
  if (!files.some(({ path }) => isEntry(path))) refuse('no_entry', say(opsMessages.no_entry, ctx.language))
  return files
}

/** Runs a job's command or playbook on its hosts. */
export const executeJob = defineJob<JobPayload>({
  name: runJobName,
  // A command is not begun twice unasked, whatever happens to the worker.
  delivery: 'at-most-once',
  timeout: longest,
  concurrency: executionsAtOnce,
  isPersonal: true,
  watchedWith: 'audits.view_joblog',
  ended: recordExecutionEnd,
  async run(outer, { job: jobId }, job) {
    if (!normalUuid(job.creator)) refuse('not_permitted', say(opsMessages.run_without_creator, outer.language))
    const starter = await startedBy(outer, job, 'ops.add_jobexecution').catch(async (error: unknown) => {
      await noteError(outer, job.id, error instanceof Error ? error.message : String(error))
      throw error
    })
    const { ctx } = starter
    try {
      if (!isExecutionAllowed(ctx)) refuse('disabled', say(opsMessages.execution_disabled, ctx.language))
      const execution = await begun(ctx, job, jobId)
      if (!execution) return refuse('job_gone', say(opsMessages.job_gone, ctx.language))
      const snapshot = execution.snapshot
      const files = snapshot.type === 'playbook' ? await playbookFor(ctx, snapshot.playbook, job.signal) : undefined
      const moved = snapshot.transfer && (await TransferRun.of(ctx, snapshot.transfer))
      const output = new OutputStore(ctx, job.id)
      const planned: Reviewed = {
        ctx,
        job,
        execution,
        snapshot,
        ...valuesOf(ctx, execution),
        from: job.address,
        files: filesDigest(files ?? snapshot.transfer?.files ?? []),
        operations: new Set(),
        became: new Map(),
        output,
        gate: new SignInGate(),
        told: new Set(),
        commands: new GroupCommit((work) => ctx.transaction(work), recordRunCommands, commandsTogether),
      }
      const run: ExecutionRun = {
        ...planned,
        reviews: await reviewOutcomes(ctx, await plan(planned, files)),
        hosts: new GroupRead((payloads) => prepareHosts(planned, payloads)),
      }
      using watch = new AccessWatch(run, starter.demandPermission)
      await using playbook = files && new Playbook(run, files)
      const progress = await job.eachItem<HostPayload>(
        {
          concurrency: moved ? transfersAtOnce : hostsAtOnce,
          ...(snapshot.timeout > 0 ? { timeout: snapshot.timeout * 1000 } : {}),
        },
        async (item) => {
          await starter.demandPermission()
          await workOn(run, item, { playbook, moved, watch })
        },
      )
      await output.flush()
      if (progress.total === 0) refuse('no_hosts', say(opsMessages.run_without_hosts, ctx.language))
      return progress
    } catch (error) {
      if (error instanceof JobRefused) await noteError(ctx, job.id, error.message)
      throw error
    }
  },
})
