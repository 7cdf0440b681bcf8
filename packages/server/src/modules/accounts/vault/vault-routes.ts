import { vaultMessages } from '@castellan/contract/messages/vault'
import { type Field, text } from '../../../kernel/fields/index.ts'
import { created, defineRoute, type Handling } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { failureAs, permissionDenied, text as say } from '../../../kernel/module/errors.ts'
import { readBody } from '../../../kernel/resource/body.ts'
import { mayDecideDestinations } from '../../assets/index.ts'
import type { AlteredSettings } from '../../settings/index.ts'
import { type VaultAccess, VaultClient, VaultFailure } from './vault-client.ts'
import { vaultOf } from './vault-entries.ts'
import { syncVault } from './vault-move.ts'
import { vaultSettings } from './vault-settings.ts'

const fields = Object.fromEntries(
  Object.values(vaultSettings.settings).map(({ name, field }): [string, Field] => [
    name,
    { ...field, required: false },
  ]),
)

type Sent = Partial<Record<keyof typeof vaultSettings.settings, string>>

/** The access that is tested: what was sent, and otherwise what is saved. Saved secrets go to the saved address only. */
function accessOf(ctx: Context, sent: Sent): VaultAccess {
  const saved = vaultSettings.of(ctx)
  const address = sent.VAULT_HCP_HOST || saved.VAULT_HCP_HOST
  const ca = sent.VAULT_HCP_CA_CERT || saved.VAULT_HCP_CA_CERT
  const isSaved = address === saved.VAULT_HCP_HOST && ca === saved.VAULT_HCP_CA_CERT
  const secretOf = (name: 'VAULT_HCP_TOKEN' | 'VAULT_HCP_SECRET_ID') => {
    if (sent[name]) return sent[name]
    const stored = saved[name]
    return stored && isSaved ? ctx.services.vault.open(stored) : ''
  }
  const access = {
    address,
    ca,
    mount: sent.VAULT_HCP_MOUNT_POINT || saved.VAULT_HCP_MOUNT_POINT,
    namespace: sent.VAULT_HCP_NAMESPACE || saved.VAULT_HCP_NAMESPACE,
    token: secretOf('VAULT_HCP_TOKEN'),
    roleId: sent.VAULT_HCP_ROLE_ID || saved.VAULT_HCP_ROLE_ID,
    secretId: secretOf('VAULT_HCP_SECRET_ID'),
  }
  if (!access.address) throw failureAs(400, 'msg', say(vaultMessages.not_set))
  if (!(access.token || (access.roleId && access.secretId)))
    throw failureAs(400, 'msg', say(isSaved ? vaultMessages.not_set : vaultMessages.token_again))
  return access
}

/** Throws 403 unless the caller may see the secrets: whoever says where they are kept has all of them sent there. */
function demandRight(ctx: Context): void {
  if (!mayDecideDestinations(ctx)) throw permissionDenied(say(vaultMessages.needs_right))
}

/** Asked before a change of the vault's settings is stored. */
export function decideVault(ctx: Context, { before, after }: AlteredSettings): void {
  const names = Object.keys(vaultSettings.settings).filter((name) => name in after)
  // Secrets are masked, so one that is sent counts as changed.
  const isMasked = (name: string) => name === 'VAULT_HCP_TOKEN' || name === 'VAULT_HCP_SECRET_ID'
  if (names.some((name) => isMasked(name) || before[name] !== after[name])) demandRight(ctx)
}

/** Whether secrets are meant to be in the database, and no vault is named that they could have been moved to. */
const isWithoutVault = (ctx: Context, sent: Sent = {}): boolean => {
  const { VAULT_ENABLED, VAULT_HCP_HOST } = vaultSettings.of(ctx)
  return !(VAULT_ENABLED || VAULT_HCP_HOST || sent.VAULT_HCP_HOST || sent.VAULT_HCP_TOKEN)
}

/** Writes, reads and removes a value. Without a vault, the database is the storage that is in use, and works. */
async function testVault({ ctx, request }: Handling): Promise<unknown> {
  const sent = readBody<Sent>(ctx, fields, request.body ?? {})
  if (isWithoutVault(ctx, sent)) return { msg: vaultMessages.in_database[ctx.language] }
  const client = new VaultClient(accessOf(ctx, sent))
  const path = `castellan-test-${ctx.now}`
  try {
    await client.ensureMount()
    await client.write(path, path, {})
    const isRead = (await client.read(path)) === path
    await client.remove(path)
    if (!isRead) throw new VaultFailure(say(vaultMessages.altered, { path }))
  } catch (error) {
    if (!(error instanceof VaultFailure)) throw error
    throw failureAs(400, 'msg', error.reason)
  }
  return { msg: vaultMessages.works[ctx.language] }
}

/** The vault's own endpoints stand beside those of the other settings. */
const prefix = '/api/v1/settings/vault'

export const vaultRoutes = [
  defineRoute({
    method: 'POST',
    path: `${prefix}/testing/`,
    requires: 'settings.change_vault',
    transaction: 'none',
    fields: { POST: { ...fields, VAULT_HCP_TOKEN: { ...text({ max: 256, writeOnly: true }), secret: true } } },
    summary: 'Test the vault with sent and saved settings',
    handle: testVault,
  }),
  defineRoute({
    method: 'POST',
    path: `${prefix}/sync/`,
    requires: 'settings.change_vault',
    statuses: [201],
    summary: 'Move all secrets of accounts to where the settings say: the vault, or the database',
    handle: async ({ ctx }) => {
      demandRight(ctx)
      try {
        if (!isWithoutVault(ctx)) vaultOf(ctx.services)
      } catch (error) {
        if (!(error instanceof VaultFailure)) throw error
        throw failureAs(400, 'msg', error.reason)
      }
      return created({ task: await ctx.enqueue(syncVault, {}) })
    },
  }),
]
