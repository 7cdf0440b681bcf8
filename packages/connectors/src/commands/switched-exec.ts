import { randomBytes } from 'node:crypto'
import type ssh2 from 'ssh2'
import { SystemFailure, type SystemLogin } from '../accounts/account-system.ts'
import { bootstrapFor, encodedScript } from '../accounts/posix/bootstrap.ts'
import { openedInTime, timedOut } from '../ssh/opened-in-time.ts'

/** How long a target may take until the account is switched to. Milliseconds. */
const longestStart = 30_000
/** Bytes before that. */
const longestGreeting = 64 * 1024

/** How `su` asks, in the language that it is told to speak. */
const suPrompt = /^Password: *$/m

/** Takes the command as one line, and leaves everything behind it on standard input to the command. */
const script = `
IFS= read -r c
c=$(printf '%b.' "$c"); c=\${c%.}
unset s n u d LC_ALL
exec /bin/sh -c "$c"
`

const lineOf = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\r', '\\r').replaceAll('\n', '\\n').replaceAll('\0', '')

/**
 * Runs a command as the account that the login becomes, with its own standard streams. The password is written by us where
 * `sudo` or `su` asks for it, and nobody else learns it.
 * @param ready called once the account is switched to, before the command begins
 * @throws SystemFailure `denied`, or errors of the connection
 */
export async function execSwitched(
  client: ssh2.Client,
  login: SystemLogin,
  command: string,
  ready: (channel: ssh2.ClientChannel) => void,
): Promise<void> {
  const nonce = `castellan-${randomBytes(8).toString('hex')}`
  const start = bootstrapFor(nonce, login.become, true)
  const channel = await openedInTime<ssh2.ClientChannel>((done) => client.exec(start.command, done))
  await new Promise<void>((resolve, reject) => {
    let said = Buffer.alloc(0)
    let isAnswered = false
    const over = (failure?: Error) => {
      clearTimeout(timer)
      channel.removeListener('data', onData).removeListener('close', onClose)
      channel.stderr.removeListener('data', onPrompt)
      if (!failure) return resolve()
      channel.destroy()
      return reject(failure)
    }
    const denied = () => over(new SystemFailure('denied', `${login.become?.method} did not start a shell`))
    const timer = setTimeout(() => over(timedOut('no shell in time')), longestStart)
    const onClose = () => denied()
    const onData = (chunk: Buffer) => {
      said = Buffer.concat([said, chunk])
      const word = `${nonce}:ready\n`
      const at = said.indexOf(word)
      if (at < 0) return void (said.length > longestGreeting && denied())
      over()
      channel.pause()
      const rest = said.subarray(at + word.length)
      if (rest.length > 0) channel.unshift(rest)
      ready(channel)
      channel.write(`${encodedScript(script)}\n${lineOf(command)}\n`)
      return undefined
    }
    let prompts = ''
    const onPrompt = (chunk: Buffer) => {
      prompts = (prompts + chunk.toString('utf8')).slice(-1024)
      const isAsked = login.become?.method === 'su' ? suPrompt.test(prompts) : prompts.includes(`${nonce}:password:`)
      if (!isAsked) return
      prompts = ''
      // It asks again when the password is wrong.
      if (isAnswered || !login.become?.password) return denied()
      isAnswered = true
      channel.write(`${login.become.password}\n`)
    }
    channel.on('data', onData)
    channel.stderr.on('data', onPrompt)
    channel.once('close', onClose)
    if (start.input !== '') channel.write(start.input)
  })
}
