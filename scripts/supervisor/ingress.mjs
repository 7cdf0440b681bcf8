// Connects the public address to the programs behind it: see packages/ingress.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export { openIngress } from '@castellan/ingress/serve'

/**
 * Socket files in a folder accessible to this user only; short, because systems limit socket paths to about a hundred
 * characters.
 */
export function ingressSockets() {
  const folder =
    process.platform === 'win32' ? `\\\\.\\pipe\\castellan-${process.pid}` : mkdtempSync(join(tmpdir(), 'castellan-'))
  return { server: join(folder, 'server'), gateway: join(folder, 'gateway') }
}
