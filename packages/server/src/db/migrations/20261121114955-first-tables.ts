import type { Migration } from '../migration.ts'

/** Base tables of the server: short-lived values, events, keys, jobs, users, roles, organizations, sessions. */
export const migration: Migration = {
  name: '20261121114955-first-tables',
  async up({ createTable }) {
    await createTable({
      name: 'kernel_memory',
      columns: {
        key: { type: 'text' },
        value: { type: 'text' },
        date_expired: { type: 'timestamp' },
      },
      primaryKey: ['key'],
      unique: [],
      indexes: [['date_expired']],
    })
    await createTable({
      name: 'kernel_event',
      columns: {
        id: { type: 'serial' },
        name: { type: 'text' },
        payload: { type: 'text' },
        date_created: { type: 'timestamp' },
      },
      primaryKey: ['id'],
      unique: [],
      indexes: [['date_created']],
    })
    await createTable({
      name: 'kernel_data_key',
      columns: {
        id: { type: 'text' },
        sealed: { type: 'text' },
        date_created: { type: 'timestamp' },
      },
      primaryKey: ['id'],
      unique: [],
      indexes: [],
    })
    await createTable({
      name: 'kernel_job',
      columns: {
        id: { type: 'uuid' },
        name: { type: 'text' },
        payload: { type: 'json' },
        org_id: { type: 'uuid', nullable: true },
        unique_key: { type: 'text', nullable: true },
        created_by: { type: 'text', nullable: true },
        state: { type: 'text' },
        attempts: { type: 'integer' },
        result: { type: 'json', nullable: true },
        worker: { type: 'text', nullable: true },
        cancel_requested: { type: 'boolean' },
        date_created: { type: 'timestamp' },
        date_due: { type: 'timestamp' },
        date_start: { type: 'timestamp', nullable: true },
        date_finished: { type: 'timestamp', nullable: true },
        date_lease: { type: 'timestamp', nullable: true },
      },
      primaryKey: ['id'],
      unique: [],
      indexes: [['state', 'date_due'], ['date_created'], ['date_finished']],
    })
    await createTable({
      name: 'kernel_job_log',
      columns: {
        id: { type: 'serial' },
        job_id: { type: 'uuid' },
        text: { type: 'text' },
        date_created: { type: 'timestamp' },
      },
      primaryKey: ['id'],
      unique: [],
      indexes: [['job_id', 'id']],
    })
    await createTable({
      name: 'settings_setting',
      columns: {
        name: { type: 'text' },
        value: { type: 'text' },
        encrypted: { type: 'boolean' },
        date_updated: { type: 'timestamp' },
      },
      primaryKey: ['name'],
      unique: [],
      indexes: [],
    })
    await createTable({
      name: 'orgs_organization',
      columns: {
        id: { type: 'uuid' },
        name: { type: 'text', nullable: false },
        comment: { type: 'text', nullable: false },
        created_by: { type: 'text', nullable: true },
        date_created: { type: 'timestamp', nullable: false },
        updated_by: { type: 'text', nullable: true },
        date_updated: { type: 'timestamp' },
      },
      primaryKey: ['id'],
      unique: [['name']],
      indexes: [],
    })
    await createTable({
      name: 'rbac_role',
      columns: {
        id: { type: 'uuid' },
        name: { type: 'text', nullable: false },
        scope: { type: 'text', nullable: false },
        builtin: { type: 'boolean', nullable: false },
        comment: { type: 'text', nullable: false },
        date_created: { type: 'timestamp', nullable: false },
        date_updated: { type: 'timestamp', nullable: false },
        created_by: { type: 'text', nullable: true },
        updated_by: { type: 'text', nullable: true },
        permissions: { type: 'json', nullable: false },
      },
      primaryKey: ['id'],
      unique: [['name', 'scope']],
      indexes: [],
    })
    await createTable({
      name: 'users_user',
      columns: {
        id: { type: 'uuid' },
        name: { type: 'text', nullable: false },
        username: { type: 'text', nullable: false },
        email: { type: 'text', nullable: false },
        mfa_level: { type: 'integer', nullable: false },
        source: { type: 'text', nullable: false },
        comment: { type: 'text', nullable: true },
        created_by: { type: 'text', nullable: true },
        updated_by: { type: 'text', nullable: true },
        is_service_account: { type: 'boolean', nullable: false },
        is_active: { type: 'boolean', nullable: false },
        is_first_login: { type: 'boolean', nullable: false },
        need_update_password: { type: 'boolean', nullable: false },
        date_expired: { type: 'timestamp', nullable: true },
        date_joined: { type: 'timestamp', nullable: false },
        last_login: { type: 'timestamp', nullable: true },
        date_updated: { type: 'timestamp', nullable: false },
        date_api_key_last_used: { type: 'timestamp', nullable: true },
        date_password_last_updated: { type: 'timestamp', nullable: true },
        password_hash: { type: 'text', nullable: false },
        public_key: { type: 'text', nullable: true },
        otp_secret: { type: 'text', nullable: true },
        phone: { type: 'text', nullable: true },
        wechat: { type: 'text', nullable: true },
        wecom_id: { type: 'text', nullable: true },
        dingtalk_id: { type: 'text', nullable: true },
        feishu_id: { type: 'text', nullable: true },
        date_created: { type: 'timestamp' },
      },
      primaryKey: ['id'],
      unique: [['username'], ['email']],
      indexes: [['name']],
    })
    await createTable({
      name: 'rbac_rolebinding',
      columns: {
        id: { type: 'uuid' },
        user_id: { type: 'uuid', nullable: false, references: 'users_user.id', onDelete: 'cascade' },
        role_id: { type: 'uuid', nullable: false, references: 'rbac_role.id', onDelete: 'restrict' },
        scope: { type: 'text', nullable: false },
        org_id: { type: 'uuid', nullable: true, references: 'orgs_organization.id', onDelete: 'cascade' },
        created_by: { type: 'text', nullable: true },
        updated_by: { type: 'text', nullable: true },
        date_created: { type: 'timestamp' },
        date_updated: { type: 'timestamp' },
      },
      primaryKey: ['id'],
      unique: [['user_id', 'role_id', 'org_id']],
      indexes: [['org_id', 'user_id'], ['role_id']],
    })
    await createTable({
      name: 'users_usergroup',
      columns: {
        id: { type: 'uuid' },
        name: { type: 'text', nullable: false },
        comment: { type: 'text', nullable: false },
        created_by: { type: 'text', nullable: true },
        date_created: { type: 'timestamp', nullable: false },
        org_id: { type: 'uuid' },
        updated_by: { type: 'text', nullable: true },
        date_updated: { type: 'timestamp' },
      },
      primaryKey: ['id'],
      unique: [['org_id', 'name']],
      indexes: [],
    })
    await createTable({
      name: 'users_user_groups',
      columns: {
        id: { type: 'serial' },
        user_id: { references: 'users_user.id', type: 'uuid', onDelete: 'cascade' },
        usergroup_id: { references: 'users_usergroup.id', type: 'uuid', onDelete: 'cascade' },
      },
      primaryKey: ['id'],
      unique: [['user_id', 'usergroup_id']],
      indexes: [['usergroup_id']],
    })
    await createTable({
      name: 'authentication_accesskey',
      columns: {
        id: { type: 'uuid' },
        ip_group: { type: 'json', nullable: false },
        is_active: { type: 'boolean', nullable: false },
        date_created: { type: 'timestamp', nullable: false },
        date_last_used: { type: 'timestamp', nullable: true },
        user_id: { type: 'uuid', nullable: false, references: 'users_user.id', onDelete: 'cascade' },
        created_by: { type: 'text', nullable: true },
        updated_by: { type: 'text', nullable: true },
        date_updated: { type: 'timestamp' },
      },
      primaryKey: ['id'],
      unique: [],
      indexes: [],
    })
    await createTable({
      name: 'authentication_session',
      columns: {
        key: { type: 'text' },
        user_id: { type: 'uuid', nullable: true, references: 'users_user.id', onDelete: 'cascade' },
        data: { type: 'json' },
        date_created: { type: 'timestamp' },
        date_updated: { type: 'timestamp' },
        date_expired: { type: 'timestamp' },
      },
      primaryKey: ['key'],
      unique: [],
      indexes: [['user_id'], ['date_expired']],
    })
    await createTable({
      name: 'authentication_bearertoken',
      columns: {
        token_hash: { type: 'text' },
        token: { type: 'text' },
        user_id: { type: 'uuid', references: 'users_user.id', onDelete: 'cascade' },
        ip: { type: 'text' },
        date_expired: { type: 'timestamp' },
      },
      primaryKey: ['token_hash'],
      unique: [['user_id', 'ip']],
      indexes: [['date_expired']],
    })
  },
}
