import { createHash, createPublicKey } from 'node:crypto'
import { defineRoute, type Handling } from '../../kernel/route.ts'
import type { Sealed } from '../../kernel/secrets.ts'
import { sessionOf, showPage } from '../authentication/index.ts'
import { hostKeySetting } from './config.ts'
import { endpointFor } from './smart-endpoint.ts'

/** The key's fingerprint as OpenSSH shows it: SHA-256 of the public key's wire form (RFC 4253 §6.6), base64 without padding. */
export function fingerprintOf(privatePem: string): string {
  const { n = '', e = '' } = createPublicKey(privatePem).export({ format: 'jwk' })
  const part = (bytes: Buffer) => Buffer.concat([Buffer.from(Uint32Array.of(bytes.length).buffer).swap32(), bytes])
  const number = (text: string) => {
    const bytes = Buffer.from(text, 'base64url')
    // A leading bit would make it negative.
    return (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes
  }
  const wire = Buffer.concat([part(Buffer.from('ssh-rsa')), part(number(e)), part(number(n))])
  return `SHA256:${createHash('sha256').update(wire).digest('base64').replace(/=+$/, '')}`
}

async function show({ ctx, request }: Handling): Promise<unknown> {
  const { settings, vault } = ctx.services
  const { host, port } = await endpointFor(ctx.acrossOrgs(), 'ssh', { address: '' }, request.origin)
  return showPage(ctx, sessionOf(ctx), {
    page: 'tools',
    host,
    port,
    fingerprint: fingerprintOf(vault.open(settings.get<Sealed>(hostKeySetting.name))),
  })
}

/** The clients' page (common.md §16). Ours are those that people have. */
export const toolsPage = defineRoute({
  method: 'GET',
  path: '/core/download/',
  requires: 'public',
  transaction: 'none',
  summary: 'The page that says how own programs connect',
  handle: show,
})
