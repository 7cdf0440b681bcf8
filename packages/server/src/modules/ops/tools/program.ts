import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Writable } from 'node:stream'
import { toolTexts as texts } from '@castellan/contract/messages/tools'
import { badRequest, text } from '../../../kernel/module/errors.ts'

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

/** Longest line that is passed on at once; a longer one is broken. Characters. */
const longestLine = 4096

/** Passes the lines of a stream on, and the rest at its end. */
function eachLine(stream: NodeJS.ReadableStream, line: (text: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const one of lines) line(one)
    if (rest.length > longestLine) {
      line(rest)
      rest = ''
    }
  })
  stream.on('end', () => rest && line(rest))
}

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
  if (child.stdout) eachLine(child.stdout, line)
  if (child.stderr) eachLine(child.stderr, line)
  return new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code))
  }).finally(() => signal.removeEventListener('abort', kill))
}
