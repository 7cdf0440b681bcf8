import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

const ids: Record<string, readonly string[]> = {
  kernel_tally: ['org_id'],
  kernel_job: ['id', 'org_id'],
  kernel_job_log: ['job_id'],
  orgs_organization: ['id'],
  rbac_role: ['id'],
  users_user: ['id'],
  rbac_rolebinding: ['id', 'user_id', 'role_id', 'org_id'],
  notifications_sitemessage: ['id', 'user_id', 'content_id'],
  notifications_messagecontent: ['id', 'sender_id'],
  notifications_usermsgsubscription: ['user_id'],
  users_usergroup: ['id', 'org_id'],
  users_user_groups: ['user_id', 'usergroup_id'],
  users_passwordhistory: ['user_id'],
  users_preference: ['user_id'],
  authentication_accesskey: ['id', 'user_id'],
  authentication_session: ['user_id'],
  authentication_bearertoken: ['user_id'],
  assets_node: ['id', 'org_id'],
  assets_domain: ['id', 'org_id'],
  assets_label: ['id', 'org_id'],
  assets_asset: ['id', 'domain_id', 'org_id'],
  assets_asset_labels: ['label_id', 'asset_id'],
  assets_asset_nodes: ['asset_id', 'node_id'],
  assets_favoriteasset: ['id', 'asset_id', 'user_id'],
  assets_hostkey: ['id', 'asset_id', 'org_id'],
  assets_protocol: ['asset_id'],
  accounts_account: ['id', 'su_from_id', 'asset_id', 'org_id'],
  accounts_accounttemplate: ['id', 'su_from_id', 'org_id'],
  accounts_accounttemplate_platforms: ['accounttemplate_id'],
  accounts_virtualaccount: ['id', 'org_id'],
  accounts_accounthistory: ['account_id', 'history_user_id'],
  terminal_terminal: ['id', 'user_id'],
  terminal_session: ['id', 'terminal_id', 'org_id'],
  terminal_task: ['id', 'terminal_id'],
  terminal_command: ['id', 'org_id'],
  terminal_commandstorage: ['id'],
  terminal_replaystorage: ['id'],
  terminal_endpoint: ['id'],
  terminal_endpointrule: ['id', 'endpoint_id'],
  audits_userloginlog: ['id', 'user_id'],
  audits_operatelog: ['id', 'user_id', 'org_id'],
  audits_passwordchangelog: ['id', 'user_id'],
  audits_ftplog: ['id', 'session', 'org_id'],
  audits_activitylog: ['id'],
  perms_assetpermission: ['id', 'org_id'],
  perms_assetpermission_users: ['assetpermission_id', 'user_id'],
  perms_assetpermission_user_groups: ['assetpermission_id', 'usergroup_id'],
  perms_assetpermission_assets: ['assetpermission_id', 'asset_id'],
  perms_assetpermission_nodes: ['assetpermission_id', 'node_id'],
  acls_commandgroup: ['id', 'org_id'],
  acls_commandfilteracl: ['id', 'org_id'],
  acls_commandfilteracl_reviewers: ['commandfilteracl_id', 'user_id'],
  acls_commandfilteracl_groups: ['commandfilteracl_id', 'commandgroup_id'],
  acls_loginassetacl: ['id', 'org_id'],
  acls_loginassetacl_reviewers: ['loginassetacl_id', 'user_id'],
  acls_connectmethodacl: ['id'],
  acls_connectmethodacl_reviewers: ['connectmethodacl_id', 'user_id'],
  authentication_connectiontoken: ['id', 'user_id', 'asset_id', 'asset_org_id'],
}

/** Why: PostgreSQL compared ids by the locale of the database, in every index and for every reference. */
export const migration: Migration = {
  name: '20261122145500-ids-by-bytes',
  async up({ db, dialect }) {
    if (dialect !== 'postgres') return
    const { rows } = await sql<{ table: string; column: string }>`
      select c.relname as "table", a.attname as "column" from pg_attribute a
      join pg_class c on c.oid = a.attrelid and c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
      join pg_collation l on l.oid = a.attcollation and l.collname = 'default'`.execute(db)
    for (const [table, columns] of Object.entries(ids)) {
      const asWords = rows.filter((one) => one.table === table && columns.includes(one.column))
      if (asWords.length === 0) continue
      const changes = asWords.map(({ column }) => sql`alter column ${sql.ref(column)} type text collate "C"`)
      await sql`alter table ${sql.table(table)} ${sql.join(changes)}`.execute(db)
    }
  },
}
