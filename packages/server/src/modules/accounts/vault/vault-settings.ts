import { vaultMessages } from '@castellan/contract/messages/vault'
import { boolean, describedAs, secret, text } from '../../../kernel/fields/index.ts'
import { defineSettings } from '../../../kernel/settings/setting-groups.ts'

/** The path of a secrets engine: segments of letters, digits, `-` and `_`. */
const mountPattern = /^[\w-]+(\/[\w-]+)*$/

/** An HTTP address without path, query and credentials; several secrets are sent to it. */
const addressPattern = {
  test: (value: string) => {
    if (!URL.canParse(value)) return false
    const { protocol, pathname, search, hash, username, password } = new URL(value)
    return /^https?:$/.test(protocol) && /^\/?$/.test(pathname) && !search && !hash && !username && !password
  },
} as RegExp

const where = ['VAULT_HCP_HOST', 'VAULT_HCP_CA_CERT'] as const

/** Where the secrets of accounts are kept: in the database, or in HashiCorp Vault or OpenBao. */
export const vaultSettings = defineSettings({
  category: 'vault',
  permission: 'settings.change_vault',
  fields: {
    VAULT_ENABLED: boolean({ default: false }),
    VAULT_HCP_HOST: text({ default: '', max: 256, pattern: { test: addressPattern, message: vaultMessages.address } }),
    VAULT_HCP_TOKEN: describedAs(secret({ max: 256 }), { default: '' }),
    VAULT_HCP_MOUNT_POINT: text({
      default: 'castellan',
      max: 256,
      pattern: { test: mountPattern, message: vaultMessages.mount },
    }),
    VAULT_HCP_NAMESPACE: text({ default: '', max: 256 }),
    VAULT_HCP_ROLE_ID: text({ default: '', max: 256 }),
    VAULT_HCP_SECRET_ID: secret({ max: 256 }),
    VAULT_HCP_CA_CERT: text({ default: '', max: 16_384 }),
  },
  public: ['VAULT_ENABLED'],
  // Synchronizing sends every secret of the installation there.
  guarded: {
    by: 'accounts.view_accountsecret',
    names: ['VAULT_ENABLED', 'VAULT_HCP_MOUNT_POINT', 'VAULT_HCP_NAMESPACE', ...where],
  },
  sentTo: { VAULT_HCP_TOKEN: where, VAULT_HCP_SECRET_ID: where },
})
