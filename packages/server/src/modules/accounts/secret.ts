import type { Context } from '../../kernel/module/context.ts'
import { recordAction } from '../../kernel/resource/changes.ts'
import { findResource, type Resource } from '../../kernel/resource/resource.ts'
import type { Sealed } from '../../kernel/security/secrets.ts'
import { protocolsOf } from '../assets/index.ts'
import type { SentTo } from './sent-to.ts'
import { openSecret, openSecrets } from './vault/vault-entries.ts'

const account = () => findResource('accounts.account')

/** A row with a secret: an account, or a template. */
type SecretRow = { id: string; secret: Sealed | null }
/** An account whose secret is sent to its asset. */
type SentSecret = SecretRow & { asset_id: string; sent_to: SentTo | null }

/** Opens a secret for a caller who reads or copies it, and logs that. Empty when nothing is stored. */
export async function revealSecret(ctx: Context, row: SecretRow, resource: Resource = account()): Promise<string> {
  return (await revealSecrets(ctx, [row], resource)).get(row.id) ?? ''
}

/** Opens secrets for somebody who receives them, and logs each. By the id of their row; without those that have none. */
export async function revealSecrets(
  ctx: Context,
  rows: readonly SecretRow[],
  resource: Resource = account(),
): Promise<Map<string, string>> {
  const opened = await openSecrets(ctx, resource === account() ? 'account' : 'template', rows)
  await ctx.transaction(async (inside) => {
    for (const row of rows) await recordAction(inside, resource, 'view', row)
  })
  return opened
}

/** The current destination of an asset's secrets for a protocol. */
async function placeOf(ctx: Context, assetId: unknown, protocol: string): Promise<{ asset: string; place: SentTo }> {
  const asset = await ctx.acrossOrganizations
    .selectFrom('assets_asset')
    .select(['name', 'address', 'domain_id'])
    .where('id', '=', assetId)
    .executeTakeFirstOrThrow()
  const protocols = (await protocolsOf(ctx, [assetId])).get(assetId) ?? []
  const port = (protocols.find(({ name }) => name === protocol) ?? protocols[0])?.port ?? 0
  const pinned = await ctx.acrossOrganizations
    .selectFrom('assets_hostkey')
    .select('fingerprint')
    .where('asset_id', '=', assetId)
    .where('port', '=', port)
    .orderBy('fingerprint')
    .execute()
  const key = pinned.map(({ fingerprint }) => fingerprint).join(' ')
  return {
    asset: `${asset.name}(${asset.address})`,
    place: { address: `${asset.address}:${port}`, domain: asset.domain_id, key },
  }
}

/** Whether the destination is new: the first one, another address or network, or another pinned host key. */
const isNew = (before: SentTo | null, now: SentTo): boolean =>
  !before ||
  before.address !== now.address ||
  before.domain !== now.domain ||
  (before.key !== '' && before.key !== now.key)

/**
 * Opens a secret to send it to its account's asset. A new destination is logged as a separate event. Empty when nothing
 * is stored. The caller logs the use itself, once for all secrets of a session.
 * @param protocol determines the port
 */
export async function secretToSend(ctx: Context, row: SentSecret, protocol: string): Promise<string> {
  return (await openFor(ctx, row, protocol)).secret
}

/** Stores where a secret of an account is sent. A new destination is logged as a separate event. */
async function noteDestination(
  ctx: Context,
  row: Omit<SentSecret, 'secret'>,
  protocol: string,
): Promise<{ asset: string; address: string }> {
  const { asset, place } = await placeOf(ctx, row.asset_id, protocol)
  const before = row.sent_to
  if (!before || before.address !== place.address || before.domain !== place.domain || before.key !== place.key)
    await ctx.transaction(async (inside) => {
      await inside.acrossOrganizations
        .updateTable(account().table)
        .set({ sent_to: JSON.stringify(place) })
        .where('id', '=', row.id)
        .execute()
      if (!isNew(before, place)) return
      const { address, key } = place
      const about = { asset, new_address: address, last_address: before?.address ?? '', host_key: key }
      await recordAction(inside, account(), 'notice', row, about)
    })
  return { asset, address: place.address }
}

async function openFor(
  ctx: Context,
  row: SentSecret,
  protocol: string,
): Promise<{ secret: string; about: { asset: string; address: string } }> {
  if (!row.secret) return { secret: '', about: { asset: '', address: '' } }
  const about = await noteDestination(ctx, row, protocol)
  return { secret: await openSecret(ctx, 'account', row), about }
}

/** Logs that a new secret of an account is sent to its asset. */
export const noteNewSecret = (ctx: Context, row: SentSecret, protocol: string): Promise<void> =>
  ctx.transaction(async (inside) =>
    recordAction(inside, account(), 'connect', row, await noteDestination(inside, row, protocol)),
  )

/** Opens a secret for an automation or a component, and logs the use. */
export async function usedSecret(ctx: Context, row: SentSecret, protocol: string): Promise<string> {
  if (!row.secret) return ''
  return ctx.transaction(async (inside) => {
    const { secret, about } = await openFor(inside, row, protocol)
    await recordAction(inside, account(), 'connect', row, about)
    return secret
  })
}
