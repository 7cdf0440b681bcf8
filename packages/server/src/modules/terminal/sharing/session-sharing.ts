import { randomInt } from 'node:crypto'
import { sharingPermissions } from '@castellan/contract/choices/terminal'
import { errors } from '@castellan/contract/messages/errors'
import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import type { StoredRow } from '../../../kernel/fields/field.ts'
import {
  boolean,
  choice,
  computed,
  datetime,
  describedAs,
  integer,
  normalUuid,
  one,
  stringList,
  text,
  url,
} from '../../../kernel/fields/index.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { invalid, text as say } from '../../../kernel/module/errors.ts'
import { createOne } from '../../../kernel/resource/mutations.ts'
import { findById } from '../../../kernel/resource/repository.ts'
import { defineResource, findResource, type RowOf } from '../../../kernel/resource/resource.ts'
import { writerField } from '../../../kernel/resource/standard-fields.ts'
import { notifyUsers } from '../../notifications/index.ts'
import { membersAmong } from '../../rbac/index.ts'
import { siteUrl } from '../../settings/index.ts'
import { usersBy } from '../../users/index.ts'
import { canJoin, componentsOf, demandOwnSession } from '../sessions/session-components.ts'
import type { SessionRow } from '../sessions/session-fields.ts'
import { demandSharing, orgOf } from './sharing-context.ts'

/** Without letters and digits that look alike, since people read codes to each other. */
const codeLetters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789'
const newCode = () => Array.from({ length: 4 }, () => codeLetters[randomInt(codeLetters.length)]).join('')

/** Users that one link may invite. */
const mostInvited = 100

const fields = {
  verify_code: { ...describedAs(text({ max: 16, readOnly: true }), { max_length: undefined }), order: false },
  /** Minutes from the creation during which users may join. */
  expired_time: integer({ min: -2_147_483_648, max: 2_147_483_647, default: 0, filter: true }),
  created_by: writerField(),
  /** Ids of the invited users; empty: everybody with the code. */
  users: {
    ...describedAs(stringList({ max: 36, maxItems: mostInvited, required: true, nullable: true }), {
      max_length: undefined,
    }),
    type: 'field' as const,
    writeOnly: true,
  },
  users_display: computed('field', {
    load: async (ctx, rows: readonly { users: string[] | null }[]) => {
      const names = await displayNames(
        ctx,
        rows.flatMap((row) => row.users ?? []),
      )
      return (row: { users: string[] | null }) => (row.users ?? []).map((id) => names.get(id) ?? id)
    },
  }),
  action_permission: { ...choice(sharingPermissions, { default: 'writable' }), writeOnly: true },
  origin: url({ max: 200, nullable: true }),
  url: computed('field', {
    answers: 'string',
    wire: (_value, _ctx, row: { id: string; origin: string | null }) => linkOf(row),
  }),
  session: one('terminal.session', {
    attrs: ['id'],
    required: true,
    anyOrg: true,
    onDelete: 'cascade',
    filter: true,
  }),
  creator: one('users.user', { nullable: true, anyOrg: true, onDelete: 'set null', filter: true }),
  is_active: boolean({ default: true, filter: true }),
  date_created: datetime({ readOnly: true }),
  date_updated: datetime({ readOnly: true }),
}

export type SharingRow = RowOf<typeof fields> & { org_id: string }

/** The address of the page that joins; without an origin the address on this site. */
export const linkOf = ({ id, origin }: { id: string; origin: string | null }) =>
  `${(origin ?? '').replace(/\/+$/, '')}/koko/share/${id}/`

const displayNames = async (ctx: Context, ids: readonly string[]): Promise<Map<string, string>> =>
  new Map((await usersBy(ctx, 'id', [...new Set(ids)])).map(({ id, name, username }) => [id, `${name}(${username})`]))

/** The shared session. Throws 400 unless it runs, and 403 unless it is the calling component's own. */
async function sharedSession(ctx: Context, id: string): Promise<SessionRow> {
  const row = (await findById(ctx.acrossOrgs(), findResource('terminal.session'), id)) as SessionRow | undefined
  const type = row && (await componentsOf(ctx)).get(row.terminal_id ?? '')?.type
  if (!row || !canJoin(row, type)) throw invalid({ session: [say(texts.sharing_session_over)] })
  await demandOwnSession(ctx, row)
  return row
}

