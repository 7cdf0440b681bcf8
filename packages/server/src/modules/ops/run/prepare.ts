/** What runs on hosts, as everything is when they begin. */
import type { Become, SystemLogin } from '@castellan/connectors/accounts'
import { say } from '@castellan/contract/messages'
import { opsMessages } from '@castellan/contract/messages/ops'
import { ItemSkipped } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { type AccountRow, becomeFor, commandLogins, destinationUnconfirmed, heldBack } from '../../accounts/index.ts'
import { failureOf, type Platform, platformsById } from '../../assets/index.ts'
import type { ExecutionRun } from './execution-run.ts'
import type { HostPayload } from './host-payload.ts'
import { Judge, type Judgement, judgedHost, problemOf } from './judge.ts'
import type { Operation } from './operation.ts'
import type { Prepared } from './prepared.ts'
import type { Reviewed } from './reviews.ts'

/** A host before the secrets of its account are opened. */
type Chosen = Omit<Prepared, 'login'> & { account: AccountRow; platform: Platform | undefined }

/** Everything but the secrets: the accounts with which hosts are signed in to, or why they are left out. */
async function choices(run: Reviewed, ctx: Context, payloads: readonly HostPayload[]) {
  const judge = await Judge.of(
    ctx,
    run,
    payloads.map((payload) => payload.asset),
  )
  return Promise.all(
    payloads.map(async (payload): Promise<Chosen | ItemSkipped> => {
      const judged = await judgedHost(judge, payload)
      const problem = problemOf(ctx, judged, payload, run.files)
      if (problem) return new ItemSkipped(problem.code, problem.reason)
      const { row, platform, choice, operation, given } = judged as Required<Judgement>
      const switches = platform?.su_enabled === true && choice.protocol.name === 'ssh'
      return { row, platform, ...choice, operation, switches, given }
    }),
  )
}

/** The hosts without those for which the secret of their account may not be opened. */
async function withoutHeld(
  ctx: Context,
  chosen: readonly (Chosen | ItemSkipped)[],
): Promise<readonly (Chosen | ItemSkipped)[]> {
  const usable = chosen.filter((one): one is Chosen => !(one instanceof ItemSkipped))
  const refused = await heldBack(
    ctx,
    usable.map(({ account }) => account),
  )
  const held = new Map(usable.map((one, at) => [one, refused[at]]))
  return chosen.map((one) => {
    const error = one instanceof ItemSkipped ? undefined : held.get(one)
    return error ? new ItemSkipped(destinationUnconfirmed, failureOf(ctx, error).message) : one
  })
}

/**
 * What runs on hosts that begin together, as everything is now: whatever was withdrawn or changed since the decision
 * leaves a host out. The account stays the one that was decided.
 * @returns in the order of the hosts; why for those that are left out
 */
export async function prepareHosts(
  run: Reviewed,
  payloads: readonly HostPayload[],
): Promise<readonly (Prepared | ItemSkipped)[]> {
  // Nothing that this execution has read before is believed.
  const ctx = run.ctx.inOrg(run.ctx.orgId)
  const chosen = await withoutHeld(ctx, await choices(run, ctx, payloads))
  const usable = chosen.filter((one): one is Chosen => !(one instanceof ItemSkipped))
  const logins = await commandLogins(
    ctx,
    usable.map(({ account, platform, protocol }) => ({ row: account, platform, protocol: protocol.name })),
  )
  const loginOf = new Map(usable.map((one, at) => [one, logins[at] as SystemLogin]))
  return chosen.map((one) => {
    if (one instanceof ItemSkipped) return one
    const { row, protocol, operation, switches, given } = one
    return { row, login: loginOf.get(one) as SystemLogin, protocol, operation, switches, given }
  })
}

/** Distinct operations that the log of an execution has in full. */
const mostTold = 100

/**
 * Says in the log what runs, once for all hosts on which it is the same, where lists of executions do not say all of it:
 * with values of hosts, with a module or a folder, and longer texts.
 */
async function tellOperation(
  { job, operations, ctx, snapshot, execution }: ExecutionRun,
  { shown }: Operation,
): Promise<void> {
  const isListed = (shown === snapshot.args && shown.length < execution.material.length) || shown === execution.material
  if (isListed || operations.has(shown) || operations.size >= mostTold) return
  operations.add(shown)
  await job.log(say(opsMessages.operation_runs, ctx.language, { operation: shown.replaceAll('\n', '\r\n') }))
}

/** What runs on a host that begins now; the log says it before. @throws ItemSkipped when nothing does */
export async function prepared(run: ExecutionRun, payload: HostPayload): Promise<Prepared> {
  const found = await run.hosts.get(payload)
  if (found instanceof ItemSkipped) throw found
  await tellOperation(run, found.operation)
  return found
}

/**
 * How a play becomes further accounts of a host: those that the user may use there now, by the password that is stored.
 * Undefined for others.
 */
export function becoming({ ctx: outer, ...run }: ExecutionRun, { row, login, switches }: Prepared) {
  const known = new Map<string, Promise<Become | undefined>>()
  const look = async (username: string): Promise<Become | undefined> => {
    const ctx = outer.inOrg(outer.orgId)
    const judge = await Judge.of(ctx, run, [row.id])
    const account = await judge.mayBecome(row.id, username)
    if (!account || (await heldBack(ctx, [account]))[0]) return undefined
    run.became.set(row.id, (run.became.get(row.id) ?? new Set<string>()).add(username))
    return becomeFor(ctx, login, account, (await platformsById(ctx)).get(row.platform_id))
  }
  return (username: string): Promise<Become | undefined> => {
    if (!switches) return Promise.resolve(undefined)
    const found = known.get(username) ?? look(username)
    known.set(username, found)
    return found
  }
}
