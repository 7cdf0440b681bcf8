// Keeps one program running: starts it, restarts it after a crash with growing delays, stops it gracefully.
import { spawn } from 'node:child_process'
import { closeSync, copyFileSync, openSync, readSync, rmSync, statSync, truncateSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const pauses = [200, 500, 1000, 2000, 5000, 10_000]
/** Uptime after which crashes are no longer counted and delays start small again. */
const steadyAfter = 60_000
const graceful = 15_000
const logLimit = 50 * 1024 * 1024
/** Exit code of a program with an invalid configuration: its last output says what to change (sysexits.h). */
const unusable = 78
/** Consecutive crashes after which a start is given up. */
const hopeless = 4
const tie = fileURLToPath(new URL('tied-to-parent.mjs', import.meta.url))

/**
 * @typedef {object} Program
 * @property {string} name
 * @property {string[]} command executable and arguments; the executable is Node.js
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} env
 * @property {string | undefined} log file for its output; none means the supervisor's own output
 * @property {(text: string) => void} say
 * @property {() => boolean} isStarting whether the start is still under way: it is given up where a running product tries again
 */

/** Runs a program until `stop` is called. @param {Program} program */
export function keepRunning(program) {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child
  /** @type {NodeJS.Timeout | undefined} */
  let again
  let restarts = 0
  let quickCrashes = 0
  let isUnusable = false
  let gaveUp = false
  /** Size of the log at the last start. */
  let logBefore = 0
  let stopping = false

  function begin() {
    again = undefined
    rotate(program.log)
    logBefore = sizeOf(program.log)
    const out = program.log ? openSync(program.log, 'a', 0o600) : undefined
    const started = Date.now()
    const [executable = process.execPath, ...words] = program.command
    // Its own process group: Ctrl-C in the terminal must reach the supervisor alone, which stops the programs in order.
    child = spawn(executable, ['--import', tie, ...words], {
      cwd: program.cwd,
      env: program.env,
      detached: process.platform !== 'win32',
      stdio: ['ignore', out ?? 'inherit', out ?? 'inherit', 'ipc'],
    })
    if (out !== undefined) closeSync(out)
    child.once('error', (reason) => program.say(`${program.name} could not be started: ${reason.message}`))
    child.once('close', (code, signal) => {
      child = undefined
      isUnusable = code === unusable
      if (stopping) return
      quickCrashes = Date.now() - started > steadyAfter ? 0 : quickCrashes + 1
      gaveUp = program.isStarting() && (isUnusable || quickCrashes >= hopeless)
      const ended = `${program.name} ended (${signal ?? `code ${code}`})`
      if (gaveUp) {
        program.say(ended)
        return
      }
      const pause = pauses[Math.min(Math.max(quickCrashes - 1, 0), pauses.length - 1)] ?? 0
      restarts++
      program.say(`${ended}; starting it again in ${pause / 1000} s`)
      again = setTimeout(begin, pause)
    })
  }

  begin()
  return {
    name: program.name,
    /** Its start was given up: it is not started again. */
    get gaveUp() {
      return gaveUp
    },
    /** Its configuration is invalid; a restart would not help. */
    get isUnusable() {
      return isUnusable
    },
    /**
     * Its output since the last start; undefined without a log.
     * @param {number} lines
     */
    lastWords(lines) {
      return program.log && tail(program.log, lines, logBefore)
    },
    get state() {
      return { pid: child?.pid, restarts }
    },
    /** Sends SIGTERM, waits, and kills it after a timeout. */
    async stop() {
      stopping = true
      clearTimeout(again)
      const running = child
      if (!running) return
      const ended = new Promise((settle) => running.once('close', settle))
      const force = setTimeout(() => running.kill('SIGKILL'), graceful)
      running.kill('SIGTERM')
      await ended
      clearTimeout(force)
    },
    /** Kills it at once, without waiting. */
    kill() {
      stopping = true
      clearTimeout(again)
      child?.kill('SIGKILL')
    },
  }
}

/** @param {string | undefined} log */
const sizeOf = (log) => (log ? (statSync(log, { throwIfNoEntry: false })?.size ?? 0) : 0)

/**
 * Rotates a log that exceeds the limit, keeping one older part. Programs append, so truncating the file is safe.
 * @param {string | undefined} log
 */
export function rotate(log) {
  if (!log) return
  if (sizeOf(log) < logLimit) return
  try {
    copyFileSync(log, `${log}.1`)
  } catch {
    // No space for two parts: new entries are worth more than old ones.
    rmSync(`${log}.1`, { force: true })
  }
  truncateSync(log)
}

/**
 * The end of a log, for a message.
 * @param {string} log
 * @param {number} lines
 * @param {number} [from] earlier bytes are skipped
 */
export function tail(log, lines, from = 0) {
  const size = sizeOf(log)
  const part = Buffer.alloc(Math.min(Math.max(size - from, 0), 8192))
  const file = openSync(log, 'r')
  readSync(file, part, 0, part.length, size - part.length)
  closeSync(file)
  return part.toString('utf8').trimEnd().split('\n').slice(-lines).join('\n')
}
