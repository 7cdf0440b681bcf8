import { randomInt } from 'node:crypto'
import { connect, createServer } from 'node:net'
import { Stop } from '../stop.mjs'

/**
 * @param {number} port
 * @param {string} host
 * @returns {Promise<string | undefined>} the error code, or undefined when it is free
 */
function tryPort(port, host) {
  return new Promise((settle) => {
    const probe = createServer()
    probe.once('error', (reason) => settle(/** @type {NodeJS.ErrnoException} */ (reason).code ?? 'EUNKNOWN'))
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => settle(undefined)))
  })
}

/**
 * @param {string} name the variable that sets it
 * @param {number} port
 * @param {string} host
 * @throws {Stop} when the port cannot be used
 */
export async function requireFree(name, port, host) {
  const code = await tryPort(port, host)
  if (!code) return
  const why =
    {
      EADDRINUSE: `Port ${port} on ${host} is in use by another program.`,
      EACCES: `This user may not listen on port ${port} (ports below 1024 need a privilege).`,
      EADDRNOTAVAIL: `This machine has no address ${host}.`,
      ENOTFOUND: `${host} is not an address of this machine.`,
    }[code] ?? `Nothing can listen on port ${port} of ${host} (${code}).`
  const remedy =
    code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'
      ? 'Set CASTELLAN_HTTP_HOST (or CASTELLAN_SSH_HOST) to one it has.'
      : `Stop that program, or set ${name} to another port.`
  throw new Stop(why, remedy)
}

/**
 * A free loopback port below the range of ephemeral ports, so that it is still free when its program restarts after a
 * crash.
 */
export async function internalPort() {
  for (let tries = 0; tries < 50; tries++) {
    const port = randomInt(20000, 32000)
    if (!(await tryPort(port, '127.0.0.1'))) return port
  }
  throw new Stop('No free port was found between 20000 and 32000 on 127.0.0.1.')
}

/** @param {number} port @param {string} host @returns {Promise<boolean>} whether something accepts connections there */
export function answers(port, host) {
  return new Promise((settle) => {
    const socket = connect({ port, host, timeout: 1000 })
    const end = (/** @type {boolean} */ yes) => {
      socket.destroy()
      settle(yes)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })
}
