import { permActionBits } from '@castellan/contract/choices/perms'
import { type Given, type Message, say } from '@castellan/contract/messages'
import { opsMessages } from '@castellan/contract/messages/ops'
import { batches } from '../../../db/batches.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { findAll } from '../../../kernel/resource/repository.ts'
import { type AccountRow, takesSecret } from '../../accounts/index.ts'
import { AccountUses, type Use, UseRefused } from '../../acls/index.ts'
import {
  type AssetRow,
  asset,
  type Platform,
  platformsById,
  protocolsByPlatform,
  protocolsOf,
} from '../../assets/index.ts'
import { type Access, accessToMany } from '../../perms/index.ts'
import type { JobSnapshot } from '../job-execution.ts'
import { commandExecution } from '../settings.ts'
import { actionOf, type Choice, chooseAccount } from './choose-account.ts'
import { blacklisted, type RuleVerdict, verdictOf } from './command-rules.ts'
import type { ExecutionRun } from './execution-run.ts'
import type { HostPayload } from './host-payload.ts'
import { digestOf, HiddenCommand, isCommand, type Operation, operationOf, UnreadableText } from './operation.ts'
import { UnsafeVariable } from './variables.ts'

/** What a decision needs of a run. */
export type JudgedRun = Pick<ExecutionRun, 'snapshot' | 'values' | 'execution' | 'from'>

/** What is decided about a host. */
export interface Judgement {
  readonly row: AssetRow
  readonly platform: Platform | undefined
  readonly choice?: Choice
  readonly use?: Use
  readonly operation?: Operation
  readonly given?: Record<string, string>
  readonly verdict?: RuleVerdict
  /** Why nothing may run: a code and its text. */
  readonly excluded?: { code: string; reason: string }
  /** The asset login rule that rejects, and the names of the account. */
  readonly rejected?: UseRefused
}

/** The account that is wanted, or how it is chosen. */
export type Wanted = Pick<JobSnapshot, 'runas' | 'runas_policy'> & { account?: string | undefined }

/** Values of variables that are about one asset and one run. */
export const givenValues = (
  ctx: Context,
  snapshot: JobSnapshot,
  row: { id: string; name: string; address: string },
  platform: { category: string; type: string } | undefined,
  port: number,
): Record<string, string> => ({
  jms_username: ctx.me.username,
  jms_job_id: snapshot.job,
  jms_job_name: snapshot.name,
  'jms_asset.id': row.id,
  'jms_asset.name': row.name,
  'jms_asset.address': row.address,
  'jms_asset.category': platform?.category ?? '',
  'jms_asset.type': platform?.type ?? '',
  'jms_asset.port': String(port),
})

/** The protocols of an asset that a run may use: files go over an SSH whose platform allows them. */
async function runnableProtocols<P extends { name: string }>(
  ctx: Context,
  { transfer }: JobSnapshot,
  platformId: number,
  protocols: readonly P[],
): Promise<readonly P[]> {
  if (!transfer) return protocols
  const offered = (await protocolsByPlatform(ctx)).get(platformId) ?? []
  const isWithoutFiles = offered.some(({ name, setting }) => name === 'ssh' && setting.sftp_enabled === false)
  return protocols.filter(({ name }) => name !== 'ssh' || !isWithoutFiles)
}

/** The access to the account that was decided, and to no other one that has its username. */
const accessTo = (access: Access | undefined, account: string | undefined): Access | undefined =>
  account === undefined || !access
    ? access
    : { ...access, accounts: access.accounts.filter((one) => one.account?.id === account) }

/** What assets and permissions are now, read for many assets together, and the decision about each of them. */
export class Judge {
  readonly rows: readonly AssetRow[]
  readonly #ctx: Context
  readonly #run: JudgedRun
  readonly #uses: AccountUses
  readonly #platforms: ReadonlyMap<unknown, Platform>
  readonly #access: ReadonlyMap<string, Access>
  readonly #protocols: Awaited<ReturnType<typeof protocolsOf>>

  private constructor(
    ctx: Context,
    run: JudgedRun,
    known: {
      rows: readonly AssetRow[]
      platforms: ReadonlyMap<unknown, Platform>
      access: ReadonlyMap<string, Access>
      protocols: Awaited<ReturnType<typeof protocolsOf>>
    },
  ) {
    this.#ctx = ctx
    this.#run = run
    this.rows = known.rows
    this.#platforms = known.platforms
    this.#access = known.access
    this.#protocols = known.protocols
    this.#uses = new AccountUses(ctx, { user: ctx.me, ip: run.from })
  }

