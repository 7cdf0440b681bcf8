import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Writable } from 'node:stream'
import { toolTexts as texts } from '@castellan/contract/messages/tools'
import { badRequest, text } from '../../../kernel/module/errors.ts'
import { boundedLines, SaidTooMuch } from '../../../kernel/untrusted/bounded-lines.ts'

/** Where Debian keeps programs for administrators; a service's PATH often lacks these folders. */
const extraFolders = ['/usr/sbin', '/sbin', '/usr/local/sbin']

/** The programs that are started, by the Debian package that has them. */
export const packageOf = {
  ping: 'iputils-ping',
  traceroute: 'traceroute',
  nmap: 'nmap',
  tcpdump: 'tcpdump',
  git: 'git',
  ssh: 'openssh-client',
  env: 'coreutils',
  prlimit: 'util-linux',
} as const
export type Program = keyof typeof packageOf

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The full path of a program. @throws ApiError with the command that installs it */
export function pathOfProgram(program: Program): string {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...extraFolders].filter((folder) =>
    folder.startsWith('/'),
  )
  const path = folders.map((folder) => join(folder, program)).find(isExecutable)
  if (!path) throw badRequest(text(texts.missing_program, { program, package: packageOf[program] }))
  return path
}

/** What a program may say: a longer line is broken, and one that goes on and on is ended. Bytes. */
const bounds = { line: 4096, total: 64 * 1_048_576, longer: 'break' } as const

/**
 * Runs a program with an array of arguments: no shell reads them, so every argument stays one. It gets neither our
 * environment, which holds keys and the address of the database, nor input; it reads `secret` from descriptor 3.
 * Resolves with its exit code, null when `signal` ended it.
 */
export function runProgram(
  path: string,
  args: readonly string[],
  line: (text: string) => void,
  signal: AbortSignal,
  secret?: string,
): Promise<number | null> {
  if (signal.aborted) return Promise.resolve(null)
  const child: ChildProcess = spawn(path, args, {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LANG: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe', ...(secret === undefined ? [] : ['pipe' as const])],
  })
  const input = child.stdio[3] as Writable | undefined
  // A program that ends without reading it is no failure of ours.
  input?.on('error', () => undefined).end(secret)
  const kill = () => child.kill('SIGKILL')
  signal.addEventListener('abort', kill, { once: true })
  const read = [child.stdout, child.stderr].map(async (stream) => {
    if (!stream) return
    try {
      for await (const one of boundedLines(stream, bounds)) line(one)
    } catch (error) {
      kill()
      if (!(error instanceof SaidTooMuch)) throw error
      line(error.message)
    }
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code))
  })
  return Promise.all([ended, ...read])
    .then(([code]) => code)
    .finally(() => signal.removeEventListener('abort', kill))
}
