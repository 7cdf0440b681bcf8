/** Programs that are written by users run where nothing of this machine can be reached; see `sandbox.sh`. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chown, cp, lchown, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { newRunFolder } from '../run-folders.ts'

const script = join(import.meta.dirname, 'sandbox.sh')
const guard = join(import.meta.dirname, 'guard.py')
const isRoot = process.getuid?.() === 0
/** Above every account of a machine; each run has another one, so that runs have nothing in common. */
const uids = { first: 200_000, count: 60_000 }
let next = randomInt(uids.count)

const namespaces = ['--mount', '--pid', '--net', '--ipc', '--uts']
/** Without root, an own user namespace gives the rights to make the others. */
const entering = [
  ...(isRoot ? [] : ['--user', '--map-root-user']),
  ...namespaces,
  ...['--fork', '--kill-child=KILL', '--propagation', 'private', '--'],
]

/** A folder that becomes the world of a run; its part `play` is the run's own. */
export interface RunFolder extends AsyncDisposable {
  readonly path: string
  readonly play: string
  /** Makes everything in `play` the run's. */
  hand(): Promise<void>
  readonly uid: number
}

async function handTree(path: string, uid: number): Promise<void> {
  await chown(path, uid, uid)
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const below = join(path, entry.name)
    if (entry.isDirectory()) await handTree(below, uid)
    else await lchown(below, uid, uid)
  }
}

export async function makeRunFolder(): Promise<RunFolder> {
  const path = await newRunFolder('castellan-play-')
  const play = join(path, 'play')
  next = (next + 1) % uids.count
  const uid = isRoot ? uids.first + next : 0
  for (const folder of ['root', 'play', 'play/home', 'play/project', 'play/hosts', 'play/plugins', 'play/become'])
    await mkdir(join(path, folder), { mode: 0o700 })
  return {
    path,
    play,
    uid,
    hand: () => (isRoot ? handTree(play, uid) : Promise.resolve()),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}

/** Copies programs of ours into the run's folder. */
export const giveProgram = (folder: RunFolder, name: string, to: string): Promise<void> =>
  cp(join(import.meta.dirname, name), join(folder.play, to))

export interface Sandboxed {
  readonly child: ChildProcess
  /** What it says on descriptor 3. */
  readonly events: Readable
}

/** What enters the sandbox, and sets every limit before the program begins. */
const wordsFor = ({ path, uid }: RunFolder, program: readonly string[]) => [
  ...['--pdeathsig', 'KILL', '--', 'unshare', ...entering, '/bin/sh', script, path, `${uid}`, guard],
  ...program,
]

/** Starts a program in the sandbox. It ends with this process, and all that it started ends with it. */
export function startInSandbox(folder: RunFolder, program: readonly string[]): Sandboxed {
  const child = spawn('setpriv', wordsFor(folder, program), {
    cwd: '/',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  return { child, events: child.stdio[3] as Readable }
}

const succeeds = (program: string, args: readonly string[]) =>
  new Promise<boolean>((settle) => {
    execFile(program, [...args], { timeout: 20_000 }, (error) => settle(!error))
  })

export type SandboxProblem = 'no_ansible' | 'no_isolation'

/** Milliseconds that an answer is kept: programs may be installed meanwhile. */
const keptFor = 30_000
let known: { until: number; problem: Promise<SandboxProblem | undefined> } | undefined

async function look(): Promise<SandboxProblem | undefined> {
  if (process.platform !== 'linux') return 'no_isolation'
  await using folder = await makeRunFolder()
  await folder.hand()
  if (!(await succeeds('setpriv', wordsFor(folder, ['/usr/bin/true'])))) return 'no_isolation'
  // Where the run would look for it.
  return (await succeeds('setpriv', wordsFor(folder, ['ansible-playbook', '--version']))) ? undefined : 'no_ansible'
}

/** Folders that the sandbox shows. */
const shown = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']

/**
 * Why playbooks cannot run on this machine; undefined if they can.
 * @param dataDir what must not be seen
 */
export function sandboxProblem(dataDir: string): Promise<SandboxProblem | undefined> {
  if (shown.some((folder) => `${dataDir}/`.startsWith(`${folder}/`))) return Promise.resolve('no_isolation')
  if (!known || known.until < Date.now()) known = { until: Date.now() + keptFor, problem: look() }
  return known.problem
}