  /** Assets that are gone have no row. */
  static async of(ctx: Context, run: JudgedRun, assets: readonly string[]): Promise<Judge> {
    const rows = await findAll(ctx, asset, (query) =>
      query
        .where('t.id', 'in', [...assets])
        .orderBy('t.name')
        .orderBy('t.id'),
    )
    const platforms = await platformsById(ctx)
    const ids = rows.map(({ id }) => id)
    const access = await accessToMany(ctx, ctx.me, ids)
    return new Judge(ctx, run, { rows: rows as AssetRow[], platforms, access, protocols: await protocolsOf(ctx, ids) })
  }

  #use(row: AssetRow, account: string, by: { protocol: string; actions: number; since?: number | undefined }) {
    return this.#uses.of({ asset: row, access: this.#access.get(row.id), account: { id: account }, ...by })
  }

  /** The user's use of a further account of an asset, by its username; undefined when there is none, or it is refused. */
  async useOf(
    asset: string,
    username: string,
    by: { protocol: string; actions: number; since?: number },
  ): Promise<Use | undefined> {
    const row = this.rows.find(({ id }) => id === asset)
    const found = this.#access.get(asset)?.accounts.find(({ account }) => account?.username === username)
    if (!row || !found?.account) return undefined
    return this.#use(row, found.account.id, by).catch((error: unknown) => {
      if (error instanceof UseRefused) return undefined
      throw error
    })
  }

  /** Whether a play may become a further account: in what it runs no filter finds a command, and nobody is asked meanwhile. */
  async mayBecome(asset: string, username: string, since?: number): Promise<AccountRow | undefined> {
    const by = { protocol: 'ssh', actions: permActionBits.connect, ...(since === undefined ? {} : { since }) }
    const use = await this.useOf(asset, username, by)
    const isHeld = use?.rule?.action === 'review'
    const isFiltered = use?.commandFilters.some(({ action }) => action === 'reject' || action === 'review')
    return isHeld || isFiltered ? undefined : use?.account.account
  }

  /** Everything that decides whether, and how, the job runs on an asset. */
  async about(row: AssetRow, { account, ...wanted }: Wanted, since?: number): Promise<Judgement> {
    const ctx = this.#ctx
    const { snapshot } = this.#run
    const platform = this.#platforms.get(row.platform_id)
    const judged = { row, platform }
    if (!row.is_active) return { ...judged, excluded: excludedBy(ctx, 'asset_disabled') }
    const protocols = await runnableProtocols(ctx, snapshot, row.platform_id, this.#protocols.get(row.id) ?? [])
    const access = accessTo(this.#access.get(row.id), account)
    const choice = chooseAccount(
      access,
      platform,
      protocols,
      { ...wanted, module: snapshot.module },
      ctx.now,
      takesSecret,
    )
    if (typeof choice === 'string') return { ...judged, excluded: excludedBy(ctx, choice) }
    try {
      const actions = permActionBits.connect | actionOf(snapshot.module)
      const use = await this.#use(row, choice.account.id, { protocol: choice.protocol.name, actions, since })
      const given = givenValues(ctx, snapshot, row, platform, choice.protocol.port)
      return this.#operation({ ...judged, choice, use, given })
    } catch (error) {
      if (!(error instanceof UseRefused)) throw error
      const excluded = excludedBy(ctx, error.problem)
      return error.rule ? { ...judged, choice, excluded, rejected: error } : { ...judged, choice, excluded }
    }
  }

  #operation(judged: Judgement & { use: Use; given: Record<string, string> }): Judgement {
    const ctx = this.#ctx
    const { snapshot, values, execution } = this.#run
    const { commandFilters } = judged.use
    let operation: Operation
    try {
      operation = operationOf(snapshot, values, judged.given, execution.material)
    } catch (error) {
      return { ...judged, excluded: unfilled(ctx, error) }
    }
    const whole = { ...judged, operation }
    if (snapshot.transfer) return whole
    if (!isCommand(snapshot)) {
      // What a playbook runs on a host is a program, in which no filter finds a command.
      const isRefused = commandFilters.some(({ action }) => action === 'reject' || action === 'review')
      return isRefused ? { ...whole, excluded: excludedBy(ctx, 'command_filtered') } : whole
    }
    const { SECURITY_COMMAND_BLACKLIST: listed } = commandExecution.of(ctx)
    const word = blacklisted(listed, operation.module, operation.text)
    if (word)
      return {
        ...whole,
        excluded: { code: 'blacklisted', reason: say(opsMessages.command_blacklisted, ctx.language, { word }) },
      }
    const verdict = verdictOf(commandFilters, operation)
    if (!verdict) return whole
    return verdict.action === 'reject'
      ? { ...whole, verdict, excluded: excludedBy(ctx, 'command_rejected') }
      : { ...whole, verdict }
  }
}

