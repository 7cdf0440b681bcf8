import { sessionTaskNames } from '@castellan/contract/choices/terminal'
import { recordSaves } from '../../kernel/changes.ts'
import type { Context } from '../../kernel/context.ts'
import { permissionDenied } from '../../kernel/errors.ts'
import { defineEvent } from '../../kernel/events.ts'
import type { AnyRow } from '../../kernel/fields/field.ts'
import {
  boolean,
  computed,
  datetime,
  json,
  nullableDatetime,
  nullableText,
  rawChoice,
  text,
  uuid,
} from '../../kernel/fields/index.ts'
import { present, readableFields } from '../../kernel/read.ts'
import { defineResource, type Resource } from '../../kernel/resource.ts'
import { findAll, insertRows } from '../../kernel/rows.ts'
import { componentOf } from './component.ts'

export type TaskName = keyof typeof sessionTaskNames

/** Tasks wait for a component. */
export const tasksPushed = defineEvent<{ ids: string[]; terminal: string }>('terminal.tasks')

/** How long a task waits to be fetched. Milliseconds. */
const waitsFor = 600_000

/** Something a component has to do to a session of its. */
export const task = defineResource({
  app: 'terminal',
  name: 'task',
  path: 'tasks',
  scope: 'global',
  verbs: ['list', 'retrieve', 'update'],
  fields: {
    created_by: nullableText({ readOnly: true }),
    updated_by: nullableText({ readOnly: true }),
    date_created: datetime({ readOnly: true }),
    date_updated: datetime({ readOnly: true }),
    comment: text({ readOnly: true }),
    name: rawChoice(sessionTaskNames, { readOnly: true }),
    args: text({ max: 1024, readOnly: true }),
    kwargs: json<AnyRow>({ readOnly: true, default: {} }),
    is_finished: boolean({ filter: true }),
    date_finished: nullableDatetime(),
    terminal: computed('field', { wire: (_value, _ctx, row) => row.terminal_id }),
  },
  columns: { terminal_id: uuid() },
  display: (row) => `${row.name} ${row.args}`,
  indexes: [['terminal_id', 'is_finished', 'date_created'], ['args']],
  defaultOrder: ['-date_created'],
  async guard(ctx, row, verb) {
    if (verb !== 'update' || !ctx.caller?.isServiceAccount) return
    const own = await componentOf(ctx)
    if (!own || row.terminal_id !== own.id) throw permissionDenied()
  },
  hooks: {
    async beforeSave(ctx, changes) {
      for (const { row } of changes) if (row.is_finished) row.date_finished ??= ctx.now
    },
    async afterSave(ctx, changes) {
      for (const { row, before } of changes) {
        if (!row.is_finished) await push(ctx, [row])
        else if (!before?.is_finished && row.name !== 'kill_session')
          await ctx.unscoped
            .updateTable('terminal_session')
            .set({ locked: row.name === 'lock_session' })
            .where('id', '=', row.args)
            .where('is_finished', '=', false)
            .execute()
      }
    },
  },
})

async function push(ctx: Context, rows: readonly AnyRow[]): Promise<void> {
  const byComponent = Map.groupBy(rows, (row) => row.terminal_id as string | null)
  for (const [terminal, some] of byComponent)
    if (terminal) await ctx.announce(tasksPushed, { terminal, ids: some.map((row) => row.id) })
}

/** Gives sessions' components something to do; what the socket of a component does not take, its next heartbeat does. */
export async function createTasks(
  ctx: Context,
  name: TaskName,
  sessions: readonly AnyRow[],
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
  await recordSaves(ctx, task as unknown as Resource, changes)
}

/** Tasks as components get them. */
async function shown(ctx: Context, rows: readonly AnyRow[]): Promise<AnyRow[]> {
  const loose = task as unknown as Resource
  return present(ctx, loose, rows, readableFields(ctx, loose))
}

/** Unfinished tasks of a component that are not too old; only those with the given ids, when there are any. */
export async function pendingTasks(ctx: Context, terminal: string, ids?: readonly string[]): Promise<AnyRow[]> {
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
