import type { ConnectError } from '@castellan/contract/connect-reasons'
import ssh2 from 'ssh2'
import { type AccountSystem, type SecretChange, SystemFailure, type SystemLogin } from '../account-system.ts'
import { inSshSession } from '../ssh-session.ts'
import { encodedScript } from './bootstrap.ts'
import { keyScript } from './key-script.ts'
import { posixAccounts } from './list.ts'
import { demandAccountName, newAccount, sudoFile } from './names.ts'
import { runScript } from './run-script.ts'
import { changeScript, changeValues, identityScript, removeScript } from './scripts.ts'

export { IncompleteList, posixAccounts } from './list.ts'
export { mostAccounts } from './passwd.ts'

/** Bytes of the longest password that `crypt` and PAM take whole. */
const longestPassword = 511

/** How long a shell is waited for that may only say that the password is expired. Milliseconds. */
const shellTimeout = 5000

/** @throws SystemFailure `secret_rejected` */
function demandPassword(secret: string): void {
  if (secret === '' || /\p{Cc}/u.test(secret))
    throw new SystemFailure('secret_rejected', 'a password is one line without control characters')
  if (Buffer.byteLength(secret) > longestPassword)
    throw new SystemFailure('secret_rejected', `a password is at most ${longestPassword} bytes long`)
}

/**
 * The line of authorized_keys for the public half of a private key.
 * @throws SystemFailure `secret_rejected`
 */
function publicKeyLine(privateKey: string, comment: string): string {
  const parsed = ssh2.utils.parseKey(privateKey)
  const key = Array.isArray(parsed) ? parsed[0] : parsed
  if (!key || key instanceof Error || !key.isPrivateKey())
    throw new SystemFailure('secret_rejected', 'the private key cannot be read')
  return `${key.type} ${key.getPublicSSH().toString('base64')} ${comment}`.trim()
}

const noCreation = { home: '', shell: '', groups: '', sudo: '' }

/** What only matters when there is no such account; why it cannot be created matters only then as well. */
function creation(username: string, create: boolean, params: SecretChange['params']) {
  if (!create) return { create: 'no', ...noCreation }
  try {
    return { create: 'yes', ...newAccount(username, params) }
  } catch (error) {
    if (error instanceof SystemFailure) return { create: error.message, ...noCreation }
    throw error
  }
}

function valuesOf(change: SecretChange): Record<(typeof changeValues)[number], string> {
  const { username, secretType, secret, keyStrategy, keyComment, create, params } = change
  demandAccountName(username)
  const isKey = secretType === 'ssh_key'
  if (!isKey) demandPassword(secret)
  if (/\p{Cc}/u.test(keyComment)) throw new SystemFailure('bad_name', 'the comment of the key is not one line')
  return {
    user: username,
    ...creation(username, create, params),
    sudo_file: sudoFile(username),
    strategy: keyStrategy,
    comment: keyComment,
    key: isKey ? publicKeyLine(secret, keyComment) : '',
    key_script: isKey ? encodedScript(keyScript) : '',
    secret: isKey ? '' : secret,
  }
}

/** A login as root becomes nobody else. */
const loginOf = (by: SystemLogin): SystemLogin => (by.username === 'root' ? { ...by, become: undefined } : by)

/** The target has accepted the secret, and the account is none the worse for having no shell that runs commands. */
function isSignedIn(error: unknown): boolean {
  if (error instanceof SystemFailure) return error.code === 'bad_answer'
  const { code, reason } = error as ConnectError
  return code === 'ETIMEDOUT' || reason !== undefined
}

/** Linux, BSD and AIX over SSH. */
export const posix: AccountSystem = {
  verify: (target, login) =>
    inSshSession(target, login, async (client) => {
      try {
        const identity = { script: identityScript, values: [] }
        await runScript(client, login, login.become ? identity : { ...identity, readyTimeout: shellTimeout })
      } catch (error) {
        if (login.become || !isSignedIn(error)) throw error
      }
    }),

  async change(target, by, change) {
    const values = valuesOf(change)
    const script = {
      script: changeScript(change.secretType, values.create === 'yes'),
      values: changeValues.map((name) => values[name]),
      secrets: [change.secret],
    }
    await inSshSession(target, by, (client) =>
      runScript(client, loginOf(by), { readyTimeout: target.readyTimeout, ...script }),
    )
  },

  async list(target, by) {
    const { accounts } = await inSshSession(target, by, (client) => posixAccounts(client, target.signal))
    return accounts
  },

  async remove(target, by, username) {
    demandAccountName(username)
    const script = { script: removeScript, values: [username, by.username, sudoFile(username)] }
    await inSshSession(target, by, (client) =>
      runScript(client, loginOf(by), { readyTimeout: target.readyTimeout, ...script }),
    )
  },
}
