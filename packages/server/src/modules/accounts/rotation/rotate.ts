import { SystemFailure, type SystemLogin } from '@castellan/connectors/accounts'
import { say } from '@castellan/contract/messages'
import { rotationMessages } from '@castellan/contract/messages/rotation'
import { taskLogs } from '@castellan/contract/messages/task-logs'
import type { JobRun } from '../../../kernel/jobs/kinds.ts'
import { ItemSkipped, type JobFailure } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { findById } from '../../../kernel/resource/repository.ts'
import { type AutomationTarget, skip, TargetFailure, viaOf } from '../../assets/index.ts'
import { basic } from '../../settings/index.ts'
import { account } from '../account.ts'
import type { AccountRow } from '../account-fields.ts'
import { isRoot } from '../login.ts'
import { systemFailure } from '../methods/failures.ts'
import { privilegedLogin, privilegedRow, takesSecret } from '../methods/login-choice.ts'
import { type SystemSession, withSystem } from '../methods/session.ts'
import { noteNewSecret, recordedSecret, secretForAsset } from '../secret.ts'
import { demandUse } from '../use-rules.ts'
import type { AccountPayload } from './plan-accounts.ts'
import { type RecordOrigin, secretRecord } from './record.ts'
import { rotationSettings } from './settings.ts'
import { settle, signsIn } from './settle.ts'
import { adopt, closeRecord, type NewRecord, storeFailure, storePending } from './store.ts'

/** How far work on an account came: its record, which holds both secrets. */
export interface RotationStep {
  record: string
}

/** What an execution does to each of its accounts. */
export interface Rotation {
  readonly ctx: Context
  readonly job: JobRun
  readonly origin: RecordOrigin
  /** Creates the account where the target has none. */
  readonly creates: boolean
  readonly keyStrategy: 'add' | 'set' | 'set_jms'
  /** The secret that an account gets. @throws TargetFailure when there is none */
  newSecret(row: AccountRow): Promise<string>
}

type Target = AutomationTarget<AccountPayload, RotationStep>

/** Failures after which the target has certainly kept the secret it had. */
const keptSecret: ReadonlySet<string> = new Set([
  'auth_failed',
  'secret_expired',
  'denied',
  'account_missing',
  'bad_name',
  'secret_rejected',
  'unsupported',
])

const commentOf = (ctx: Context): string => {
  const site = basic.of(ctx).SITE_URL
  return `castellan@${URL.canParse(site) ? new URL(site).hostname : 'localhost'}`
}

/** Skips accounts that this run leaves alone. */
function demandSettable({ ctx }: Rotation, { asset, platform }: Target, row: AccountRow, login: AccountRow) {
  if (!row.is_active) skip(ctx, 'account_disabled', rotationMessages.account_disabled)
  if (row.secret_type === 'ssh_key' && platform?.type === 'windows')
    skip(ctx, 'windows_key', rotationMessages.windows_key)
  const isGuarded = row.privileged || isRoot(row) || row.id === login.id
  if (isGuarded && rotationSettings.of(ctx).CHANGE_AUTH_PLAN_SECURE_MODE_ENABLED)
    skip(ctx, 'secure_mode', rotationMessages.secure_mode)
  if (row.asset_id !== asset.id) skip(ctx, 'account_gone', taskLogs.reason_account_gone)
}

const refusedLogin = (ctx: Context, { username }: AccountRow) =>
  systemFailure(ctx, new SystemFailure('auth_failed', ''), { username, secrets: [] })

/** The row as it is now: settling another record may have changed its secret. */
async function fresh(ctx: Context, id: string): Promise<AccountRow> {
  const row = await findById(ctx, account, id)
  return row ?? skip(ctx, 'account_gone', taskLogs.reason_account_gone)
}

/**
 * Gives one account a new secret: both are stored, the new one is set on the target and verified by signing in with it,
 * and only then it becomes the current one. Whatever interrupts this, the record of the account says so and holds both.
 */
export async function rotate(run: Rotation, target: Target): Promise<void> {
  const { ctx } = run
  const { asset, item, method } = target
  const row = await fresh(ctx, item.target.id)
  await demandUse(ctx, row)
  const known = item.reached?.record ?? item.payload.record
  // Another attempt came to the end, and was interrupted before it could say so.
  if (item.reached && (await findById(ctx, secretRecord, known))?.status === 'success') return
  const label = `${row.name}(${row.username})`
  const about: NewRecord = { id: known, executionId: run.job.id, origin: run.origin, label }
  const ready = await withSystem(ctx, asset, method, item.signal, (session) =>
    prepare(run, target, session, row, known),
  ).catch(async (error: unknown): Promise<never> => {
    if (error instanceof ItemSkipped) throw error
    item.signal.throwIfAborted()
    const failure = systemFailure(ctx, error, { username: row.username, secrets: [] })
    await storeFailure(ctx, row, about, failure)
    throw failure
  })
  if (!ready) return
  const record = await ctx.transaction(async (inside) => {
    const id = await storePending(inside, ready.row, about, ready)
    await item.checkpoint({ record: id }, inside)
    return id
  })
  await withSystem(ctx, asset, method, item.signal, (session) => set(run, target, session, ready, record))
}

