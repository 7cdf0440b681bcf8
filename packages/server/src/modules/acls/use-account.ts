import type { Context } from '../../kernel/module/context.ts'
import { findAll } from '../../kernel/resource/repository.ts'
import { callerById } from '../authentication/index.ts'
import { type Access, type PermedAccount, protocolPasses, type Subject as User } from '../perms/index.ts'
import { type CommandFilter, commandFiltersFor, hasCommandFilters, namesAccount } from './command-filter.ts'
import { type LoginAssetRule, loginAssetAcl } from './login-asset.ts'
import { applies, serverZone } from './login-rules.ts'
import { reviewersOf } from './reviews.ts'
import { assetSubject, type Subject, userSubject } from './subjects.ts'

/** An asset that is to be used. */
export interface UsedAsset {
  readonly id: string
  readonly org_id: string
  readonly is_active: unknown
}

/** The use of one account. */
export interface AskedUse {
  readonly asset: UsedAsset
  /** What permissions give the user on the asset now. */
  readonly access: Access | undefined
  /** The account: a stored one, or as permissions name it. */
  readonly account: { readonly id: string | undefined } | { readonly alias: string }
  readonly protocol: string
  /** Bits of the actions that a permission has to give, all of them; 0 for any one. */
  readonly actions: number
  /** The name that the user typed for an account that has none. */
  readonly typed?: string
  /** The time that counts for rules about times: when the use began. Now, if it begins. */
  readonly since?: number | undefined
}

/** How an account may be used. */
export interface Use {
  readonly account: PermedAccount
  /** Every name of the account, for rules about accounts. */
  readonly accountNames: readonly string[]
  /** The asset login rule that decided: it accepts, tells its reviewers, or wants a review. */
  readonly rule: LoginAssetRule | undefined
  readonly commandFilters: readonly CommandFilter[]
}

export type UseProblem =
  | 'user_invalid'
  | 'asset_disabled'
  | 'not_permitted'
  | 'permission_expired'
  | 'action_missing'
  | 'login_rejected'

/** Why an account may not be used. */
export class UseRefused extends Error {
  readonly problem: UseProblem
  /** The rule that rejects it. */
  readonly rule: LoginAssetRule | undefined
  readonly accountNames: readonly string[]

  constructor(problem: UseProblem, rule?: LoginAssetRule, accountNames: readonly string[] = []) {
    super(problem)
    this.problem = problem
    this.rule = rule
    this.accountNames = accountNames
  }
}

/** Who uses accounts, and from where. */
export interface Using {
  readonly user: User
  /** The address of the client; undefined when there is none, as for a schedule. */
  readonly ip: string | undefined
}

/** Every name of an account, for rules about accounts. */
export function accountNames({ account, alias }: PermedAccount, user: User, typed = ''): string[] {
  if (account) return [account.username]
  if (alias === '@USER') return ['@USER', user.username]
  return [alias, ...(typed ? [typed] : [])]
}

/** Whether a permission covers the account: of the two accounts of a name, only the one that is meant. */
function permitted({ access, account, protocol }: AskedUse): PermedAccount | undefined {
  if (!access || !protocolPasses(access.rules, protocol)) return undefined
  const isMeant = (one: PermedAccount) =>
    'alias' in account ? one.alias === account.alias : one.account !== undefined && one.account.id === account.id
  return access.accounts.find((one) => one.actions !== 0 && isMeant(one))
}

/**
 * May a user use an account of an asset now, and how: the one decision of every way to a target, and of its repetition
 * while the use lasts. Connection tokens, jobs, playbooks, file transfers and automations ask it; what rules have in
 * common for many assets is read once.
 */
export class AccountUses {
  readonly #ctx: Context
  readonly #using: Using
  readonly #rules = new Map<string, Promise<LoginAssetRule[]>>()
  readonly #users = new Map<string, Promise<Subject | undefined>>()
  readonly #filtered = new Map<string, Promise<boolean>>()
  #isValid: Promise<boolean> | undefined

  constructor(ctx: Context, using: Using) {
    this.#ctx = ctx
    this.#using = using
  }

  /** @throws UseRefused */
  async of(asked: AskedUse): Promise<Use> {
    const { asset } = asked
    await this.demandUser()
    if (!asset.is_active) throw new UseRefused('asset_disabled')
    const account = permitted(asked)
    if (!account) throw new UseRefused('not_permitted')
    if (account.dateExpired <= this.#ctx.now) throw new UseRefused('permission_expired')
    if ((account.actions & asked.actions) !== asked.actions) throw new UseRefused('action_missing')
    const names = accountNames(account, this.#using.user, asked.typed)
    const rule = await this.demandRules(asset, names, asked.since)
    return { account, accountNames: names, rule, commandFilters: await this.#filtersFor(asset, names) }
  }

  /** Whether the user exists and is neither disabled nor expired. @throws UseRefused */
  async demandUser(): Promise<void> {
    this.#isValid ??= callerById(this.#ctx, this.#using.user.id).then(
      (found) => found?.isActive === true && !found.isExpired,
    )
    if (!(await this.#isValid)) throw new UseRefused('user_invalid')
  }

  /**
   * What asset login rules say: the first one that applies in order of priority; undefined without one.
   * @throws UseRefused when it rejects
   */
  async demandRules(asset: Pick<UsedAsset, 'id' | 'org_id'>, names: readonly string[], since = this.#ctx.now) {
    const rule = await this.#firstRule(asset, names, since)
    if (rule?.action === 'reject') throw new UseRefused('login_rejected', rule, names)
    return rule
  }

  async #firstRule(
    asset: Pick<UsedAsset, 'id' | 'org_id'>,
    names: readonly string[],
    since: number,
  ): Promise<LoginAssetRule | undefined> {
    const { ip } = this.#using
    const active = await once(this.#rules, asset.org_id, () => activeRules(this.#ctx, asset.org_id))
    const rows = active.filter(
      (row) =>
        namesAccount(row.accounts, names) &&
        applies(row.rules, { ip, at: since, zone: serverZone }, String(row.action)),
    )
    // Loading both takes a dozen queries, so it is done only when there are rules.
    const about = rows.length > 0 ? await assetSubject(this.#ctx, asset.id) : undefined
    const user = about && (await this.#userIn(about.orgId))
    if (!about || !user) return undefined
    for (const row of rows) {
      if (!(await user.isSelectedBy(row.users)) || !(await about.isSelectedBy(row.assets))) continue
      // A review that nobody was ever asked to do does not apply.
      if (row.action === 'review' && (await reviewersOf(this.#ctx, 'loginassetacl', row.id)).length === 0) continue
      return row
    }
    return undefined
  }

  #userIn(orgId: string): Promise<Subject | undefined> {
    return once(this.#users, orgId, () => userSubject(this.#ctx, this.#using.user.id, orgId))
  }

  /** Most organizations have no command filters, and asking for those of each asset takes long. */
  async #filtersFor(asset: UsedAsset, names: readonly string[]): Promise<CommandFilter[]> {
    const some = await once(this.#filtered, asset.org_id, () => hasCommandFilters(this.#ctx.inOrg(asset.org_id)))
    return some ? commandFiltersFor(this.#ctx, this.#using.user.id, asset.id, names) : []
  }
}

function once<T>(known: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const found = known.get(key) ?? read()
  known.set(key, found)
  return found
}

const activeRules = (ctx: Context, orgId: string): Promise<LoginAssetRule[]> =>
  findAll(ctx.inOrg(orgId), loginAssetAcl, (query) =>
    query.where('t.is_active', '=', true).orderBy('t.priority', 'desc').orderBy('t.name').orderBy('t.id'),
  )
