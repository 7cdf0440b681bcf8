/**
 * Files to and from a target as an account that is switched to, which SFTP cannot do: it runs as the account that signs in.
 * A shell of the other account writes what it reads, so that no third file is ever readable by the account in between.
 */
import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import { posix } from 'node:path'
import type ssh2 from 'ssh2'
import { SystemFailure, type SystemLogin } from '../accounts/account-system.ts'
import { timedOut } from '../ssh/opened-in-time.ts'
import type { FileToSend } from './file-to-send.ts'
import { execSwitched } from './switched-exec.ts'

/** How long a target may take to answer, and to take or send a piece. Milliseconds. */
const patience = 60_000
/** Bytes of an answer before the content of a file. */
const longestAnswer = 16_384
const pieceSize = 65_536

/** Statuses of the scripts below. */
const failures: Readonly<Record<number, readonly [code: 'denied' | 'bad_answer' | 'disk_full', said: string]>> = {
  61: ['bad_answer', 'no such file or folder'],
  62: ['denied', 'the account may not do this'],
  63: ['bad_answer', 'the file exists'],
  64: ['bad_answer', 'this is no regular file'],
  65: ['disk_full', 'the host could not write it'],
}

/* Values are lines of their own behind the script: nothing that users choose is part of it. */
const begin = `
unset CDPATH
IFS= read -r k
line() { IFS= read -r x; x=$(printf '%b.' "$x"); x=\${x%.}; }
cd 2>/dev/null || cd /
`

/** Writes what it reads beside the place of the file, and gives it its name when all of it is there. */
const receiving = `${begin}
line; d=$x; line; f=./$x; line; t=./$x; line; n=$x; line; o=$x
case $d in ''|/*) ;; *) d=./$d ;; esac
if [ -n "$d" ]; then [ -d "$d" ] || exit 61; cd "$d" 2>/dev/null || exit 62; fi
[ ! -d "$f" ] || exit 64
[ "$o" = 1 ] || { [ ! -e "$f" ] && [ ! -L "$f" ]; } || exit 63
( set -C; : > "$t" ) 2>/dev/null || exit 62
trap 'rm -f "$t"' EXIT
trap 'exit 65' HUP INT TERM
printf '%s:go:%s\\0' "$k" "$(pwd -P)"
cat > "$t" 2>/dev/null || exit 65
[ "$(($(wc -c < "$t")))" -eq "$n" ] || exit 65
if [ "$o" = 1 ]; then mv -f "$t" "$f" 2>/dev/null || exit 62; exit 0; fi
ln "$t" "$f" 2>/dev/null && exit 0
{ [ ! -e "$f" ] && [ ! -L "$f" ]; } || exit 63
mv "$t" "$f" 2>/dev/null || exit 62
`

/** Says how large the file is, and sends it when it is told to. */
const sending = `${begin}
line; p=$x
case $p in /*) ;; *) p=./$p ;; esac
[ -e "$p" ] || exit 61
[ -f "$p" ] || exit 64
[ -r "$p" ] || exit 62
printf '%s:%s:%s\\0' "$k" "$(($(wc -c < "$p")))" "$(pwd -P)"
IFS= read -r x
[ "$x" = go ] || exit 0
exec cat "$p"
`

/** A text as one line that `printf %b` turns into it again. */
const lineOf = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')

/** A script that runs as the other account. */
class SwitchedScript {
  readonly #channel: ssh2.ClientChannel
  readonly #key: string
  readonly #pieces: AsyncIterator<Buffer>
  readonly #ended: Promise<number | undefined>
  #rest = Buffer.alloc(0)

  private constructor(channel: ssh2.ClientChannel, key: string, ended: Promise<number | undefined>) {
    this.#channel = channel
    this.#key = key
    this.#ended = ended
    this.#pieces = channel[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    channel.stderr.resume()
  }

  static async start(
    client: ssh2.Client,
    login: SystemLogin,
    script: string,
    values: readonly string[],
  ): Promise<SwitchedScript> {
    const key = `castellan-${randomBytes(8).toString('hex')}`
    let begun: { channel: ssh2.ClientChannel; ended: Promise<number | undefined> } | undefined
    await execSwitched(client, login, script, (channel) => {
      let status: number | undefined
      channel.on('exit', (code: number | null) => {
        status = code ?? undefined
      })
      channel.on('error', () => undefined)
      begun = { channel, ended: new Promise((settle) => channel.once('close', () => settle(status))) }
    })
    if (!begun) throw new SystemFailure('denied', 'the account was not switched to')
    begun.channel.write(`${[key, ...values.map(lineOf)].join('\n')}\n`)
    return new SwitchedScript(begun.channel, key, begun.ended)
  }

