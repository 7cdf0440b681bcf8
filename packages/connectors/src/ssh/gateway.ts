import type ssh2 from 'ssh2'
import { connectSsh, type SshCredential } from './client.ts'
import { gatherWrites } from './gather-writes.ts'
import type { HostKeyVerifier } from './host-key.ts'
import { openTcp } from './tcp.ts'

/** A host that SSH connections to the assets of its domain lead through. */
export interface SshGateway {
  id: string
  name: string
  address: string
  port: number
  /** Opened only when the gateway is tried. Undefined: no account of the gateway has a password or a key. */
  openCredential: () => Promise<SshCredential | undefined>
}

/** The gateway has no account to sign in with. */
export class NoGatewayAccount extends Error {
  override name = 'NoGatewayAccount'
}

/** Signs in to a gateway itself. Rejects with what the verifier rejects with, else with a `ConnectError`. */
export async function connectGateway(
  gateway: SshGateway,
  verifyHostKey: HostKeyVerifier,
  signal?: AbortSignal,
): Promise<ssh2.Client> {
  const { address, port } = gateway
  const credential = await gateway.openCredential()
  if (!credential) throw new NoGatewayAccount(`gateway ${gateway.name} has no account`)
  const stream = gatherWrites(await openTcp(address, port, signal))
  return connectSsh({ stream, credential, verifyHostKey, signal })
}
