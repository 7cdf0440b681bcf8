import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type ssh2 from 'ssh2'
import { SystemFailure, type SystemLogin, type SystemTarget } from '../accounts/account-system.ts'
import { bootstrapFor, encodedScript } from '../accounts/posix/bootstrap.ts'
import { detailOf, inSshSession } from '../accounts/ssh-session.ts'
import { openedInTime, timedOut } from '../ssh/opened-in-time.ts'
import type { Command, CommandEnd, OutputSink, OutputStream } from './command.ts'

/** How long a target may take until the shell runs: `sudo` and `su` delay a refusal by seconds. Milliseconds. */
const longestStart = 30_000
/** Bytes before the shell runs: words of start files, of `sudo` and of `su`. */
const longestGreeting = 64 * 1024
/** How long a command may take to end by itself after it was asked to. Milliseconds. */
const grace = 1500
/** How the folder that cannot be entered is told from the command's own end. */
const noFolder = 66

const asksForPassword = /pass(?:word|phrase|code)[^\n]*:\s*$/i

/** What is written to a running command's shell to end it. */
const stopWord = 'stop\n'

/*
 * Reads the folder and the command, one line each, after itself. The command gets an empty standard input, and neither
 * it nor its parameters are in a command line of the target, where other users would see them. A watcher ends the
 * process group when it is told to; the end of its input alone does not, so that a lost connection stops nothing halfway.
 */
const begin = `
IFS= read -r d
IFS= read -r c
d=$(printf '%b.' "$d"); d=\${d%.}
c=$(printf '%b.' "$c"); c=\${c%.}
if [ -n "$d" ]; then cd "$d" || exit ${noFolder}; fi
unset s d n
exec 3<&0 </dev/null
{ IFS= read -r x <&3 && { trap '' TERM; kill -TERM 0; sleep 1; kill -KILL 0; }; } >/dev/null 2>&1 &
w=$!
`
const end = `
r=$?
kill "$w" 2>/dev/null
exit "$r"`
const scripts: Readonly<Record<'shell' | 'python', string>> = {
  shell: `${begin}( exec 3<&-; eval "unset c w
$c" )${end}`,
  python: `${begin}p=$(command -v python3 || command -v python) || { echo 'python is not installed on this host' >&2; kill "$w"; exit 127; }
printf '%s' "$c" | "$p" -u - 3<&-${end}`,
}

/** The shell never began, by what the target said instead. */
function notReady(said: string, login: SystemLogin): SystemFailure {
  const detail = detailOf(said, [login.secret, login.become?.password ?? ''])
  if (login.become) return new SystemFailure('denied', detail || `${login.become.method} did not start a shell`)
  return new SystemFailure('bad_answer', detail || 'the account has no shell that runs commands')
}

/** What runs on the target, and what it reads. */
interface Started {
  channel: ssh2.ClientChannel
  /** Set while the shell has not said that it runs. */
  nonce: string | undefined
  /** What the shell reads once it runs. */
  script: string
}

async function start(client: ssh2.Client, login: SystemLogin, command: Command): Promise<Started> {
  const open = (text: string, needsTerminal: boolean) =>
    openedInTime<ssh2.ClientChannel>((done) =>
      needsTerminal ? client.exec(text, { pty: { term: 'dumb', cols: 500 } }, done) : client.exec(text, done),
    )
  if (command.module === 'raw' && !login.become) {
    const channel = await open(command.text, false)
    channel.end()
    return { channel, nonce: undefined, script: '' }
  }
  const nonce = `castellan-${randomBytes(8).toString('hex')}`
  const { command: text, input, needsTerminal } = bootstrapFor(nonce, login.become)
  const channel = await open(text, needsTerminal)
  if (input !== '') channel.write(input)
  const script = scripts[command.module === 'python' ? 'python' : 'shell']
  // A line of its own for each: what the shell reads is not cut, and not looked at.
  const lines = [encodedScript(script), lineOf(command.chdir), lineOf(command.text)]
  return { channel, nonce, script: `${lines.join('\n')}\n` }
}

/** A text as one line that \`printf %b\` turns into it again. */
const lineOf = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\r\n', '\n').replaceAll('\n', '\\n')

