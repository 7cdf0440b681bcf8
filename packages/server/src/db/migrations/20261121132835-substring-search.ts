import type { Migration } from '../migration.ts'

/**
 * Why: a search read every row of its table. Every resource that searches text columns of its own table gets an index.
 */
export const migration: Migration = {
  name: '20261121132835-substring-search',
  async up({ createSearchIndex }) {
    await createSearchIndex('orgs_organization', ['name', 'comment'])
    await createSearchIndex('rbac_role', ['name', 'scope'])
    await createSearchIndex('users_user', ['username', 'email', 'name'])
    await createSearchIndex('users_usergroup', ['name'])
    await createSearchIndex('assets_platform', ['name'])
    await createSearchIndex('assets_node', ['full_value'])
    await createSearchIndex('assets_domain', ['name'])
    await createSearchIndex('assets_label', ['name', 'value'])
    await createSearchIndex('assets_asset', ['name', 'address', 'comment'])
    await createSearchIndex('assets_hostkey', ['fingerprint', 'offered_fingerprint'])
    await createSearchIndex('accounts_accounttemplate', ['username', 'name'])
    await createSearchIndex('accounts_virtualaccount', ['alias'])
    await createSearchIndex('terminal_terminal', ['name', 'remote_addr'])
    await createSearchIndex('terminal_session', ['user', 'asset', 'account', 'remote_addr', 'protocol', 'login_from'])
    await createSearchIndex('terminal_command', ['input'])
    await createSearchIndex('terminal_commandstorage', ['name', 'type'])
    await createSearchIndex('terminal_replaystorage', ['name', 'type'])
    await createSearchIndex('terminal_endpoint', ['name', 'host'])
    await createSearchIndex('terminal_endpointrule', ['name'])
    await createSearchIndex('audits_userloginlog', ['username', 'ip', 'city'])
    await createSearchIndex('audits_operatelog', ['resource', 'user'])
    await createSearchIndex('audits_passwordchangelog', ['user', 'change_by', 'remote_addr'])
    await createSearchIndex('audits_ftplog', ['user', 'asset', 'account', 'filename'])
    await createSearchIndex('perms_assetpermission', ['name'])
    await createSearchIndex('acls_commandgroup', ['name'])
    await createSearchIndex('acls_commandfilteracl', ['name'])
    await createSearchIndex('acls_loginassetacl', ['name'])
    await createSearchIndex('acls_connectmethodacl', ['name'])
    await createSearchIndex('authentication_connectiontoken', ['user_display', 'asset_display'])
  },
}
