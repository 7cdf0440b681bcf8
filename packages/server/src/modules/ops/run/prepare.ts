/** What runs on hosts, as everything is when they begin. */
import type { Become, SystemLogin } from '@castellan/connectors/accounts'
import { permActionBits } from '@castellan/contract/choices/perms'
import { say } from '@castellan/contract/messages'
import { opsMessages } from '@castellan/contract/messages/ops'
import { ItemSkipped } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { findAll } from '../../../kernel/resource/repository.ts'
import { type AccountRow, becomeFor, commandLogins, takesSecret } from '../../accounts/index.ts'
import { commandFiltersFor } from '../../acls/index.ts'
import { type AssetRow, asset, type Platform, platformsById, protocolsOf } from '../../assets/index.ts'
import { type Access, accessToMany, protocolPasses } from '../../perms/index.ts'
import { chooseAccount } from './choose-account.ts'
import { givenValues, type HostPayload, runnableProtocols } from './decide.ts'
import type { ExecutionRun } from './execution-run.ts'
import type { Prepared } from './prepared.ts'
import { demandReviewed, type Reviewed } from './reviews.ts'
import { withVariables } from './variables.ts'

/** The access to the account that was decided, and to no other one that has its username. */
const accessTo = (access: Access | undefined, account: string | undefined): Access | undefined =>
  access && { ...access, accounts: access.accounts.filter((one) => one.account?.id === account) }

/** A host before the secrets of its account are opened. */
type Chosen = Omit<Prepared, 'login'> & { account: AccountRow; platform: Platform | undefined }

/** Everything but the secrets: the accounts with which hosts are signed in to, or why they are left out. */
async function choices({ snapshot, own }: Reviewed, ctx: Context, payloads: readonly HostPayload[]) {
  const ids = payloads.map((payload) => payload.asset)
  const rows = new Map(
    (await findAll(ctx, asset, (query) => query.where('t.id', 'in', ids))).map((row) => [row.id, row]),
  )
  const platforms = await platformsById(ctx)
  const access = await accessToMany(ctx, ctx.me, ids)
  const offered = await protocolsOf(ctx, ids)
  const choose = async (payload: HostPayload): Promise<Chosen | ItemSkipped> => {
    const row = rows.get(payload.asset)
    if (!row?.is_active) return new ItemSkipped('asset_gone', say(opsMessages.host_asset_gone, ctx.language))
    const platform = platforms.get(row.platform_id)
    const protocols = await runnableProtocols(ctx, snapshot, row.platform_id, offered.get(row.id) ?? [])
    const wanted = { ...snapshot, runas: payload.username, runas_policy: 'skip' }
    const mine = accessTo(access.get(row.id), payload.account)
    const choice = chooseAccount(mine, platform, protocols, wanted, Date.now(), takesSecret)
    if (typeof choice === 'string')
      return new ItemSkipped('not_permitted', say(opsMessages.host_not_permitted, ctx.language))
    const given = givenValues(ctx, snapshot, row as AssetRow, platform, choice.protocol.port)
    const isCommand = snapshot.type === 'adhoc' && !snapshot.transfer
    const command = !isCommand ? '' : withVariables(snapshot.args, own, given)
    if (isCommand) demandReviewed(ctx, payload, command)
    const switches = platform?.su_enabled === true && choice.protocol.name === 'ssh'
    return { row: row as AssetRow, platform, ...choice, command, switches, given }
  }
  return Promise.all(
    payloads.map((payload) =>
      choose(payload).catch((error: unknown) => {
        if (error instanceof ItemSkipped) return error
        throw error
      }),
    ),
  )
}

/**
 * What runs on hosts that begin together, as everything is now: a permission that was withdrawn since the decision, or a
 * platform that was changed, leaves a host out. The account stays the one that was decided, and so does the decision of
 * the rules.
 * @returns in the order of the hosts; why for those that are left out
 */
export async function prepareHosts(
  run: Reviewed,
  payloads: readonly HostPayload[],
): Promise<readonly (Prepared | ItemSkipped)[]> {
  // Nothing that this execution has read before is believed.
  const ctx = run.ctx.inOrg(run.ctx.orgId)
  const chosen = await choices(run, ctx, payloads)
  const usable = chosen.filter((one): one is Chosen => !(one instanceof ItemSkipped))
  const logins = await commandLogins(
    ctx,
    usable.map(({ account, platform, protocol }) => ({ row: account, platform, protocol: protocol.name })),
  )
  const loginOf = new Map(usable.map((one, at) => [one, logins[at] as SystemLogin]))
  return chosen.map((one) => {
    if (one instanceof ItemSkipped) return one
    const { row, protocol, command, switches, given } = one
    return { row, login: loginOf.get(one) as SystemLogin, protocol, command, switches, given }
  })
}

/** What runs on a host that begins now. @throws ItemSkipped when nothing does */
export async function prepared({ hosts }: ExecutionRun, payload: HostPayload): Promise<Prepared> {
  const found = await hosts.get(payload)
  if (found instanceof ItemSkipped) throw found
  return found
}

/**
 * How a play becomes further accounts of a host: those that the user may use there now, by the password that is stored.
 * Undefined for others.
 */
export function becoming({ ctx: outer }: ExecutionRun, { row, login, switches }: Prepared) {
  const known = new Map<string, Promise<Become | undefined>>()
  const look = async (username: string): Promise<Become | undefined> => {
    const ctx = outer.inOrg(outer.orgId)
    const access = (await accessToMany(ctx, ctx.me, [row.id])).get(row.id)
    if (!access || !protocolPasses(access.rules, 'ssh')) return undefined
    const usable = access.accounts.find(
      ({ account, actions, dateExpired }) =>
        account?.username === username && (actions & permActionBits.connect) !== 0 && dateExpired > Date.now(),
    )
    if (!usable?.account) return undefined
    // As for the account that was chosen: in what a playbook runs, no filter finds a command.
    const filters = await commandFiltersFor(ctx, ctx.me.id, row.id, [username])
    if (filters.some(({ action }) => action === 'reject' || action === 'review')) return undefined
    return becomeFor(ctx, login, usable.account, (await platformsById(ctx)).get(row.platform_id))
  }
  return (username: string): Promise<Become | undefined> => {
    if (!switches) return Promise.resolve(undefined)
    const found = known.get(username) ?? look(username)
    known.set(username, found)
    return found
  }
}
