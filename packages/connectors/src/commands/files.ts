/**
 * Files to and from a target, streamed in pieces, so that their sizes do not matter to memory: by SFTP, or by a shell of the
 * account that the login becomes.
 */
import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import { posix } from 'node:path'
import type ssh2 from 'ssh2'
import { SystemFailure, type SystemLogin, type SystemTarget } from '../accounts/account-system.ts'
import { inSshSession } from '../accounts/ssh-session.ts'
import { openedInTime } from '../ssh/opened-in-time.ts'
import type { FileToSend } from './file-to-send.ts'
import { fetchSwitched, sendSwitched } from './switched-files.ts'

/** Bytes of one request; servers take no more for certain. */
const pieceSize = 32_768
/** Requests that are under way for one file: the memory of a host that is slow. */
const piecesAtOnce = 8
/** How long a target may take to answer one request. Milliseconds. */
const answerTimeout = 60_000

/** Why a file was not transferred; `code` of `SystemFailure`. */
const failures: Readonly<Record<number, readonly [code: 'denied' | 'bad_answer', said: string]>> = {
  2: ['bad_answer', 'no such file or folder'],
  3: ['denied', 'the account may not do this'],
}

/** The words of a target are not shown: of an error only its number is believed. */
function failureOf(error: unknown, path: string): unknown {
  const status = (error as { code?: unknown }).code
  if (typeof status !== 'number') return error
  const [code, said] = failures[status] ?? ['bad_answer', `the host refused it (${status})`]
  return new SystemFailure(code, `${path}: ${said}`, { cause: error })
}

/** Requests of one SFTP channel. All of them fail when the connection is lost, or when an answer takes too long. */
class Sftp {
  readonly #sftp: ssh2.SFTPWrapper
  readonly #lost: Promise<never>

