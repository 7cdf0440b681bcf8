import { fingerprintOf } from '@castellan/connectors/ssh'
import ssh2 from 'ssh2'
import { defineRoute, type Handling } from '../../../kernel/http/route.ts'
import { sessionOf, showPage } from '../../authentication/index.ts'
import { hostKeyOf } from '../components/config.ts'
import { endpointFor } from './smart-endpoint.ts'

/** Fingerprint of the components' host key; empty when it cannot be read. */
function shownFingerprint(privatePem: string): string {
  const key = ssh2.utils.parseKey(privatePem)
  return key instanceof Error ? '' : fingerprintOf([key].flat()[0]?.getPublicSSH() ?? Buffer.alloc(0))
}

async function show({ ctx, request }: Handling): Promise<unknown> {
  const { host, port } = await endpointFor(ctx.acrossOrgs(), 'ssh', { address: '' }, request.origin)
  return showPage(ctx, sessionOf(ctx), {
    page: 'tools',
    host,
    port,
    fingerprint: shownFingerprint(hostKeyOf(ctx)),
  })
}

/** The page about clients. We recommend clients that users already have. */
export const toolsPage = defineRoute({
  method: 'GET',
  path: '/core/download/',
  requires: 'public',
  transaction: 'none',
  summary: 'The page about connecting with local clients',
  handle: show,
})