/** Only members of the session's organization may be invited. */
async function checkInvited(ctx: Context, sent: readonly string[], orgId: string): Promise<string[]> {
  const ids = [...new Set(sent.map((id) => normalUuid(id) ?? id))]
  const known = await membersAmong(ctx, ids.filter(normalUuid), orgId)
  const unknown = ids.find((id) => !known.has(id))
  if (unknown !== undefined) throw invalid({ users: [say(errors.does_not_exist, { pk: unknown })] })
  return ids
}

/**
 * Invites the listed users with the link and the code. The origin came from the owner's browser, who could name any; what
 * we send leads to the site only.
 */
async function invite(ctx: Context, row: SharingRow, session: SessionRow): Promise<void> {
  if (!row.users?.length) return
  await notifyUsers(ctx, row.users, {
    subject: texts.sharing_invited_subject,
    body: texts.sharing_invited_body,
    values: {
      user: session.user,
      asset: session.asset,
      account: session.account,
      code: row.verify_code,
      minutes: row.expired_time,
    },
    link: linkOf({ id: row.id, origin: siteUrl(ctx) }),
  })
}

/** A link by which other users join a running session. Created by the session's component for its user. */
export const sessionSharing = defineResource({
  app: 'terminal',
  name: 'sessionsharing',
  path: 'session-sharings',
  scope: 'org',
  bulk: false,
  verbs: ['list', 'retrieve', 'create', 'update'],
  reported: ['create'],
  // No role can be given the permissions to read or change them.
  requires: {
    list: 'superuser',
    retrieve: 'superuser',
    create: 'terminal.add_supersessionsharing',
    update: 'superuser',
  },
  fields,
  indexes: [['session_id'], ['creator_id', 'date_created']],
  search: ['created_by'],
  defaultOrder: ['-date_created'],
  display: (row) => `${row.id} by ${row.created_by ?? ''}`,
  // Users see the links to their own sessions, components those to sessions they run.
  visible(ctx, query) {
    const { caller } = ctx
    if (!caller) return query
    demandSharing(ctx)
    if (!caller.isServiceAccount) return query.where('t.creator_id', '=', caller.id)
    return query.where((eb) =>
      eb(
        't.session_id',
        'in',
        eb
          .selectFrom('terminal_session as s')
          .innerJoin('terminal_terminal as c', 'c.id', 's.terminal_id')
          .select('s.id')
          .where('c.user_id', '=', caller.id),
      ),
    )
  },
  async create(ctx, inputs, { query }): Promise<StoredRow[]> {
    const rows: StoredRow[] = []
    for (const input of inputs) {
      const orgId = await orgOf(ctx, findResource('terminal.session').table, input, 'session')
      rows.push(await createOne(ctx.inOrg(orgId), findResource('terminal.sessionsharing'), input, query))
    }
    return rows
  },
  hooks: {
    prepare(ctx, input) {
      demandSharing(ctx)
      return input
    },
    async beforeSave(ctx, changes) {
      for (const { row, before, mode } of changes) {
        if (mode === 'update' && before) {
          // A link can be closed, not changed into another one.
          const { is_active } = row
          Object.assign(row, before, { is_active: is_active && before.is_active })
          continue
        }
        const session = await sharedSession(ctx, row.session_id)
        const author = normalUuid(session.user_id)
        row.users = await checkInvited(ctx, row.users ?? [], session.org_id)
        row.verify_code = newCode()
        row.creator_id =
          author && (await findById(ctx.acrossOrgs(), findResource('users.user'), author)) ? author : null
        row.created_by = session.user.slice(0, 32)
      }
    },
    async afterSave(ctx, changes) {
      for (const { row, mode } of changes) {
        if (mode !== 'create') continue
        const session = await findById(ctx.acrossOrgs(), findResource('terminal.session'), row.session_id)
        if (session) await invite(ctx, row as unknown as SharingRow, session as SessionRow)
      }
    },
  },
})
