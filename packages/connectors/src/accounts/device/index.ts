import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectError } from '@castellan/contract/connect-reasons'
import type ssh2 from 'ssh2'
import { openedInTime } from '../../ssh/opened-in-time.ts'
import { type AccountSystem, type SecretChange, SystemFailure, type SystemLogin } from '../account-system.ts'
import { posix } from '../posix/index.ts'
import { saysExpired } from '../posix/run-script.ts'
import { detailOf, inSshSession } from '../ssh-session.ts'

/** Before the first command: a device shows its prompt late and drops what it got before. Milliseconds. */
const firstDelay = 500
/** After each command, which the device may still be busy with. Milliseconds. */
const commandDelay = 2000
/** Most commands, which bounds the time of a change. */
const mostCommands = 30
/** Characters of what the device shows at the beginning that are looked at. */
const longestGreeting = 64 * 1024

const controlCharacter = /\p{Cc}/u

/**
 * The commands with their values. A value is one line, so that it cannot become a command of its own, and what a value
 * contains is not replaced again.
 * @throws SystemFailure
 */
function commandsOf({ params, username, secret }: SecretChange, by: SystemLogin): string[] {
  const { commands } = params
  const templates = (Array.isArray(commands) ? commands : []).filter(
    (command): command is string => typeof command === 'string' && command.trim() !== '',
  )
  if (templates.length === 0)
    throw new SystemFailure('unsupported', 'the platform has no commands that change the password')
  if (templates.length > mostCommands)
    throw new SystemFailure('unsupported', `there are more than ${mostCommands} commands`)
  if (username === '' || controlCharacter.test(username))
    throw new SystemFailure('bad_name', 'the username is empty or has control characters')
  if (secret === '' || controlCharacter.test(secret))
    throw new SystemFailure('secret_rejected', 'a password is one line without control characters')
  const loginPassword = by.secretType === 'password' ? by.secret : ''
  if (controlCharacter.test(loginPassword))
    throw new SystemFailure('bad_name', 'the password of the login has control characters')
  const values: Readonly<Record<string, string>> = { username, password: secret, login_password: loginPassword }
  return templates.map((template) =>
    template.replace(/\{(username|password|login_password)\}/g, (_placeholder, name: string) => values[name] ?? ''),
  )
}

/** Types the commands into a shell, with the delays that devices need. Their answers are not understood, only bounded. */
async function type(client: ssh2.Client, commands: readonly string[], signal: AbortSignal): Promise<void> {
  const window = { term: 'vt100', cols: 500, rows: 100 }
  const channel = await openedInTime<ssh2.ClientChannel>((done) => client.shell(window, done))
  let greeting = ''
  let isClosed = false
  channel.on('data', (chunk: Buffer) => {
    if (greeting.length < longestGreeting) greeting += chunk.toString('utf8')
  })
  channel.stderr.resume()
  channel.on('error', () => undefined)
  channel.once('close', () => {
    isClosed = true
  })
  const wait = (delay: number) => sleep(delay, undefined, { signal })
  try {
    await wait(firstDelay)
    // What asks for a new password would take the commands for it.
    if (saysExpired.test(greeting)) throw new SystemFailure('secret_expired', detailOf(greeting, []))
    for (const command of commands) {
      if (isClosed) throw new Error('the device closed the shell before all commands were sent')
      channel.write(`${command}\n`)
      await wait(commandDelay)
    }
  } finally {
    channel.destroy()
  }
}

/** Network devices and other systems with a command line over SSH. */
export const device: AccountSystem = {
  async verify(target, login) {
    // Only a system with a shell has `sudo` and `su`; a device would read the command by which they run as its own.
    if (login.become) return posix.verify(target, login)
    await inSshSession(target, login, (client) =>
      type(client, [], target.signal).catch((error: ConnectError) => {
        // It accepted the secret; a device that refuses a shell has given its reason.
        if (error.reason === undefined) throw error
      }),
    )
  },

  async change(target, by, change) {
    if (change.secretType !== 'password') throw new SystemFailure('unsupported', 'commands change passwords, not keys')
    const commands = commandsOf(change, by)
    await inSshSession(target, by, (client) => type(client, commands, target.signal))
  },
}
