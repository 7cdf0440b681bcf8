import { createDecipheriv } from 'node:crypto'
import { isIP } from 'node:net'
import { normalUuid } from '../../kernel/fields/index.ts'
import type { RequestParts } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { accessKeyById } from './access-key.ts'
import { callerById } from './callers.ts'

/** Maximum age of a component's signature. Seconds. */
const freshness = 30

/**
 * Whether a component vouches for this request: `X-JMS-SVC: Sign <key id>:<base64 AES-ECB of unix seconds>`. The body's
 * `remote_addr` then counts as the client's address, and public-key sign-in is accepted.
 */
export async function vouchedByComponent(ctx: Context, request: RequestParts): Promise<boolean> {
  const header = request.headers['x-jms-svc']
  const [, id, proof] = /^Sign ([^:\s]+):(\S+)$/.exec(header ?? '') ?? []
  const key = normalUuid(id)
  if (!key || !proof) return false
  const row = await accessKeyById(ctx, key)
  if (!row?.sealed_secret || !row.is_active) return false
  const owner = await callerById(ctx, row.user_id as string)
  if (!owner?.isServiceAccount || !owner.isActive) return false
  const seconds = Number(opened(ctx.services.vault.open(row.sealed_secret), proof))
  return Number.isFinite(seconds) && Math.abs(ctx.now / 1000 - seconds) <= freshness
}

function opened(secret: string, proof: string): string | undefined {
  try {
    const key = Buffer.alloc(32)
    key.write(secret.replaceAll('-', '').slice(0, 32))
    const cipher = createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false)
    return Buffer.concat([cipher.update(Buffer.from(proof, 'base64')), cipher.final()])
      .toString('utf8')
      .replace(/\0+$/, '')
      .trim()
  } catch {
    return undefined
  }
}

/** The client address of a sign-in: the socket's, or the one a component vouches for. */
export async function clientContext(ctx: Context, request: RequestParts): Promise<{ ctx: Context; vouched: boolean }> {
  if (!(await vouchedByComponent(ctx, request))) return { ctx, vouched: false }
  const claimed = (request.body as { remote_addr?: unknown } | undefined)?.remote_addr
  return { ctx: typeof claimed === 'string' && isIP(claimed) ? ctx.from(claimed) : ctx, vouched: true }
}
