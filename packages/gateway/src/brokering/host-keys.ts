import type { ShownHostKey } from '@castellan/connectors/ssh'
import { gatewayMessages } from '@castellan/contract/messages/gateway'
import { log } from '../log.ts'
import type { ServerApi } from '../server-client/api.ts'
import { SessionDenied } from './session-denied.ts'

export interface HostKeyPlace {
  asset: string
  name: string
  port: number
}

/**
 * Asks the server whether a host key is trusted. Resolves when the key is the pinned one or has just been pinned;
 * throws `SessionDenied` otherwise, also when the server is unavailable: an unverified host gets no credential.
 */
export async function verifyHostKey(api: ServerApi, place: HostKeyPlace, shown: ShownHostKey): Promise<void> {
  const { algorithm, fingerprint } = shown
  let verdict: Awaited<ReturnType<ServerApi['verifyHostKey']>>
  try {
    verdict = await api.verifyHostKey({ asset: place.asset, port: place.port, ...shown })
  } catch (error) {
    log.error({ err: error, asset: place.asset }, 'a host key could not be verified')
    throw new SessionDenied('connect_failed', gatewayMessages.connectFailed, {
      asset: place.name,
      reason: gatewayMessages.reasonHostKeyUnverified.en,
    })
  }
  if (verdict.status === 'pinned' || verdict.status === 'match') return
  log.warn({ asset: place.asset, fingerprint, expected: verdict.expected?.fingerprint }, 'host key mismatch')
  throw new SessionDenied('host_key_mismatch', gatewayMessages.hostKeyMismatch, {
    asset: place.name,
    expected: verdict.expected ? `${verdict.expected.algorithm} ${verdict.expected.fingerprint}` : '?',
    received: `${algorithm} ${fingerprint}`,
  })
}
