// Connects the public address to the programs behind it: see packages/ingress.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export { openIngress } from '@castellan/ingress/serve'

/**
 * Socket files of the servers and the gateway in a folder accessible to this user only; short, because systems limit
 * socket paths to about a hundred characters.
 */
export function ingressSockets(/** @type {number} */ servers) {
  const folder =
    process.platform === 'win32' ? `\\\\.\\pipe\\castellan-${process.pid}` : mkdtempSync(join(tmpdir(), 'castellan-'))
  const of = (/** @type {string} */ name) => join(folder, name)
  return { servers: Array.from({ length: servers }, (_, at) => of(`server-${at + 1}`)), gateway: of('gateway') }
}

/**
 * All of them, beginning with another one each time.
 * @param {readonly string[]} all
 */
export function inTurn(all) {
  let turn = 0
  return () => {
    turn = (turn + 1) % all.length
    return [...all.slice(turn), ...all.slice(0, turn)]
  }
}
