import type ssh2 from 'ssh2'
import { openedInTime, timedOut } from '../../ssh/opened-in-time.ts'
import { SystemFailure } from '../account-system.ts'
import { detailOf } from '../ssh-session.ts'
import type { CommandRunner } from './powershell.ts'

/** How long a command may take, if nothing else is said. Milliseconds. */
const commandTimeout = 60_000
/** Characters of standard error that are looked at. */
const longestErrors = 8192

/** Runs commands over OpenSSH, whose shell is `cmd` or PowerShell: the words mean the same to both. */
export const sshRunner =
  (client: ssh2.Client, timeout = commandTimeout): CommandRunner =>
  async (program, words, input, most) => {
    const command = [program, ...words].join(' ')
    const channel = await openedInTime<ssh2.ClientChannel>((done) => client.exec(command, done))
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      let length = 0
      let errors = ''
      const settle = (error: Error | undefined) => {
        clearTimeout(timer)
        channel.destroy()
        if (error) reject(error)
        else resolve(Buffer.concat(chunks).toString('utf8'))
      }
      const timer = setTimeout(() => settle(timedOut('the command did not end in time')), timeout)
      channel.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        length += chunk.length
        if (length > most) settle(new SystemFailure('bad_answer', 'the answer is too long'))
      })
      channel.stderr.on('data', (chunk: Buffer) => {
        if (errors.length < longestErrors) errors += chunk.toString('utf8')
      })
      channel.on('error', settle)
      channel.once('close', (status?: number | null) => {
        if (length === 0 && (status === 127 || status === 9009 || /not found|not recognized/i.test(errors)))
          settle(new SystemFailure('unsupported', detailOf(errors, []) || 'PowerShell is not installed'))
        else settle(undefined)
      })
      channel.end(input)
    })
  }
