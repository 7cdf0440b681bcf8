// One instance per data folder. The lock is a listening socket inside it: it is released when its process ends, however
// that happens, and it reports the status of the instance.
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { Stop } from '../stop.mjs'

/**
 * @typedef {object} Status
 * @property {number} pid of the supervisor
 * @property {string} url
 * @property {number} sshPort
 * @property {number} gatewayHttpPort
 * @property {boolean} ready everything serves
 * @property {Record<string, { pid: number | undefined, restarts: number }>} programs
 */

const socketName = 'supervisor.sock'

/**
 * Relative on purpose: a socket path is limited to about 100 bytes, a data folder's may be longer.
 * @param {string} dataDir
 */
function address(dataDir) {
  if (process.platform === 'win32') {
    return `\\\\.\\pipe\\castellan-${createHash('sha256').update(dataDir).digest('hex').slice(0, 24)}`
  }
  process.chdir(dataDir)
  return socketName
}

/**
 * Asks the instance of a data folder for its status. Changes the working directory to that folder.
 * @param {string} dataDir absolute
 * @returns {Promise<Status | undefined>} undefined when none is running
 */
export function askStatus(dataDir) {
  return new Promise((settle) => {
    let text = ''
    const socket = connect(address(dataDir))
    socket.setEncoding('utf8').on('data', (part) => {
      text += part
    })
    socket.on('error', () => settle(undefined))
    socket.on('end', () => settle(text ? JSON.parse(text) : undefined))
  })
}

/**
 * Locks the data folder for this process.
 * @param {string} dataDir absolute
 * @param {() => Status} status
 * @throws {Stop} when another instance has locked it
 */
export async function claim(dataDir, status) {
  const other = await askStatus(dataDir)
  if (other) {
    throw new Stop(
      `The data folder ${dataDir} is in use by a running instance (process ${other.pid}, ${other.url}).`,
      'Stop that one first, or give this one its own folder with CASTELLAN_DATA_DIR.',
    )
  }
  if (process.platform !== 'win32') rmSync(socketName, { force: true })
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.end(JSON.stringify(status()))
  })
  await new Promise((settle, fail) => {
    server.once('error', fail)
    server.listen(address(dataDir), () => settle(undefined))
  })
  server.unref()
  return server
}
