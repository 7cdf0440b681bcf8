import type ssh2 from 'ssh2'
import { boundedOutput } from '../../ssh/command.ts'
import { type ListedAccount, SystemFailure } from '../account-system.ts'
import { accountsIn, lastLoginsIn, TooManyAccounts } from './passwd.ts'

/** Only what every POSIX system has, and nothing that changes anything. */
const listAccounts = "/bin/sh -c 'LC_ALL=C; export LC_ALL; getent passwd 2>/dev/null || cat /etc/passwd'"
/** Whichever of them the system has; it may have none. */
const listLogins =
  "/bin/sh -c 'LC_ALL=C TZ=UTC0; export LC_ALL TZ; last -w -F -i -n 5000 2>/dev/null || lastlog 2>/dev/null || true'"

/** Bytes of each list. */
const longestList = 2 * 1024 * 1024

/** The list of accounts is not whole: what is missing in it would seem to be gone. */
export class IncompleteList extends SystemFailure {
  readonly reason: 'too_many' | 'too_much' | 'no_list'

  constructor(reason: IncompleteList['reason']) {
    super('bad_answer', `the list of accounts is not whole (${reason})`)
    this.reason = reason
  }
}

/**
 * The accounts that can sign in, with their last sign-in where the system says so. Any account may read both.
 * @throws IncompleteList
 */
export async function posixAccounts(
  client: ssh2.Client,
  signal: AbortSignal,
): Promise<{ accounts: ListedAccount[]; ignored: number }> {
  const list = await boundedOutput(client, listAccounts, longestList)
  signal.throwIfAborted()
  if (list.isCut) throw new IncompleteList('too_much')
  if (list.status !== 0) throw new IncompleteList('no_list')
  try {
    const { usernames, ignored } = accountsIn(list.text)
    if (usernames.length === 0) throw new IncompleteList('no_list')
    const logins = lastLoginsIn((await boundedOutput(client, listLogins, longestList)).text)
    signal.throwIfAborted()
    const unknown = { address: '', lastLogin: null }
    return { accounts: usernames.map((username) => ({ username, ...(logins.get(username) ?? unknown) })), ignored }
  } catch (error) {
    throw error instanceof TooManyAccounts ? new IncompleteList('too_many') : error
  }
}