  /** What happens within the time that a target may take for it; a target that is silent is left. */
  async #inTime<T>(step: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(timedOut('the host does not answer')), patience)
    })
    try {
      return await Promise.race([step, late])
    } finally {
      clearTimeout(timer)
    }
  }

  /** The next bytes of its output; undefined at its end. */
  async next(): Promise<Buffer | undefined> {
    if (this.#rest.length > 0) {
      const rest = this.#rest
      this.#rest = Buffer.alloc(0)
      return rest
    }
    const { value, done } = await this.#inTime(this.#pieces.next())
    return done ? undefined : value
  }

  /** Its status, once it has ended by itself; undefined without one, or when it prints on and on. */
  async #status(): Promise<number | undefined> {
    for (let bytes = 0; bytes < longestAnswer; ) {
      const piece = await this.next()
      if (!piece) return this.#inTime(this.#ended)
      bytes += piece.length
    }
    return undefined
  }

  /** Its answer: a word, and the folder it is in. @throws SystemFailure when it ends instead */
  async answer(path: string): Promise<{ word: string; folder: string }> {
    let said = Buffer.alloc(0)
    for (;;) {
      const at = said.indexOf(0)
      if (at >= 0) {
        this.#rest = said.subarray(at + 1)
        const [key, word = '', ...folder] = said.subarray(0, at).toString('utf8').split(':')
        if (key !== this.#key) throw new SystemFailure('bad_answer', `${path}: the host did not answer as expected`)
        return { word, folder: folder.join(':') }
      }
      const more = said.length < longestAnswer ? await this.next() : undefined
      if (!more) return this.failed(path)
      said = Buffer.concat([said, more])
    }
  }

  /** Gives it bytes; waits while it takes no more. @returns false when it has ended */
  async write(bytes: Buffer): Promise<boolean> {
    if (!this.#channel.writable) return false
    if (this.#channel.write(bytes)) return true
    const drained = new Promise<boolean>((settle) => this.#channel.once('drain', () => settle(true)))
    return this.#inTime(Promise.race([drained, this.#ended.then(() => false)]))
  }

  /** Ends its input, and waits for its end. */
  end(): Promise<number | undefined> {
    this.#channel.end()
    return this.#status()
  }

  /** Why it has ended. */
  async failed(path: string, status?: number): Promise<never> {
    status ??= await this.#status()
    const [code, said] = failures[status ?? -1] ?? ['bad_answer', `the host did not do it (${status ?? '-'})`]
    throw new SystemFailure(code, `${path}: ${said}`)
  }

  stop(): void {
    this.#channel.destroy()
  }
}

/** Sends a file as the account that the login becomes. @returns its absolute path @throws SystemFailure */
export async function sendSwitched(
  client: ssh2.Client,
  login: SystemLogin,
  { folder, overwrite, file }: { folder: string; overwrite: boolean; file: FileToSend },
): Promise<string> {
  const draft = `.castellan-${randomBytes(8).toString('hex')}.part`
  const values = [folder, file.name, draft, String(file.size), overwrite ? '1' : '0']
  const script = await SwitchedScript.start(client, login, receiving, values)
  try {
    const shown = posix.join(folder, file.name)
    const { folder: real } = await script.answer(shown)
    await using local = await open(file.path, 'r')
    for (let at = 0; at < file.size; ) {
      const piece = Buffer.allocUnsafe(Math.min(pieceSize, file.size - at))
      const { bytesRead } = await local.read(piece, 0, piece.length, at)
      if (bytesRead === 0) throw new Error('the file to send has changed')
      at += bytesRead
      if (!(await script.write(piece.subarray(0, bytesRead)))) return await script.failed(shown)
    }
    const status = await script.end()
    if (status !== 0) return await script.failed(shown, status ?? -1)
    return posix.join(real, file.name)
  } finally {
    script.stop()
  }
}

/**
 * Fetches a regular file as the account that the login becomes, into a file of this machine.
 * @param accept called with its size before it is sent; throws for files that are too large
 * @returns its absolute path and its size
 * @throws SystemFailure
 */
export async function fetchSwitched(
  client: ssh2.Client,
  login: SystemLogin,
  { path, to, accept }: { path: string; to: string; accept(size: number): void },
): Promise<{ path: string; size: number }> {
  const script = await SwitchedScript.start(client, login, sending, [path])
  try {
    const { word, folder } = await script.answer(path)
    const size = /^\d{1,15}$/.test(word) ? Number(word) : Number.NaN
    if (Number.isNaN(size)) throw new SystemFailure('bad_answer', `${path}: the host did not say its size`)
    accept(size)
    await script.write(Buffer.from('go\n'))
    await using local = await open(to, 'wx', 0o600)
    for (let at = 0; at < size; ) {
      const piece = (await script.next())?.subarray(0, size - at)
      if (!piece) throw new SystemFailure('bad_answer', `${path}: the file became shorter`)
      await local.writeFile(piece)
      at += piece.length
    }
    return { path: posix.resolve(folder, path), size }
  } finally {
    script.stop()
  }
}
