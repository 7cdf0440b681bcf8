import {
  type AccountSystem,
  type ListedAccount,
  type SecretChange,
  SystemFailure,
  type SystemLogin,
  type SystemTarget,
} from '../account-system.ts'
import { inSshSession } from '../ssh-session.ts'
import { type CommandRunner, runPowerShell } from './powershell.ts'
import { changeScript, listScript, removeScript } from './scripts.ts'
import { sshRunner } from './ssh-runner.ts'
import { WinRmConnection } from './winrm/http.ts'
import { identify, winRmRunner } from './winrm/shell.ts'

/** Windows allows no longer names of local users, and none of these characters. */
const localName = /^(?![. ]+$)[^"/\\[\]:;|=,+*?<>@\p{Cc}]{1,20}$/u
const groupName = /^[^"/\\[\]:;|=,+*?<>@\p{Cc}]{1,256}$/u
const longestPassword = 127
const mostAccounts = 10_000

/** @throws SystemFailure `bad_name` */
function demandLocalName(username: string): void {
  if (!localName.test(username) || username !== username.trim() || username.endsWith('.'))
    throw new SystemFailure(
      'bad_name',
      'the username is empty, too long, or has characters that Windows does not allow',
    )
}

/** @throws SystemFailure */
function demandPassword({ secretType, secret }: SecretChange): void {
  if (secretType !== 'password') throw new SystemFailure('unsupported', 'Windows accounts have passwords, not keys')
  if (secret === '' || secret.length > longestPassword || /\p{Cc}/u.test(secret))
    throw new SystemFailure(
      'secret_rejected',
      `a password is one line of at most ${longestPassword} characters without control characters`,
    )
}

/** @throws SystemFailure `bad_name` */
function groupsOf({ groups }: SecretChange['params']): string[] {
  const names = (typeof groups === 'string' ? groups : '').split(',').flatMap((name) => name.trim() || [])
  if (!names.every((name) => groupName.test(name)))
    throw new SystemFailure('bad_name', 'a group has characters that Windows does not allow')
  return names
}

async function overWinRm<T>(
  target: SystemTarget,
  login: SystemLogin,
  work: (connection: WinRmConnection) => Promise<T>,
): Promise<T> {
  if (login.secretType !== 'password') throw new SystemFailure('unsupported', 'WinRM signs in with passwords only')
  target.signal.throwIfAborted()
  let connection: WinRmConnection | undefined
  try {
    connection = await WinRmConnection.open(target, login)
    return await work(connection)
  } catch (error) {
    target.signal.throwIfAborted()
    throw error
  } finally {
    connection?.close()
  }
}

/** Ports of WinRM, where nobody has said by which protocol the system is reached. */
const winRmPorts: readonly number[] = [5985, 5986]
const isWinRm = ({ protocol, port }: SystemTarget) => (protocol ? protocol === 'winrm' : winRmPorts.includes(port))

/**
 * Lends a runner of commands on a Windows host.
 * @param timeout how long a command may take over SSH, if not the usual time. Milliseconds
 */
export const withCommandRunner = <T>(
  target: SystemTarget,
  login: SystemLogin,
  work: (run: CommandRunner) => Promise<T>,
  timeout?: number,
): Promise<T> =>
  isWinRm(target)
    ? overWinRm(target, login, (connection) => work(winRmRunner(connection)))
    : inSshSession(target, login, (client) => work(sshRunner(client, timeout)))

/** @throws SystemFailure `bad_answer` */
function accountsIn(answer: string): ListedAccount[] {
  const incomplete = () => new SystemFailure('bad_answer', 'the list of accounts is not whole')
  let rows: unknown
  try {
    rows = JSON.parse(answer)
  } catch {
    throw incomplete()
  }
  if (!Array.isArray(rows) || rows.length === 0 || rows.length > mostAccounts) throw incomplete()
  return rows.flatMap((row: unknown) => {
    const { username, lastLogin } = (row ?? {}) as { username?: unknown; lastLogin?: unknown }
    if (typeof username !== 'string') throw incomplete()
    if (!localName.test(username)) return []
    return [{ username, address: '', lastLogin: typeof lastLogin === 'number' ? lastLogin : null }]
  })
}

/** Local users of Windows, over WinRM or over its OpenSSH. */
export const windows: AccountSystem = {
  verify: (target, login) =>
    isWinRm(target) ? overWinRm(target, login, identify) : inSshSession(target, login, async () => undefined),

  async change(target, by, change) {
    const { username, secret, create, params } = change
    demandLocalName(username)
    demandPassword(change)
    const values = { username, create, groups: groupsOf(params) }
    await withCommandRunner(target, by, (run) => runPowerShell(run, changeScript, values, secret))
  },

  list: async (target, by) =>
    accountsIn(await withCommandRunner(target, by, (run) => runPowerShell(run, listScript, {}))),

  async remove(target, by, username) {
    demandLocalName(username)
    await withCommandRunner(target, by, (run) => runPowerShell(run, removeScript, { username }))
  },
}
