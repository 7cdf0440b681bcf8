import { randomBytes } from 'node:crypto'
import type ssh2 from 'ssh2'
import { openedInTime, timedOut } from '../../ssh/opened-in-time.ts'
import { type Become, SystemFailure, type SystemFailureCode, type SystemLogin } from '../account-system.ts'
import { detailOf } from '../ssh-session.ts'
import { bootstrapFor, encodedScript } from './bootstrap.ts'

/** How long a target may take until the script runs: `sudo` and `su` delay a refusal by seconds. Milliseconds. */
const longestStart = 30_000
/** How long the script may take. Milliseconds. */
const scriptTimeout = 60_000
/** Bytes before the script runs: words of the shell's start files, of `sudo` and of `su`. */
const longestGreeting = 64 * 1024

const failureCodes: ReadonlySet<string> = new Set<SystemFailureCode>([
  'secret_expired',
  'denied',
  'account_missing',
  'bad_name',
  'secret_rejected',
  'disk_full',
  'read_only',
  'unsupported',
  'bad_answer',
])

/** A login whose password has to be changed gets words instead of a shell. */
export const saysExpired =
  /password (?:has |is )?expired|change your password|password change required|new one required/i
const asksForPassword = /pass(?:word|phrase|code)[^\n]*:\s*$/i

export interface PosixScript {
  script: string
  /** One value a line, in the order in which the script reads them; none has a line end. */
  values: readonly string[]
  /** Those of the values that no failure may show. */
  secrets?: readonly string[]
  /** How long the account may take until the script runs. Milliseconds. */
  readyTimeout?: number | undefined
  /** Most bytes the script may print. */
  longestOutput?: number
}

/** Why the script never began, by what the target said instead. */
function notReady(said: string, secrets: readonly string[], become: Become | undefined): SystemFailure {
  const detail = detailOf(said, secrets)
  if (saysExpired.test(said)) return new SystemFailure('secret_expired', detail)
  if (/not found|no such file/i.test(said) && /\b(?:sudo|su)\b/.test(said))
    return new SystemFailure('unsupported', detail)
  if (become) return new SystemFailure('denied', detail || `${become.method} did not start a shell`)
  return new SystemFailure('bad_answer', detail || 'the account has no shell that runs commands')
}

/**
 * Runs a script in one channel, as the account that the login becomes. Nothing secret is sent before the script itself
 * has said that it runs, except a password to the prompt of `sudo` or `su`, once.
 * @returns what it printed before it said that it succeeded
 * @throws SystemFailure that the script names; ordinary errors when the connection or the target ended before that
 */
export async function runScript(
  client: ssh2.Client,
  login: SystemLogin,
  {
    script,
    values,
    secrets: secretValues = [],
    readyTimeout = longestStart,
    longestOutput = longestGreeting,
  }: PosixScript,
): Promise<string> {
  const { become } = login
  const nonce = `castellan-${randomBytes(8).toString('hex')}`
  const { command, input, needsTerminal } = bootstrapFor(nonce, become)
  const secrets = [login.secret, become?.password ?? '', ...secretValues]
  const channel = await openedInTime<ssh2.ClientChannel>((done) =>
    needsTerminal ? client.exec(command, { pty: { term: 'dumb', cols: 500 } }, done) : client.exec(command, done),
  )
  return new Promise((resolve, reject) => {
    let state: 'starting' | 'running' | 'settled' = 'starting'
    let greeting = ''
    let output = ''
    let answered = false
    let timer = setTimeout(() => settle(timedOut('no shell in time')), readyTimeout)
    const settle = (failure: Error | undefined) => {
      if (state === 'settled') return
      state = 'settled'
      clearTimeout(timer)
      client.removeListener('end', onLost).removeListener('close', onLost)
      channel.destroy()
      if (failure) reject(failure)
      else resolve(output)
    }
    const onLost = () => settle(new Error('the connection was lost before the script ended'))
    const answerPrompt = () => {
      if (!become || !(greeting.includes(`${nonce}:password:`) || asksForPassword.test(greeting))) return
      if (answered || become.password === '')
        return settle(new SystemFailure('denied', `${become.method} did not accept the password`))
      answered = true
      greeting = ''
      channel.write(`${become.password}\n`)
    }
    const onGreeting = (text: string) => {
      greeting += text
      const at = greeting.indexOf(`${nonce}:ready\n`)
      if (at >= 0) {
        state = 'running'
        clearTimeout(timer)
        timer = setTimeout(() => settle(timedOut('the script did not end in time')), scriptTimeout)
        channel.write(`${[encodedScript(script), ...values].join('\n')}\n`)
        onOutput(greeting.slice(at + nonce.length + ':ready\n'.length))
      } else if (greeting.length > longestGreeting) {
        settle(new SystemFailure('bad_answer', 'the account prints too much before its shell starts'))
      } else answerPrompt()
    }
    const onOutput = (text: string) => {
      output += text
      const [end, code = '', said = ''] = resultIn(output, nonce)
      if (end !== undefined) {
        output = output.slice(0, end)
        if (code === 'ok') settle(undefined)
        else if (failureCodes.has(code)) settle(new SystemFailure(code as SystemFailureCode, detailOf(said, secrets)))
        else settle(new SystemFailure('bad_answer', detailOf(`${code} ${said}`, secrets)))
      } else if (output.length > longestOutput) {
        settle(new SystemFailure('bad_answer', 'the answer is too long'))
      }
    }
    const decoders = [new TextDecoder(), new TextDecoder()] as const
    const onData = (decoder: TextDecoder, isOutput: boolean) => (chunk: Buffer) => {
      const text = decoder.decode(chunk, { stream: true })
      if (state === 'starting') onGreeting(text)
      else if (state === 'running' && isOutput) onOutput(text)
    }
    channel.on('data', onData(decoders[0], true))
    channel.stderr.on('data', onData(decoders[1], false))
    // ssh2 reports the end of a connection before that of its channels.
    client.once('end', onLost).once('close', onLost)
    channel.on('error', onLost)
    channel.once('close', () => {
      if (state === 'starting') settle(notReady(greeting, secrets, become))
      else onLost()
    })
    if (input !== '') channel.write(input)
  })
}

/** Where the line with the result begins in the output, its code, and what it says. */
function resultIn(output: string, nonce: string): [] | [number, string, string] {
  const begin = output.lastIndexOf(`${nonce}:`)
  if (begin < 0) return []
  const lineEnd = output.indexOf('\n', begin)
  if (lineEnd < 0) return []
  const [code = '', ...said] = output.slice(begin + nonce.length + 1, lineEnd).split(':')
  return [begin, code, said.join(':')]
}
