import { execFile, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { RunningProduct } from '@castellan/testing/product'

export interface Answer {
  code: number
  out: Buffer
  err: string
}

/** A non-interactive user: OpenSSH gets password and one-time code from a program. */
export interface SshPerson {
  env: NodeJS.ProcessEnv
  /** `-o` words for any of OpenSSH's programs. */
  words: string[]
}

/** Somebody who signs in by password, and by one-time code where asked; the code may change later. */
export function byPassword(folder: string, name: string, password: string, code = ''): SshPerson {
  const program = join(folder, `askpass-${name}`)
  const script = `#!/bin/sh\ncase "$1" in *code*) echo '${code}' ;; *) echo '${password}' ;; esac\n`
  writeFileSync(program, script, { mode: 0o700 })
  return {
    env: { ...process.env, LANG: 'en_US.UTF-8', SSH_ASKPASS: program, SSH_ASKPASS_REQUIRE: 'force', DISPLAY: ':0' },
    words: words(['PubkeyAuthentication=no', 'NumberOfPasswordPrompts=1']),
  }
}

/** Somebody who signs in by a key and by nothing else. */
export function byKey(keyFile: string): SshPerson {
  return {
    env: { ...process.env, LANG: 'en_US.UTF-8' },
    words: words(['BatchMode=yes', 'IdentitiesOnly=yes', `IdentityFile=${keyFile}`]),
  }
}

function words(more: string[]): string[] {
  const always = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR']
  return [...always, ...more].flatMap((option) => ['-o', option])
}

/** Runs a program to its end, with input; the exit code is an answer, not an error. */
export function run(
  program: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  input: string | Buffer = '',
): Promise<Answer> {
  return new Promise((resolve) => {
    const options = { env, maxBuffer: 1e8, encoding: 'buffer' as const }
    const child = execFile(program, args, options, (error, out, err) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, out, err: err.toString() }),
    )
    // A program that ends without reading leaves a broken pipe behind.
    child.stdin?.on('error', () => undefined).end(input)
  })
}

/** `ssh` through the product to an end. @param login the whole name: `user` or `user@account@asset` */
export function ssh(
  product: Pick<RunningProduct, 'sshPort'>,
  person: SshPerson,
  login: string,
  args: string[],
  input?: string | Buffer,
): Promise<Answer> {
  const all = [...person.words, '-p', `${product.sshPort}`, '-l', login, ...args]
  return run('ssh', all, person.env, input)
}

/** A terminal held by OpenSSH's client: what it shows so far, and a way to type. */
export interface SshTerminal {
  /** Everything shown so far, without control sequences. */
  text(): string
  /** What was shown since the last typing. */
  news(): string
  type(keys: string): void
  /** Undefined while it runs. */
  code(): number | undefined
  close(): Promise<void>
}

export function sshTerminal(product: Pick<RunningProduct, 'sshPort'>, person: SshPerson, login: string): SshTerminal {
  const args = ['-tt', ...person.words, '-p', `${product.sshPort}`, '-l', login, '127.0.0.1']
  const child = spawn('ssh', args, { env: person.env })
  let shown = ''
  let typedAt = 0
  let ended: number | undefined
  const over = new Promise<void>((resolve) => {
    child.once('close', (status) => {
      ended = status ?? 255
      resolve()
    })
  })
  child.stdin.on('error', () => undefined)
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      shown += part
    })
  return {
    text: () => stripVTControlCharacters(shown),
    news: () => stripVTControlCharacters(shown.slice(typedAt)),
    type(keys) {
      typedAt = shown.length
      child.stdin.write(keys)
    },
    code: () => ended,
    close() {
      child.kill()
      return over
    },
  }
}
