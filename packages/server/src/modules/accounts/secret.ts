import { accountsMessages } from '@castellan/contract/messages/accounts'
import { batches } from '../../db/batches.ts'
import type { Context } from '../../kernel/module/context.ts'
import { failure, text as say } from '../../kernel/module/errors.ts'
import { recordAction, recordActions } from '../../kernel/resource/changes.ts'
import { findResource, type Resource } from '../../kernel/resource/resource.ts'
import type { Sealed } from '../../kernel/security/secrets.ts'
import { protocolsOf } from '../assets/index.ts'
import { demandEntrusted, type Entrusted } from './destination.ts'
import type { SentTo } from './sent-to.ts'
import { openSecret, openSecrets } from './vault/vault-entries.ts'

const account = () => findResource('accounts.account')

/** A row with a secret: an account, or a template. */
type SecretRow = { id: string; secret: Sealed | null }
/** An account whose secret is sent to its asset. */
type SentSecret = SecretRow & Entrusted & { sent_to: SentTo | null }

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

interface Destination {
  /** The asset's name, for logs. */
  asset: string
  place: SentTo
}
/** A secret that is sent to its asset; the protocol determines the port. */
export interface SecretUse {
  readonly row: SentSecret
  readonly protocol: string
}

type Use = { row: Omit<SentSecret, 'secret'>; protocol: string }

/** The current destinations of secrets. */
async function placesOf(ctx: Context, uses: readonly Use[]): Promise<Destination[]> {
  const ids = [...new Set(uses.map(({ row }) => row.asset_id))]
  const assets = new Map<unknown, { name: string; address: string; domain_id: string | null }>()
  const pins = new Map<string, string[]>()
  for (const some of batches(ids)) {
    for (const row of await ctx.acrossOrganizations
      .selectFrom('assets_asset')
      .select(['id', 'name', 'address', 'domain_id'])
      .where('id', 'in', some)
      .execute())
      assets.set(row.id, row)
    for (const { asset_id, port, fingerprint } of await ctx.acrossOrganizations
      .selectFrom('assets_hostkey')
      .select(['asset_id', 'port', 'fingerprint'])
      .where('asset_id', 'in', some)
      .orderBy('fingerprint')
      .execute())
      pins.set(`${asset_id}:${port}`, [...(pins.get(`${asset_id}:${port}`) ?? []), fingerprint])
  }
  const protocols = await protocolsOf(ctx, ids)
  return uses.map(({ row, protocol }) => {
    const asset = assets.get(row.asset_id)
    if (!asset) throw new Error('An account without its asset.')
    const offered = protocols.get(row.asset_id) ?? []
    const port = (offered.find(({ name }) => name === protocol) ?? offered[0])?.port ?? 0
    const key = (pins.get(`${row.asset_id}:${port}`) ?? []).join(' ')
    return {
      asset: `${asset.name}(${asset.address})`,
      place: { address: `${asset.address}:${port}`, domain: asset.domain_id, key },
    }
  })
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
  if (!row.secret) return ''
  await demandEntrusted(ctx, [row])
  await noteDestination(ctx, row, protocol)
  return openSecret(ctx, 'account', row)
}

/** Opens the stored secret of an account for its asset, where the use is logged otherwise. Empty when nothing is stored. */
export async function secretForAsset(ctx: Context, row: SecretRow & Entrusted): Promise<string> {
  if (!row.secret) return ''
  await demandEntrusted(ctx, [row])
  return openSecret(ctx, 'account', row)
}

/** A secret that a record of an account keeps. */
interface RecordedSecret {
  readonly asset_id: string | null
  readonly new_secret: Sealed | null
  readonly entrusted: string
}

/** Opens the new secret of a record for the asset that the record is of, and no other. Empty when it has none. */
export async function recordedSecret(ctx: Context, record: RecordedSecret, assetId: string): Promise<string> {
  if (!record.new_secret) return ''
  if (record.asset_id !== assetId) throw failure(403, 'record_elsewhere', say(accountsMessages.record_elsewhere))
  await demandEntrusted(ctx, [{ asset_id: assetId, entrusted: record.entrusted }])
  return ctx.services.vault.open(record.new_secret)
}

type Noted = { asset: string; address: string }

/** Stores where secrets of accounts are sent. Each new destination is logged as a separate event. */
async function noteDestinations(ctx: Context, uses: readonly Use[]): Promise<Noted[]> {
  const places = await placesOf(ctx, uses)
  const changed = uses.flatMap(({ row }, at) => {
    const { asset, place } = places[at] as Destination
    const before = row.sent_to
    const isSame =
      before && before.address === place.address && before.domain === place.domain && before.key === place.key
    return isSame ? [] : [{ row, asset, place, before }]
  })
  if (changed.length > 0)
    await ctx.transaction(async (inside) => {
      // In one order, so that transactions that store some of the same never wait for each other.
      for (const { row, place } of changed.toSorted((a, b) => (a.row.id < b.row.id ? -1 : 1)))
        await inside.acrossOrganizations
          .updateTable(account().table)
          .set({ sent_to: JSON.stringify(place) })
          .where('id', '=', row.id)
          .execute()
      const news = changed.filter(({ before, place }) => isNew(before, place))
      const seen = news.map(({ row, asset, place: { address, key }, before }) => ({
        row,
        about: { asset, new_address: address, last_address: before?.address ?? '', host_key: key },
      }))
      if (seen.length > 0) await recordActions(inside, account(), 'notice', seen)
    })
  return places.map(({ asset, place }) => ({ asset, address: place.address }))
}

const noteDestination = async (ctx: Context, row: Omit<SentSecret, 'secret'>, protocol: string): Promise<Noted> =>
  (await noteDestinations(ctx, [{ row, protocol }]))[0] as Noted

/** Logs that a new secret of an account is sent to its asset. */
export const noteNewSecret = (ctx: Context, row: SentSecret, protocol: string): Promise<void> =>
  ctx.transaction(async (inside) =>
    recordAction(inside, account(), 'connect', row, await noteDestination(inside, row, protocol)),
  )

/** Opens a secret for an automation or a component, and logs the use. */
export const usedSecret = async (ctx: Context, row: SentSecret, protocol: string): Promise<string> =>
  (await usedSecrets(ctx, [{ row, protocol }])).get(row.id) ?? ''

/** Opens secrets for automations in one transaction, and logs each use. By the ids of the accounts that have one. */
export async function usedSecrets(ctx: Context, uses: readonly SecretUse[]): Promise<Map<string, string>> {
  const stored = uses.filter(({ row }) => row.secret)
  if (stored.length === 0) return new Map()
  await demandEntrusted(
    ctx,
    stored.map(({ row }) => row),
  )
  return ctx.transaction(async (inside) => {
    const about = await noteDestinations(inside, stored)
    const secrets = await openSecrets(
      inside,
      'account',
      stored.map(({ row }) => row),
    )
    const seen = stored.map(({ row }, at) => ({ row, about: { ...(about[at] as Noted) } }))
    await recordActions(inside, account(), 'connect', seen)
    return secrets
  })
}
