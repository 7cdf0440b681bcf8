import type { Migration } from '../migration.ts'

/** Users may let others join a running session by a link; who joined is kept as long as the session. */
export const migration: Migration = {
  name: '20261123233719-add-session-sharing',
  async up({ createTable }) {
    await createTable({
      name: 'terminal_sessionsharing',
      columns: {
        id: { type: 'uuid' },
        verify_code: { type: 'text', nullable: false },
        expired_time: { type: 'integer', nullable: false },
        created_by: { type: 'text', nullable: true },
        users: { type: 'json', nullable: true },
        action_permission: { type: 'text', nullable: false },
        origin: { type: 'text', nullable: true },
        session_id: { type: 'uuid', nullable: false, references: 'terminal_session.id', onDelete: 'cascade' },
        creator_id: { type: 'uuid', nullable: true, references: 'users_user.id', onDelete: 'set null' },
        is_active: { type: 'boolean', nullable: false },
        date_created: { type: 'timestamp', nullable: false },
        date_updated: { type: 'timestamp', nullable: false },
        org_id: { type: 'uuid' },
        updated_by: { type: 'text', nullable: true },
      },
      primaryKey: ['id'],
      unique: [],
      indexes: [['session_id'], ['creator_id', 'date_created']],
      search: ['created_by'],
    })
    await createTable({
      name: 'terminal_sessionjoinrecord',
      columns: {
        id: { type: 'uuid' },
        verify_code: { type: 'text', nullable: false },
        remote_addr: { type: 'text', nullable: false },
        login_from: { type: 'text', nullable: false },
        reason: { type: 'text', nullable: true },
        created_by: { type: 'text', nullable: true },
        session_id: { type: 'uuid', nullable: false, references: 'terminal_session.id', onDelete: 'cascade' },
        sharing_id: { type: 'uuid', nullable: false, references: 'terminal_sessionsharing.id', onDelete: 'cascade' },
        joiner_id: { type: 'uuid', nullable: true, references: 'users_user.id', onDelete: 'set null' },
        is_success: { type: 'boolean', nullable: false },
        is_finished: { type: 'boolean', nullable: false },
        date_joined: { type: 'timestamp', nullable: false },
        date_left: { type: 'timestamp', nullable: true },
        date_created: { type: 'timestamp', nullable: false },
        date_updated: { type: 'timestamp', nullable: false },
        joiner_name: { type: 'text', nullable: false },
        org_id: { type: 'uuid' },
        updated_by: { type: 'text', nullable: true },
      },
      primaryKey: ['id'],
      unique: [],
      indexes: [
        ['session_id', 'date_joined'],
        ['joiner_id', 'date_joined'],
        ['sharing_id'],
        ['org_id', 'date_joined', 'id'],
      ],
      search: ['remote_addr', 'login_from'],
    })
  },
}
