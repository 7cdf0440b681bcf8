import type ssh2 from 'ssh2'
import { openedInTime, timedOut } from './opened-in-time.ts'

/** How long a command may run. Milliseconds. */
const commandTimeout = 20_000

export interface CommandOutput {
  text: string
  /** The command printed more than the limit; it was ended, and `text` is the beginning. */
  isCut: boolean
  /** The exit status; undefined when the command was ended or the connection was lost before it said one. */
  status: number | undefined
}

/** Standard output of a command, at most `limit` bytes: a target may print without end. */
export async function boundedOutput(client: ssh2.Client, command: string, limit: number): Promise<CommandOutput> {
  const channel = await openedInTime<ssh2.ClientChannel>((done) => client.exec(command, done))
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    // A quick command may have ended before anybody could listen to `exit`; its arguments come with `close` again.
    const settle = (status?: number | null) => {
      clearTimeout(timer)
      const text = Buffer.concat(chunks).subarray(0, limit).toString('utf8')
      resolve({ text, isCut: length > limit, status: status ?? undefined })
    }
    const timer = setTimeout(() => {
      channel.destroy()
      reject(timedOut('the command did not end in time'))
    }, commandTimeout)
    channel.on('data', (chunk: Buffer) => {
      if (length > limit) return
      chunks.push(chunk)
      length += chunk.length
      if (length <= limit) return
      channel.destroy()
      settle()
    })
    channel.stderr.resume()
    channel.once('close', settle)
  })
}

/** Standard output of a command, cut at `limit` bytes. */
export const outputOf = async (client: ssh2.Client, command: string, limit = 65_536): Promise<string> =>
  (await boundedOutput(client, command, limit)).text
