import { randomInt } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file for each port that a process of the tests has been given, with its process id. */
const reservations = join(tmpdir(), 'castellan-ports')
const own = new Set<string>()
process.once('exit', () => {
  for (const file of own) rmSync(file, { force: true })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (reason) {
    return (reason as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether the port is ours from now on, until this process ends. */
function reserve(port: number): boolean {
  const file = join(reservations, String(port))
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    own.add(file)
    return true
  } catch {
    // What a killed process has left is taken away, and is free for whoever asks next.
    if (!own.has(file) && !isAlive(holderOf(file))) rmSync(file, { force: true })
    return false
  }
}

/** The process that holds a reservation; our own where it is just being written or was given back meanwhile. */
function holderOf(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8')) || process.pid
  } catch {
    return process.pid
  }
}

/**
 * A loopback port that nobody listens on, for a program that cannot bind port 0 and say what it got. It is below the range
 * of outgoing connections, and no other process of the tests is given it before this one ends: looking whether a port is
 * free and then starting a program on it leaves time in which another test would find the same one.
 */
export async function freePort(): Promise<number> {
  mkdirSync(reservations, { recursive: true })
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(10_000, 30_000)
    if (!reserve(port)) continue
    const free = await new Promise<boolean>((settle) => {
      const probe = createServer()
      probe.once('error', () => settle(false))
      probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => settle(true)))
    })
    if (free) return port
  }
  throw new Error('No free port was found.')
}