/** Runs a started command to its end. */
function ended({ channel, nonce, script }: Started, client: ssh2.Client, login: SystemLogin, sink: OutputSink) {
  return new Promise<CommandEnd>((resolve, reject) => {
    let waits = nonce
    let greeting = Buffer.alloc(0)
    let answered = false
    let end: CommandEnd | undefined
    let isOver = false
    const timer = waits === undefined ? undefined : setTimeout(() => settle(timedOut('no shell in time')), longestStart)
    const settle = (failure?: Error) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      client.removeListener('close', onLost)
      if (failure) {
        channel.destroy()
        reject(failure)
      } else resolve(end ?? { status: undefined })
    }
    const onLost = () => settle(new Error('the connection was lost before the command ended'))
    const take = (chunk: Buffer, stream: OutputStream) => {
      const waiting = chunk.length > 0 ? sink(chunk, stream) : undefined
      if (!waiting) return
      channel.pause()
      channel.stderr.pause()
      void waiting.then(() => {
        channel.resume()
        channel.stderr.resume()
      }, settle)
    }
    const answerPrompt = () => {
      const said = greeting.toString('utf8')
      if (!login.become || !(said.includes(`${waits}:password:`) || asksForPassword.test(said))) return
      if (answered || login.become.password === '')
        return settle(new SystemFailure('denied', `${login.become.method} did not accept the password`))
      answered = true
      greeting = Buffer.alloc(0)
      channel.write(`${login.become.password}\n`)
    }
    const onGreeting = (chunk: Buffer) => {
      greeting = Buffer.concat([greeting, chunk])
      const ready = `${waits}:ready\n`
      const at = greeting.indexOf(ready)
      if (at >= 0) {
        waits = undefined
        clearTimeout(timer)
        channel.write(script)
        take(greeting.subarray(at + ready.length), 'out')
      } else if (greeting.length > longestGreeting)
        settle(new SystemFailure('bad_answer', 'the account prints too much before its shell starts'))
      else answerPrompt()
    }
    const on = (stream: OutputStream) => (chunk: Buffer) => {
      if (isOver) return
      if (waits === undefined) take(chunk, stream)
      else onGreeting(chunk)
    }
    channel.on('data', on('out'))
    channel.stderr.on('data', on('err'))
    channel.on('error', onLost)
    client.once('close', onLost)
    channel.once('exit', (status: number | null, signal?: string) => {
      end = { status: status ?? undefined, signal: signal?.replace(/^SIG/, '') }
    })
    channel.once('close', (status?: number | null) => {
      end ??= { status: status ?? undefined }
      settle(waits === undefined ? undefined : notReady(greeting.toString('utf8'), login))
    })
  })
}

/** Asks the command to end, and leaves it then: what it does after that is not waited for. */
async function stop({ channel, nonce }: Started): Promise<void> {
  if (nonce !== undefined) channel.write(stopWord)
  else
    try {
      channel.signal('TERM')
    } catch {
      // The channel has ended.
    }
  const over = new AbortController()
  channel.once('close', () => over.abort())
  await delay(grace, undefined, { signal: over.signal }).catch(() => undefined)
}

/**
 * Runs a command over SSH as the account that the login becomes, and hands its output over as it arrives.
 * @param ending asks the command to end; the signal of the target, which ends the connection, follows later
 * @throws SystemFailure, errors of the connection, or the reason of `ending`
 */
export async function runOverSsh(
  target: SystemTarget,
  login: SystemLogin,
  command: Command,
  sink: OutputSink,
  ending: AbortSignal,
): Promise<CommandEnd> {
  ending.throwIfAborted()
  return inSshSession(target, login, async (client) => {
    const started = await start(client, login, command)
    const onEnding = () => void stop(started).then(() => started.channel.destroy())
    ending.addEventListener('abort', onEnding, { once: true })
    try {
      if (ending.aborted) onEnding()
      const result = await ended(started, client, login, sink)
      ending.throwIfAborted()
      return result
    } finally {
      ending.removeEventListener('abort', onEnding)
    }
  })
}
