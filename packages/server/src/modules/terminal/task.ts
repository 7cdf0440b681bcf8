import { sessionTaskNames } from '@castellan/contract/choices/terminal'
import { errors } from '@castellan/contract/messages/errors'
import { defineEvent } from '../../kernel/events/events.ts'
import { base, type Field, type StoredRow } from '../../kernel/fields/field.ts'
import { boolean, datetime, json, longText, nullableDatetime, rawChoice, text } from '../../kernel/fields/index.ts'
import { parseUuid } from '../../kernel/fields/scalars.ts'
import type { Context } from '../../kernel/module/context.ts'
import { type Problem, permissionDenied, text as say } from '../../kernel/module/errors.ts'
import { recordSaves } from '../../kernel/resource/changes.ts'
import { findAll, insertRows } from '../../kernel/resource/repository.ts'
import { defineResource, type Row } from '../../kernel/resource/resource.ts'
import { readableFields, serialize } from '../../kernel/resource/serialize.ts'
import { writerField } from '../../kernel/resource/standard-fields.ts'
import { componentOf } from './components/component.ts'
import { componentsOf } from './sessions/session-components.ts'

export type TaskName = keyof typeof sessionTaskNames

/** Tasks are pending for a component. */
export const tasksPushed = defineEvent<{ ids: string[]; terminal: string }>('terminal.tasks')

/** How long a task remains pending. Milliseconds. */
const waitsFor = 600_000

/** The component of a task must exist. */
async function knownComponents(
  ctx: Context,
  ids: readonly unknown[],
  problem: (index: number, problem: Problem) => void,
): Promise<unknown[]> {
  const known = await componentsOf(ctx)
  ids.forEach((id, index) => {
    if (id !== null && !known.has(String(id))) problem(index, [say(errors.does_not_exist, { pk: String(id) })])
  })
  return [...ids]
}

const componentField: Field<string | null, 'ref'> = {
  ...base('field', { nullable: true, order: false }),
  column: { type: 'uuid', nullable: true, name: 'terminal_id' },
  parse: parseUuid,
  resolve: knownComponents,
}

/** An order to a component about one of its sessions. */
export const task = defineResource({
  app: 'terminal',
  name: 'task',
  path: 'tasks',
  scope: 'global',
  verbs: ['list', 'retrieve', 'create', 'update'],
  wholeRows: true,
  // The component reports when a task is done.
  reported: ['update'],
  // Tasks are created by calls that require the permission to terminate a session; no permission allows to create one
  // directly.
  requires: { create: 'superuser' },
  fields: {
    created_by: writerField(),
    updated_by: writerField(),
    date_created: datetime({ readOnly: true }),
    date_updated: datetime({ readOnly: true }),
    comment: longText(),
    name: rawChoice(sessionTaskNames, { required: true }),
    /** The session's id. */
    args: text({ max: 1024, required: true }),
    kwargs: json<StoredRow>({ default: {}, shape: 'object', resets: false }),
    is_finished: boolean({ filter: true }),
    date_finished: nullableDatetime(),
    terminal: componentField,
  },
  display: (row) => `${row.name} ${row.args}`,
  indexes: [['terminal_id', 'is_finished', 'date_created'], ['args']],
  defaultOrder: ['-date_created'],
  async guard(ctx, row, verb) {
    if (verb !== 'update' || !ctx.caller?.isServiceAccount) return
    const own = await componentOf(ctx)
    if (!own || row.terminal_id !== own.id) throw permissionDenied()
  },
  hooks: {
    async beforeSave(_ctx, changes) {
      for (const { row, before } of changes) {
        // The order is fixed; the component only reports its progress.
        if (before) Object.assign(row, { name: before.name, args: before.args, kwargs: before.kwargs })
        if (before) row.terminal_id = before.terminal_id
      }
    },
    async afterSave(ctx, changes) {
      for (const { row, before } of changes) {
        if (!row.is_finished) await push(ctx, [row])
        else if (!before?.is_finished && row.name !== 'kill_session')
          await ctx.acrossOrganizations
            .updateTable('terminal_session')
            .set({ locked: row.name === 'lock_session' })
            .where('id', '=', row.args)
            .where('is_finished', '=', false)
            .execute()
      }
    },
  },
})

async function push(ctx: Context, rows: readonly Pick<Row<typeof task>, 'id' | 'terminal_id'>[]): Promise<void> {
  const byComponent = Map.groupBy(rows, (row) => row.terminal_id)
  for (const [terminal, some] of byComponent)
    if (terminal) await ctx.publish(tasksPushed, { terminal, ids: some.map((row) => row.id) })
}

/**
 * Creates tasks for sessions' components; a task that the socket does not deliver is delivered with the next heartbeat.
 */
export async function createTasks(
  ctx: Context,
  name: TaskName,
  sessions: readonly { id: string; terminal_id: string | null }[],
  by: string,
  reason = '',
): Promise<void> {
  const rows = await insertRows(
    ctx,
    task,
    sessions.map((session) => ({
      name,
      args: session.id,
      kwargs: { terminated_by: by, created_by: by, ...(reason ? { reason } : {}) },
      terminal_id: session.terminal_id,
      comment: '',
    })),
  )
  await push(ctx, rows)
  const changes = rows.map((row, index) => ({
    mode: 'create' as const,
    partial: false,
    before: undefined,
    row,
    values: {},
    input: {},
    index,
  }))
  await recordSaves(ctx, task, changes)
}

/** Tasks in the form for components. */
async function shown(ctx: Context, rows: readonly StoredRow[]): Promise<StoredRow[]> {
  return serialize(ctx, task, rows, readableFields(ctx, task))
}

/** Unfinished tasks of a component that have not expired; only those with the given ids, if any. */
export async function pendingTasks(ctx: Context, terminal: string, ids?: readonly string[]): Promise<StoredRow[]> {
  const rows = await findAll(ctx, task, (query) => {
    const waiting = query
      .where('t.terminal_id', '=', terminal)
      .where('t.is_finished', '=', false)
      .where('t.date_created', '>', Date.now() - waitsFor)
      .orderBy('t.date_created')
    return ids ? waiting.where('t.id', 'in', ids) : waiting
  })
  return shown(ctx, rows)
}