interface Ready {
  row: AccountRow
  secret: string
  /** What is stored of it before; empty when nothing is. */
  old: string
  login: SystemLogin
}

/** Everything before the target's secret is touched. Undefined when an interrupted attempt had already done the work. */
async function prepare(
  run: Rotation,
  target: Target,
  session: SystemSession,
  first: AccountRow,
  known: string | undefined,
): Promise<Ready | undefined> {
  const { ctx, job } = run
  const { asset, item, platform } = target
  const { protocol } = session
  if (!takesSecret(protocol, first.secret_type))
    throw new TargetFailure('secret_type', say(rotationMessages.key_unsupported, ctx.language))
  let login = await privilegedRow(ctx, asset, protocol)
  demandSettable(run, target, first, login)
  const label = item.target.label
  // First of all: which secret is valid, of the account and of the one that signs in.
  const from = platform?.su_enabled && login.su_from_id ? await findById(ctx, account, login.su_from_id) : undefined
  for (const signer of [from, login])
    if (signer && signer.id !== first.id)
      await settle(ctx, job, session, signer, { target: `${signer.name}(${signer.username})`, keep: undefined })
  login = await fresh(ctx, login.id)
  const settled = await settle(ctx, job, session, first, { target: label, keep: known })
  if (settled?.valid === 'record' && settled.record.id === known) return undefined
  if (settled?.valid === 'none' && login.id === first.id)
    throw new TargetFailure('in_doubt', say(rotationMessages.none_works, ctx.language))
  const row = await fresh(ctx, first.id)
  const before = known ? await findById(ctx, secretRecord, known) : undefined
  const secret = before?.new_secret ? await recordedSecret(ctx, before, asset.id) : await run.newSecret(row)
  const by = login.id === row.id ? row : login
  const opened = await privilegedLogin(ctx, by, platform, protocol)
  await noteNewSecret(ctx, row, protocol)
  return { row, secret, old: await secretForAsset(ctx, row), login: opened }
}

/** Which secret the target accepts after it was told to take the new one; a failure when it cannot be asked. */
async function whichWorks(
  ctx: Context,
  session: SystemSession,
  { row, secret, old }: Ready,
): Promise<'new' | 'old' | 'none' | JobFailure> {
  const { signal } = session.target
  try {
    signal.throwIfAborted()
    if (await signsIn(ctx, session, row, secret)) return 'new'
    return old && (await signsIn(ctx, session, row, old)) ? 'old' : 'none'
  } catch (error) {
    if (signal.aborted) return new TargetFailure('interrupted', say(rotationMessages.interrupted, ctx.language))
    return systemFailure(ctx, error, { username: row.username, secrets: [secret, old] })
  }
}

/** Tells the target to take the new secret. Returns why it did not, and whether it certainly has the one before. */
async function tell(
  { ctx, keyStrategy, creates }: Rotation,
  { system, target, isTouched }: SystemSession,
  { row, secret, login }: Ready,
  params: Readonly<Record<string, unknown>>,
): Promise<{ failure: JobFailure; isCertain: boolean } | undefined> {
  try {
    await system.change(target, login, {
      username: row.username,
      secretType: row.secret_type === 'ssh_key' ? 'ssh_key' : 'password',
      secret,
      keyStrategy,
      keyComment: commentOf(ctx),
      create: creates,
      params,
    })
    return undefined
  } catch (error) {
    const secrets = [secret, login.secret, login.become?.password ?? '']
    const failure = systemFailure(ctx, error, { username: login.username, secrets })
    return { failure, isCertain: !isTouched() || keptSecret.has(failure.code) }
  }
}

/** Sets the stored secret on the target, verifies it, and makes it the current one. */
async function set(
  run: Rotation,
  { item, params }: Target,
  session: SystemSession,
  ready: Ready,
  record: string,
): Promise<void> {
  const { ctx, job } = run
  const end = async (status: 'failed' | 'pending', failure: JobFailure): Promise<never> => {
    await closeRecord(ctx, record, { status, code: failure.code, message: failure.message })
    throw failure
  }
  const refusal = await tell(run, session, ready, params)
  if (refusal?.isCertain) return end('failed', refusal.failure)
  // The verdict is that of a sign-in, whatever the target said about the change.
  const verdict = await whichWorks(ctx, session, ready)
  if (verdict === 'old')
    return end(
      'failed',
      refusal?.failure ?? new TargetFailure('old_still_valid', say(rotationMessages.old_still_valid, ctx.language)),
    )
  if (verdict !== 'new') {
    const reason = refusal?.failure ?? (verdict === 'none' ? refusedLogin(ctx, ready.row) : verdict)
    return end(
      'pending',
      new TargetFailure('in_doubt', say(rotationMessages.in_doubt, ctx.language, { reason: reason.message })),
    )
  }
  const isEdited = await ctx.transaction(async (inside) => {
    // An attempt that was taken over must not decide any more.
    await item.checkpoint({ record }, inside)
    const stored = await findById(inside, secretRecord, record)
    return stored ? adopt(inside, stored) : false
  })
  const named = { target: item.target.label }
  if (isEdited) await job.log(say(rotationMessages.edited_meanwhile, ctx.language, named))
  await job.log(say(rotationMessages.changed, ctx.language, { ...named, via: viaOf(ctx, session.via()) }))
}
