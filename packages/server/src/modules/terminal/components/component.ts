import { randomBytes } from 'node:crypto'
import { componentLoads, componentTypes } from '@castellan/contract/choices/terminal'
import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import { contains } from '../../../db/search.ts'
import {
  boolean,
  computed,
  datetime,
  describedAs,
  longText,
  one,
  rawChoice,
  text,
} from '../../../kernel/fields/index.ts'
import { defineRoute, noContent } from '../../../kernel/http/route.ts'
import { demandSelection, filtered, namesRows } from '../../../kernel/lists/query.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { badRequest, emptyBadRequest, text as say } from '../../../kernel/module/errors.ts'
import { fieldsInfo } from '../../../kernel/resource/metadata.ts'
import { decoded, deleteRows, findOne, updateRow } from '../../../kernel/resource/repository.ts'
import { defineResource, type Row } from '../../../kernel/resource/resource.ts'
import { rowBySegment } from '../../../kernel/resource/resource-routes.ts'
import { user } from '../../users/index.ts'
import { storageName } from '../storage/storage-names.ts'
import { type Load, livingBeats, loadOf } from './heartbeat.ts'
import { onlineSessions } from './session-counts.ts'
import { statusFields } from './status-fields.ts'

const rounded = (value: number) => Math.round(value * 10) / 10

const loads = () => ({
  meta: (ctx: Context) => ({
    choices: Object.entries(componentLoads).map(([value, label]) => ({ value, label: label[ctx.language] })),
  }),
})

/** A connection component; created by registration only. */
export const component = defineResource({
  app: 'terminal',
  name: 'terminal',
  path: 'terminals',
  scope: 'global',
  verbs: ['list', 'retrieve', 'update'],
  imports: 'terminal.add_terminal',
  // A component appears by registering.
  describesToo: ['POST'],
  wholeRows: true,
  fields: {
    name: text({ max: 128, required: true }),
    type: describedAs(rawChoice(componentTypes, { readOnly: true, default: 'koko', filter: true }), {
      default: undefined,
    }),
    remote_addr: text({ max: 128 }),
    session_online: computed('field', {
      load: async (ctx) => {
        const online = await onlineSessions(ctx)
        return (row: { id: string }) => online.get(row.id) ?? 0
      },
    }),
    command_storage: { ...text({ max: 128, required: true }), resolve: storageName('command') },
    replay_storage: { ...text({ max: 128, required: true }), resolve: storageName('replay') },
    is_active: computed('boolean', {
      load: async (ctx, rows: readonly { user_id: string | null }[]) => {
        const ids = rows.map((row) => row.user_id).filter(Boolean)
        const active = await ctx.rawDb
          .selectFrom(user.table)
          .select('id')
          .where('id', 'in', ids.length > 0 ? ids : [''])
          .where('is_active', '=', true)
          .execute()
        const known = new Set(active.map(({ id }) => id))
        // The server's own processes have no account that could be disabled.
        return (row) => known.has(row.user_id) || row.type === 'core' || row.type === 'celery'
      },
    }),
    is_alive: computed('boolean', {
      load: async (ctx) => {
        const beats = await livingBeats(ctx)
        return (row: { id: string }) => beats.has(row.id)
      },
    }),
    date_created: datetime({ readOnly: true }),
    comment: longText(),
    load: computed('labeled_choice', {
      ...loads(),
      filter: true,
      load: async (ctx) => {
        const beats = await livingBeats(ctx)
        return (row: { id: string }) => {
          const value = loadOf(beats.get(row.id))
          return { value, label: componentLoads[value][ctx.language] }
        }
      },
    }),
    stat: computed('nested object', {
      noExport: true,
      meta: (ctx) => ({ children: fieldsInfo(ctx, 'terminal', statusFields) }),
      load: async (ctx) => {
        const beats = await livingBeats(ctx)
        return (row: { id: string }) => {
          const beat = beats.get(row.id)
          if (!beat) return null
          return {
            id: beat.id,
            cpu_load: rounded(beat.cpu_load),
            memory_used: rounded(beat.memory_used),
            disk_used: rounded(beat.disk_used),
            session_online: beat.session_online,
            date_created: null,
            terminal: row.id,
          }
        }
      },
    }),
  },
  columns: {
    user: one('users.user', { nullable: true, anyOrg: true, onDelete: 'set null' }),
    is_deleted: boolean(),
  },
  indexes: [['user_id']],
  search: ['name', 'remote_addr'],
  defaultOrder: ['name'],
  visible: (_ctx, query) => query.where('t.is_deleted', '=', false),
  filters: {
    name: (ctx, query, value) => query.where((eb) => contains(ctx.dialect, eb.ref('t.name'), value)),
    remote_addr: (ctx, query, value) => query.where((eb) => contains(ctx.dialect, eb.ref('t.remote_addr'), value)),
    load: async (ctx, query, value) => {
      const beats = await livingBeats(ctx)
      const wanted = [...beats].filter(([, beat]) => loadOf(beat) === (value as Load)).map(([id]) => id)
      if (value === 'offline') return beats.size > 0 ? query.where('t.id', 'not in', [...beats.keys()]) : query
      return query.where('t.id', 'in', wanted.length > 0 ? wanted : [''])
    },
  },
})

export type ComponentRow = Row<typeof component>

/** The component of a service account; undefined for users and for accounts without one. */
export function componentOf(ctx: Context): Promise<ComponentRow | undefined> {
  const { caller } = ctx
  if (!caller?.isServiceAccount) return Promise.resolve(undefined)
  return ctx.once('terminal component', () =>
    findOne(ctx, component, (query) => query.where('t.user_id', '=', caller.id)),
  )
}

/**
 * Removes a component: its account and key are deleted, its row remains for the sessions that name it. Rejected while
 * it has sessions.
 */
export async function removeComponent(ctx: Context, row: ComponentRow): Promise<void> {
  if ((await onlineSessions(ctx)).get(row.id))
    throw badRequest(say(texts.component_has_sessions), 'have_online_session')
  await updateRow(ctx, component, row.id, {
    is_deleted: true,
    user_id: null,
    name: `${row.name}_${randomBytes(4).toString('hex')}`.slice(-128),
  })
  if (row.user_id) await deleteRows(ctx, user, [row.user_id])
}

export const deleteComponents = [
  defineRoute({
    method: 'DELETE',
    path: `${component.url}:id/`,
    requires: 'terminal.delete_terminal',
    summary: 'Remove a component with its service account',
    statuses: [204],
    async handle({ ctx, request }) {
      await removeComponent(ctx, await rowBySegment(ctx, component, request.params.id ?? ''))
      return noContent()
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: component.url,
    requires: 'terminal.delete_terminal',
    summary: 'Remove the selected components with their service accounts',
    statuses: [204],
    async handle({ ctx, request }) {
      if (!namesRows(request.query)) throw emptyBadRequest()
      await demandSelection(ctx, request.query)
      for (const row of await (await filtered(ctx, component, request.query)).execute())
        await removeComponent(ctx, decoded(component, row))
      return noContent()
    },
  }),
]
