import type { ListedAccount } from '@castellan/connectors/accounts'
import { IncompleteList, mostAccounts, posixAccounts } from '@castellan/connectors/accounts/posix'
import { say } from '@castellan/contract/messages'
import { gatherMessages } from '@castellan/contract/messages/gather'
import type ssh2 from 'ssh2'
import { JobFailure } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'

/**
 * The accounts of a POSIX system that can sign in, with their last sign-in where it says so.
 * @throws JobFailure when its list is incomplete: what is missing in it would seem to be gone
 */
export async function gatherPosix(
  ctx: Context,
  client: ssh2.Client,
  signal: AbortSignal,
): Promise<{ accounts: ListedAccount[]; ignored: number }> {
  try {
    return await posixAccounts(client, signal)
  } catch (error) {
    if (!(error instanceof IncompleteList)) throw error
    const { reason } = error
    throw new JobFailure(reason, say(gatherMessages[reason], ctx.language, { count: mostAccounts, megabytes: 2 }))
  }
}
