import { vaultMessages } from '@castellan/contract/messages/vault'
import { batches } from '../../../db/batches.ts'
import type { TableShape } from '../../../db/schema.ts'
import type { Context, Services } from '../../../kernel/module/context.ts'
import { text as say } from '../../../kernel/module/errors.ts'
import { perInstallation } from '../../../kernel/module/per-installation.ts'
import { Sealed } from '../../../kernel/security/secrets.ts'
import { VaultClient, VaultFailure } from './vault-client.ts'
import { vaultSettings } from './vault-settings.ts'

/** Whose secret is in the vault. */
export type Owner = 'account' | 'template' | 'history'

/**
 * What the vault holds, or may hold: an entry is stored before the secret is written, and removed after it was removed.
 * The path of a secret stays the same for its whole life.
 */
export const vaultEntryTable = {
  name: 'accounts_vaultentry',
  columns: {
    path: { type: 'text' },
    owner: { type: 'text' },
    owner_id: { type: 'text' },
    date_created: { type: 'timestamp' },
  },
  primaryKey: ['path'],
  unique: [['owner', 'owner_id']],
  indexes: [],
} as const satisfies TableShape

/** Stands in the column of a secret that is in the vault. */
export const marker = '# Secret-has-been-saved-to-vault #'

export const isInVault = (secret: Sealed | null | undefined): boolean => secret?.stored() === marker

/** What a secret of the vault is bound to, so that the vault cannot exchange the secrets of two accounts. */
export const placeOf = (path: string): string => `${vaultEntryTable.name} ${path}`

/** Calls to the vault at the same time. */
export const callsAtOnce = 10

const clients = perInstallation(() => ({ key: '', client: undefined as VaultClient | undefined }))

/** The vault that the settings name, whether new secrets go there or not. @throws VaultFailure when there is none */
export function vaultOf(services: Services): VaultClient {
  const values = vaultSettings.of(services)
  const open = (secret: Sealed | null) => (secret ? services.vault.open(secret) : '')
  const access = {
    address: values.VAULT_HCP_HOST,
    mount: values.VAULT_HCP_MOUNT_POINT,
    namespace: values.VAULT_HCP_NAMESPACE,
    ca: values.VAULT_HCP_CA_CERT,
    token: open(values.VAULT_HCP_TOKEN),
    roleId: values.VAULT_HCP_ROLE_ID,
    secretId: open(values.VAULT_HCP_SECRET_ID),
  }
  if (!access.address || !(access.token || access.roleId)) throw new VaultFailure(say(vaultMessages.not_set))
  const known = clients(services)
  const key = JSON.stringify(access)
  if (known.key !== key || !known.client) Object.assign(known, { key, client: new VaultClient(access) })
  return known.client as VaultClient
}

/** Does work for every item, for a few at the same time. The first failure ends it. */
export async function withFew<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  const worker = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(callsAtOnce, items.length) }, worker))
}

/** The paths of secrets in the vault, by the id of their owner. */
export async function pathsOf(ctx: Context, owner: Owner, ids: readonly string[]): Promise<Map<string, string>> {
  const paths = new Map<string, string>()
  for (const some of batches(ids))
    for (const row of await ctx.rawDb
      .selectFrom(vaultEntryTable.name)
      .select(['path', 'owner_id'])
      .where('owner', '=', owner)
      .where('owner_id', 'in', some)
      .execute())
      paths.set(String(row.owner_id), String(row.path))
  return paths
}

/** Reads secrets from the vault, by path. @throws VaultFailure when one is missing or was exchanged */
export async function readFromVault(services: Services, paths: readonly string[]): Promise<Map<string, string>> {
  const client = vaultOf(services)
  const found = new Map<string, string>()
  await withFew(paths, async (path) => {
    const stored = await client.read(path)
    if (stored === undefined) throw new VaultFailure(say(vaultMessages.missing, { path }))
    try {
      found.set(path, services.vault.open(new Sealed(stored, placeOf(path))))
    } catch {
      throw new VaultFailure(say(vaultMessages.altered, { path }))
    }
  })
  return found
}

type SecretRow = { id: unknown; secret: Sealed | null }

const unlessUnusable = (error: unknown): undefined => {
  if (!(error instanceof VaultFailure)) throw error
}

/**
 * Opens stored secrets, wherever they are, but only those that can be read now: where a secret is compared with the one
 * that replaces it. Reads of the vault happen outside of the transaction.
 * @returns by the id of their row
 */
export async function openReachableSecrets(
  ctx: Context,
  owner: Owner,
  rows: readonly SecretRow[],
): Promise<Map<string, string>> {
  return (await opened(ctx, owner, rows, { isOptional: true })).secrets
}

/**
 * Opens stored secrets, wherever they are. Reads of the vault happen outside of the transaction.
 * @returns by the id of their row; without those that have none
 * @throws VaultFailure (503) when the vault cannot be used
 */
export async function openSecrets(
  ctx: Context,
  owner: Owner,
  rows: readonly SecretRow[],
): Promise<Map<string, string>> {
  const { secrets, missing } = await opened(ctx, owner, rows, { isOptional: false })
  if (missing) throw new VaultFailure(say(vaultMessages.missing, { path: `${owner} ${missing}` }))
  return secrets
}

async function opened(
  ctx: Context,
  owner: Owner,
  rows: readonly SecretRow[],
  { isOptional }: { isOptional: boolean },
): Promise<{ secrets: Map<string, string>; missing: string | undefined }> {
  const secrets = new Map<string, string>()
  const distant: string[] = []
  for (const { id, secret } of rows) {
    if (isInVault(secret)) distant.push(String(id))
    else if (secret) secrets.set(String(id), ctx.services.vault.open(secret))
  }
  if (distant.length === 0) return { secrets, missing: undefined }
  const paths = await pathsOf(ctx, owner, distant)
  const wanted = [...new Set(paths.values())].sort()
  const read = (): Promise<Map<string, string> | undefined> =>
    isOptional ? readFromVault(ctx.services, wanted).catch(unlessUnusable) : readFromVault(ctx.services, wanted)
  const found = await ctx.runOutsideTransaction(`accounts.vault:${isOptional}:${wanted.join(' ')}`, read)
  for (const [id, path] of paths) {
    const secret = found?.get(path)
    if (secret !== undefined) secrets.set(id, secret)
  }
  return { secrets, missing: distant.find((id) => !paths.has(id)) }
}

/** Opens one stored secret; empty when there is none. */
export const openSecret = async (
  ctx: Context,
  owner: Owner,
  row: { id: unknown; secret: Sealed | null },
): Promise<string> => (await openSecrets(ctx, owner, [row])).get(String(row.id)) ?? ''