/**
 * The judgement about a host whose account was decided before; undefined when the asset is gone.
 * @param since when the work on it began; now, if it begins
 */
export async function judgedHost(
  judge: Judge,
  { asset: id, account, username }: HostPayload,
  since?: number,
): Promise<Judgement | undefined> {
  const row = judge.rows.find((one) => one.id === id)
  return row && judge.about(row, { runas: username, runas_policy: 'skip', account }, since)
}

/**
 * Why a host that was decided before may not be worked on, or not any longer: what excludes it now, or a review that it
 * did not have, or had for something else. Undefined when it may.
 */
export function problemOf(
  ctx: Context,
  judged: Judgement | undefined,
  { review, loginReview }: HostPayload,
  files: string,
): { code: string; reason: string } | undefined {
  if (!judged) return excludedBy(ctx, 'asset_gone')
  const { excluded, operation, use, verdict } = judged
  if (excluded) return excluded
  if (!operation) return excludedBy(ctx, 'not_permitted')
  const digest = digestOf(operation, files)
  const wanted = [
    [use?.rule?.action === 'review' ? use.rule.id : undefined, loginReview],
    [verdict?.action === 'review' ? verdict.rule : undefined, review],
  ] as const
  for (const [rule, had] of wanted) {
    if (rule !== undefined && rule !== had?.rule) return excludedBy(ctx, 'review_needed')
    if (had && had.digest !== digest) return excludedBy(ctx, 'review_changed')
  }
  return undefined
}

/** In batches, for many assets. */
export async function* judges(ctx: Context, run: JudgedRun, assets: readonly string[]): AsyncGenerator<Judge> {
  for (const some of batches([...new Set(assets)])) yield await Judge.of(ctx, run, some)
}

/** Why an operation could not be made. */
function unfilled(ctx: Context, error: unknown): { code: string; reason: string } {
  const because = <const M extends Message>(code: string, message: M, ...values: Given<M>) => ({
    code,
    reason: say(message, ctx.language, ...values),
  })
  if (error instanceof UnsafeVariable)
    return because('variable_unsafe', opsMessages.variable_unsafe, { name: error.variable })
  if (error instanceof HiddenCommand)
    return because('variable_hides', opsMessages.variable_hides, { name: error.parameter })
  if (error instanceof UnreadableText) return because('command_unreadable', opsMessages.command_unreadable)
  throw error
}

const reasons = {
  asset_gone: opsMessages.host_asset_gone,
  asset_disabled: opsMessages.host_asset_disabled,
  not_permitted: opsMessages.host_not_permitted,
  permission_expired: opsMessages.host_not_permitted,
  user_invalid: opsMessages.host_user_invalid,
  login_rejected: opsMessages.host_login_rejected,
  action_missing: opsMessages.host_no_transfer,
  automation_disabled: opsMessages.host_automation_disabled,
  no_protocol: opsMessages.host_no_protocol,
  no_account: opsMessages.host_no_account,
  no_transfer: opsMessages.host_no_transfer,
  command_rejected: opsMessages.host_command_rejected,
  command_filtered: opsMessages.host_command_filtered,
  review_too_long: opsMessages.host_review_too_long,
  review_hidden: opsMessages.host_review_hidden,
  review_needed: opsMessages.host_review_needed,
  review_changed: opsMessages.host_review_changed,
  review_repeated: opsMessages.host_review_repeated,
} as const

export const excludedBy = (ctx: Context, code: keyof typeof reasons): { code: string; reason: string } => ({
  code,
  reason: say(reasons[code], ctx.language),
})

/** Exclusions that were forbidden, not merely impossible: they fail the execution. */
export const forbiddenCodes: ReadonlySet<string> = new Set([
  ...['not_permitted', 'permission_expired', 'user_invalid', 'login_rejected', 'action_missing', 'no_transfer'],
  ...['command_rejected', 'command_filtered', 'command_unreadable', 'variable_hides', 'blacklisted'],
  ...['review_too_long', 'review_hidden', 'review_needed', 'review_changed', 'review_repeated', 'review_refused'],
  'no_reviewer',
])
