import type { ListedAccount } from '@castellan/connectors/accounts'
import { taskLogs } from '@castellan/contract/messages/task-logs'
import { ItemSkipped } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { type AssetRow, accountPort, skip, TargetFailure } from '../../assets/index.ts'
import { systemFailure } from '../methods/failures.ts'
import { withSystem } from '../methods/session.ts'
import { acceptedBy, systemLogin } from '../methods/sign-in.ts'
import { systems } from '../methods/systems.ts'

/** Read over SSH with more details about what is wrong with the list. */
const posix = 'gather_accounts_posix'

/** Methods that read the accounts of a system by its own client library. */
export const listingMethods: readonly string[] = systems.flatMap(({ methods }) =>
  methods.filter((method) => method.startsWith('gather_accounts_') && method !== posix),
)

export const isListing = (method: string): boolean => listingMethods.includes(method)

/** The longest username that is stored. Characters. */
const longestName = 32

/** A name that a terminal, a log and a mail show as it is; databases allow more than POSIX. */
const usableName = /^[\p{L}\p{N}\p{P}\p{S}](?:[\p{L}\p{N}\p{P}\p{S} ]*[\p{L}\p{N}\p{P}\p{S}])?$/u

export interface Gathered {
  accounts: ListedAccount[]
  /** Entries that are not stored, because of their names. */
  ignored: number
  /** The gateway that was used. */
  via: string | undefined
  /** The account that signed in. */
  account: string
}

/** The accounts of an asset by its own list, read by the account of automations. @throws TargetFailure */
export async function gatherListed(
  ctx: Context,
  asset: AssetRow,
  method: string,
  signal: AbortSignal,
): Promise<Gathered> {
  const login = await accountPort.use.login(ctx, asset.id, acceptedBy(method), { prefersRoot: true })
  if (!login) return skip(ctx, 'no_account', taskLogs.reason_no_account)
  try {
    return await withSystem(ctx, asset, method, signal, async ({ system, target, via }) => {
      if (!system.list) return skip(ctx, 'no_method', taskLogs.reason_no_method, { method })
      const all = await system.list(target, systemLogin(login))
      const accounts = all.filter(({ username }) => username.length <= longestName && usableName.test(username))
      return { accounts, ignored: all.length - accounts.length, via: via(), account: login.id }
    })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ItemSkipped) throw error
    const { code, message } = systemFailure(ctx, error, { username: login.username, secrets: [login.secret] })
    throw new TargetFailure(code, message)
  }
}
