import type { Migration } from '../migration.ts'

/** Tickets, their steps, assignees and history, and the flows that say who decides. */
export const migration: Migration = {
  name: '20261123211348-tickets',
  async up({ createTable }) {
    await createTable({
      name: 'tickets_ticket',
      columns: {
        id: { type: 'uuid' },
        title: { type: 'text', nullable: false },
        comment: { type: 'text', nullable: false },
        serial_num: { type: 'text', nullable: false },
        approval_step: { type: 'integer', nullable: false },
        type: { type: 'text', nullable: false },
        state: { type: 'text', nullable: false },
        status: { type: 'text', nullable: false },
        rel_snapshot: { type: 'json', nullable: false },
        date_created: { type: 'timestamp', nullable: false },
        date_updated: { type: 'timestamp', nullable: false },
        applicant_id: { type: 'uuid', nullable: true, references: 'users_user.id', onDelete: 'set null' },
        organization_id: { type: 'text', nullable: false },
        details: { type: 'json', nullable: false },
        relevant_asset: { type: 'text', nullable: false },
        relevant_command: { type: 'text', nullable: false },
        created_by: { type: 'text', nullable: true },
        updated_by: { type: 'text', nullable: true },
      },
      primaryKey: ['id'],
      unique: [['serial_num']],
      indexes: [['date_created'], ['applicant_id', 'date_created'], ['status', 'date_created'], ['organization_id']],
      search: ['title', 'type', 'status'],
    })
    await createTable({
      name: 'tickets_flow',
      columns: {
        id: { type: 'uuid' },
        type: { type: 'text', nullable: false },
        approval_level: { type: 'integer', nullable: false },
        rules: { type: 'json', nullable: false },
        created_by: { type: 'text', nullable: true },
        date_created: { type: 'timestamp', nullable: false },
        date_updated: { type: 'timestamp', nullable: false },
        organization_id: { type: 'text', nullable: false },
        updated_by: { type: 'text', nullable: true },
      },
      primaryKey: ['id'],
      unique: [['organization_id', 'type']],
      indexes: [],
      search: ['type'],
    })
    await createTable({
      name: 'tickets_step',
      columns: {
        ticket_id: { type: 'uuid', references: 'tickets_ticket.id', onDelete: 'cascade' },
        level: { type: 'integer' },
        state: { type: 'text' },
        status: { type: 'text' },
        strategy: { type: 'text' },
        processor_id: { type: 'text' },
        processor_display: { type: 'text' },
        date_decided: { type: 'timestamp' },
      },
      primaryKey: ['ticket_id', 'level'],
      unique: [],
      indexes: [],
    })
    await createTable({
      name: 'tickets_assignee',
      columns: {
        ticket_id: { type: 'uuid', references: 'tickets_ticket.id', onDelete: 'cascade' },
        level: { type: 'integer' },
        user_id: { type: 'uuid', references: 'users_user.id', onDelete: 'cascade' },
        state: { type: 'text' },
        is_current: { type: 'boolean' },
      },
      primaryKey: ['ticket_id', 'level', 'user_id'],
      unique: [],
      indexes: [['user_id', 'is_current']],
    })
    await createTable({
      name: 'tickets_comment',
      columns: {
        id: { type: 'uuid' },
        ticket_id: { type: 'uuid', references: 'tickets_ticket.id', onDelete: 'cascade' },
        user_id: { type: 'uuid', nullable: true, references: 'users_user.id', onDelete: 'set null' },
        user_display: { type: 'text' },
        body: { type: 'text' },
        type: { type: 'text' },
        state: { type: 'text' },
        date_created: { type: 'timestamp' },
      },
      primaryKey: ['id'],
      unique: [],
      indexes: [['ticket_id', 'date_created'], ['user_id']],
    })
    await createTable({
      name: 'tickets_serial',
      columns: {
        day: { type: 'text' },
        last: { type: 'integer' },
      },
      primaryKey: ['day'],
      unique: [],
      indexes: [],
    })
    await createTable({
      name: 'tickets_ticketsession',
      columns: {
        ticket_id: { type: 'uuid', references: 'tickets_ticket.id', onDelete: 'cascade' },
        session_id: { type: 'uuid' },
      },
      primaryKey: ['ticket_id', 'session_id'],
      unique: [],
      indexes: [['session_id']],
    })
  },
}
