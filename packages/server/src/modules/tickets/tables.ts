import type { TableShape } from '../../db/schema.ts'

const ticketId = { type: 'uuid', references: 'tickets_ticket.id', onDelete: 'cascade' } as const

/** One row for each level of approval. */
export const stepTable = {
  name: 'tickets_step',
  columns: {
    ticket_id: ticketId,
    level: { type: 'integer' },
    state: { type: 'text' },
    status: { type: 'text' },
    /** Whose right to decide is checked again at the decision; empty for reviewers of a rule. */
    strategy: { type: 'text' },
    processor_id: { type: 'text' },
    processor_display: { type: 'text' },
    date_decided: { type: 'timestamp' },
  },
  primaryKey: ['ticket_id', 'level'],
  unique: [],
  indexes: [],
} as const satisfies TableShape

/** Who may decide a step. `is_current` repeats that the step is the ticket's current one, for the lists of assignees. */
export const assigneeTable = {
  name: 'tickets_assignee',
  columns: {
    ticket_id: ticketId,
    level: { type: 'integer' },
    user_id: { type: 'uuid', references: 'users_user.id', onDelete: 'cascade' },
    state: { type: 'text' },
    is_current: { type: 'boolean' },
  },
  primaryKey: ['ticket_id', 'level', 'user_id'],
  unique: [],
  indexes: [['user_id', 'is_current']],
} as const satisfies TableShape

export const commentTable = {
  name: 'tickets_comment',
  columns: {
    id: { type: 'uuid' },
    ticket_id: ticketId,
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
} as const satisfies TableShape

/** The number of the last ticket of each day. */
export const serialTable = {
  name: 'tickets_serial',
  columns: { day: { type: 'text' }, last: { type: 'integer' } },
  primaryKey: ['day'],
  unique: [],
  indexes: [],
} as const satisfies TableShape

/** The session that an approved asset sign-in began. */
export const ticketSessionTable = {
  name: 'tickets_ticketsession',
  columns: { ticket_id: ticketId, session_id: { type: 'uuid' } },
  primaryKey: ['ticket_id', 'session_id'],
  unique: [],
  indexes: [['session_id']],
} as const satisfies TableShape