  constructor(sftp: ssh2.SFTPWrapper, client: ssh2.Client) {
    this.#sftp = sftp
    this.#lost = new Promise((_, reject) => {
      const onLost = () => reject(new Error('the connection was lost before the file was transferred'))
      client.once('close', onLost)
      sftp.once('close', onLost)
      sftp.once('end', onLost)
    })
    this.#lost.catch(() => undefined)
  }

  async ask<T = void>(
    path: string,
    request: (sftp: ssh2.SFTPWrapper, done: (error?: Error | null, value?: T) => void) => unknown,
  ): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const answer = new Promise<T>((resolve, reject) => {
      const late = () => reject(Object.assign(new Error('the host does not answer'), { code: 'ETIMEDOUT' }))
      timer = setTimeout(late, answerTimeout)
      request(this.#sftp, (error, value) => (error ? reject(failureOf(error, path)) : resolve(value as T)))
    })
    try {
      return await Promise.race([answer, this.#lost])
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Moves pieces between a place here and a handle there, some at a time, in no certain order. */
async function inPieces(size: number, move: (position: number, length: number) => Promise<void>): Promise<void> {
  let next = 0
  const mover = async () => {
    while (next < size) {
      const position = next
      next = Math.min(size, position + pieceSize)
      await move(position, next - position)
    }
  }
  await Promise.all(Array.from({ length: piecesAtOnce }, mover))
}

async function sendFile(sftp: Sftp, file: FileToSend, to: string): Promise<void> {
  await using local = await open(file.path, 'r')
  const handle = await sftp.ask<Buffer>(to, (one, done) => one.open(to, 'wx', done))
  try {
    await inPieces(file.size, async (position, length) => {
      const piece = Buffer.allocUnsafe(length)
      const { bytesRead } = await local.read(piece, 0, length, position)
      if (bytesRead !== length) throw new Error('the file to send has changed')
      await sftp.ask(to, (one, done) => one.write(handle, piece, 0, length, position, done))
    })
  } finally {
    await sftp.ask(to, (one, done) => one.close(handle, done)).catch(() => undefined)
  }
}

/** Gives a file that has arrived its name: at once where the server can, so that nobody ever finds half a file. */
async function place(sftp: Sftp, draft: string, path: string, overwrite: boolean): Promise<void> {
  if (!overwrite) return sftp.ask(path, (one, done) => one.rename(draft, path, done))
  try {
    await sftp.ask(path, (one, done) => one.ext_openssh_rename(draft, path, done))
  } catch {
    // Servers without the extension rename over nothing.
    await sftp.ask(path, (one, done) => one.unlink(path, done)).catch(() => undefined)
    await sftp.ask(path, (one, done) => one.rename(draft, path, done))
  }
}

const inSftp = <T>(target: SystemTarget, login: SystemLogin, work: (sftp: Sftp) => Promise<T>): Promise<T> =>
  inSshSession(target, login, async (client) =>
    work(new Sftp(await openedInTime<ssh2.SFTPWrapper>((done) => client.sftp(done)), client)),
  )

/**
 * Sends files into a folder of a target, which exists. Each appears under its name when it is complete.
 * @param overwrite whether files that exist are replaced; otherwise they are a failure
 * @param sent called after each file
 * @throws SystemFailure, or errors of the connection
 */
export function sendFiles(
  target: SystemTarget,
  login: SystemLogin,
  { folder, overwrite, files }: { folder: string; overwrite: boolean; files: readonly FileToSend[] },
  sent: (path: string, file: FileToSend) => void,
): Promise<void> {
  if (login.become)
    return inSshSession(target, login, async (client) => {
      for (const file of files) sent(await sendSwitched(client, login, { folder, overwrite, file }), file)
    })
  return inSftp(target, login, async (sftp) => {
    const root = await sftp.ask<string>(folder, (one, done) => one.realpath(folder || '.', done))
    const about = await sftp.ask<ssh2.Stats>(root, (one, done) => one.stat(root, done))
    if (!about.isDirectory()) throw new SystemFailure('bad_answer', `${folder}: this is no folder`)
    for (const file of files) {
      const path = posix.join(root, file.name)
      const exists = await sftp
        .ask<ssh2.Stats>(path, (one, done) => one.lstat(path, done))
        .then(
          () => true,
          () => false,
        )
      if (exists && !overwrite) throw new SystemFailure('bad_answer', `${path}: the file exists`)
      const draft = posix.join(root, `.castellan-${randomBytes(8).toString('hex')}.part`)
      try {
        await sendFile(sftp, file, draft)
        await place(sftp, draft, path, overwrite)
      } catch (error) {
        await sftp.ask(draft, (one, done) => one.unlink(draft, done)).catch(() => undefined)
        throw error
      }
      sent(path, file)
    }
  })
}

/**
 * Fetches one regular file of a target into a file of this machine.
 * @param limit bytes of the largest file
 * @param takesRoom whether a file of this size has room here
 * @returns its absolute path there and its size
 * @throws SystemFailure, or errors of the connection
 */
export function fetchFile(
  target: SystemTarget,
  login: SystemLogin,
  { path, to, limit, takesRoom }: { path: string; to: string; limit: number; takesRoom(size: number): boolean },
): Promise<{ path: string; size: number }> {
  const accept = (size: number) => {
    if (size > limit) throw new SystemFailure('bad_answer', `${path}: larger than ${limit} bytes`)
    if (!takesRoom(size)) throw new SystemFailure('bad_answer', `${path}: the files of this run are too large`)
  }
  if (login.become) return inSshSession(target, login, (client) => fetchSwitched(client, login, { path, to, accept }))
  return inSftp(target, login, async (sftp) => {
    const real = await sftp.ask<string>(path, (one, done) => one.realpath(path, done))
    const about = await sftp.ask<ssh2.Stats>(real, (one, done) => one.stat(real, done))
    // A device or a pipe would never end.
    if (!about.isFile()) throw new SystemFailure('bad_answer', `${path}: this is no regular file`)
    accept(about.size)
    const handle = await sftp.ask<Buffer>(real, (one, done) => one.open(real, 'r', done))
    try {
      await using local = await open(to, 'wx', 0o600)
      await inPieces(about.size, async (position, length) => {
        for (let at = 0; at < length; ) {
          const piece = Buffer.allocUnsafe(length - at)
          const start = position + at
          const read = await sftp.ask<number>(real, (one, done) =>
            one.read(handle, piece, 0, length - at, start, (error, bytes) => done(error, bytes)),
          )
          if (!(read > 0)) throw new SystemFailure('bad_answer', `${path}: the file became shorter`)
          await local.write(piece, 0, read, start)
          at += read
        }
      })
    } finally {
      await sftp.ask(real, (one, done) => one.close(handle, done)).catch(() => undefined)
    }
    return { path: real, size: about.size }
  })
}
