import type ssh2 from 'ssh2'
import { openedInTime, timedOut } from './opened-in-time.ts'

/** How long a command may run. Milliseconds. */
const commandTimeout = 20_000

/** Standard output of a command, cut at `limit` bytes, because a target may print without end. */
export async function outputOf(client: ssh2.Client, command: string, limit = 65_536): Promise<string> {
  const channel = await openedInTime<ssh2.ClientChannel>((done) => client.exec(command, done))
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      channel.destroy()
      reject(timedOut('the command did not end in time'))
    }, commandTimeout)
    const chunks: Buffer[] = []
    let length = 0
    channel.on('data', (chunk: Buffer) => {
      if (length < limit) chunks.push(chunk)
      length += chunk.length
    })
    channel.stderr.resume()
    channel.once('close', () => {
      clearTimeout(timer)
      resolve(Buffer.concat(chunks).subarray(0, limit).toString('utf8'))
    })
  })
}
