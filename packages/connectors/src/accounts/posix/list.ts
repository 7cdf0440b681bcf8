import type ssh2 from 'ssh2'
import { boundedOutput } from '../../ssh/command.ts'
import { type ListedAccount, SystemFailure } from '../account-system.ts'
import { accountsIn, lastLoginsIn, TooManyAccounts } from './passwd.ts'

/** Between the two lists; no line of a passwd file. */
const separator = 'castellan-logins'

/** The first two lines of each account with a time: of `lastlog` and the newest of `last`, or the newest two of `last`. */
const newest = 'awk "{ if (/ [0-9][0-9]:[0-9][0-9]:[0-9][0-9] / && n[\\$1]++ < 2) print }" || cat'

/**
 * Both lists by one command, because each further one is a process of the target and a round trip. Only what POSIX
 * systems have, and nothing that changes anything. Sign-ins come from what the system has: `lastlog` remembers them for
 * good, but display managers do not tell it; `last` knows those as well, until the log is rotated, and takes longer.
 */
const listAccounts = `/bin/sh -c '${[
  'LC_ALL=C; TZ=UTC0; export LC_ALL TZ',
  'getent passwd 2>/dev/null || cat /etc/passwd || exit',
  `echo; echo ${separator}`,
  `{ n=5000; { lastlog2 || lastlog; } && n=300; last -w -F -i -n $n; } 2>/dev/null | { ${newest}; }`,
  // csh reads neither line ends nor exclamation marks within quotes.
].join('; ')}'`

/** Bytes of both lists. */
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
  const end = list.text.indexOf(`\n${separator}\n`)
  if (end < 0) throw new IncompleteList(list.isCut ? 'too_much' : 'no_list')
  try {
    const { usernames, ignored } = accountsIn(list.text.slice(0, end))
    if (usernames.length === 0) throw new IncompleteList('no_list')
    const logins = lastLoginsIn(list.text.slice(end + separator.length + 2))
    const unknown = { address: '', lastLogin: null }
    return { accounts: usernames.map((username) => ({ username, ...(logins.get(username) ?? unknown) })), ignored }
  } catch (error) {
    throw error instanceof TooManyAccounts ? new IncompleteList('too_many') : error
  }
}
