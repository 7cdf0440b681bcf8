import { timingSafeEqual } from 'node:crypto'
import { sessionOrigins, sharingPermissions } from '@castellan/contract/choices/terminal'
import type { Message, Placeholders } from '@castellan/contract/messages'
import { say as rendered } from '@castellan/contract/messages'
import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import { batches } from '../../../db/batches.ts'
import {
  boolean,
  choice,
  computed,
  datetime,
  nullableDatetime,
  nullableText,
  one,
  text,
} from '../../../kernel/fields/index.ts'
import { created, defineRoute, type Handling, Reply } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { definePort } from '../../../kernel/module/hooks.ts'
import { createOne } from '../../../kernel/resource/mutations.ts'
import { findById, lockRow, updateRow } from '../../../kernel/resource/repository.ts'
import { defineResource, findResource, type Row } from '../../../kernel/resource/resource.ts'
import { readableFields, serialize } from '../../../kernel/resource/serialize.ts'
import { writerField } from '../../../kernel/resource/standard-fields.ts'
import { hashed } from '../../../kernel/security/random.ts'
import { callerById, type KnownUser } from '../../authentication/index.ts'
import { isMember } from '../../rbac/index.ts'
import { demandOwnSession } from '../sessions/session-components.ts'
import type { SessionRow } from '../sessions/session-fields.ts'
import { type SharingRow, sessionSharing } from './session-sharing.ts'
import { demandSharing, orgOf } from './sharing-context.ts'

/** The command rules of a user for an asset, whatever account they use there. */
export const commandRules =
  definePort<(ctx: Context, userId: string, assetId: string, account: string) => Promise<object[]>>(
    'terminal.command-rules',
  )

/** Whether asset login rules let a user into another user's session on an asset, from an address. */
export const joinRules =
  definePort<
    (
      ctx: Context,
      joiner: { id: string; name: string; username: string },
      session: { asset_id: string; org_id: string; account: string },
      ip: string,
    ) => Promise<boolean>
  >('terminal.join-rules')

/** The username of a session's account, which is shown as `name(username)`. */
const accountOf = ({ account }: SessionRow) => account.slice(account.lastIndexOf('(') + 1, -1)

/** Wrong codes after which a user may not try again: at one link, and at all links within ten minutes. */
const mostTries = { atLink: 5, everywhere: 10 }
const tryWindow = 600_000

const sessionRef = { attrs: ['id'], anyOrg: true, onDelete: 'cascade', filter: true } as const

const fields = {
  joiner_display: computed('field', {
    answers: 'string',
    wire: (_value, _ctx, row: { joiner_name: string }) => row.joiner_name,
  }),
  // Records are read by auditors, whom the code of a running session would let in: it is neither stored nor shown.
  verify_code: { ...text({ max: 16, required: true }), wire: () => '****' },
  remote_addr: text({ max: 128, required: true }),
  login_from: choice(sessionOrigins, { default: 'WT', filter: true }),
  reason: nullableText({ max: 1024, default: '-' }),
  created_by: writerField(),
  action_permission: computed('labeled_choice', {
    meta: (ctx) => ({
      choices: Object.entries(sharingPermissions).map(([value, label]) => ({ value, label: label[ctx.language] })),
    }),
    load: async (ctx, rows: readonly { sharing_id: string }[]) => {
      const ids = [...new Set(rows.map((row) => row.sharing_id))]
      const found = await ctx.acrossOrganizations
        .selectFrom(sessionSharing.table)
        .select(['id', 'action_permission'])
        .where('id', 'in', ids)
        .execute()
      const byId = new Map(found.map((row) => [row.id, row.action_permission as keyof typeof sharingPermissions]))
      return (row: { sharing_id: string }) => {
        const value = byId.get(row.sharing_id) ?? 'readonly'
        return { value, label: sharingPermissions[value][ctx.language] }
      }
    },
  }),
  session: one('terminal.session', { ...sessionRef, readOnly: true }),
  sharing: one('terminal.sessionsharing', { ...sessionRef, required: true }),
  joiner: one('users.user', { required: true, nullable: true, anyOrg: true, onDelete: 'set null', filter: true }),
  is_success: boolean({ default: true, filter: true }),
  is_finished: boolean({ default: false, filter: true }),
  date_joined: datetime({ readOnly: true, default: () => Date.now(), filter: true }),
  date_left: nullableDatetime({ readOnly: true, filter: true }),
  date_created: datetime({ readOnly: true }),
  date_updated: datetime({ readOnly: true }),
}

const sameCode = (sent: string, actual: string) =>
  timingSafeEqual(Buffer.from(hashed(sent)), Buffer.from(hashed(actual)))

type Refusal = readonly [Message, Placeholders?]

/** Why a user may not join by a link and a code; undefined when they may. The order of checks is the contract's. */
async function refusalOf(
  ctx: Context,
  sharing: SharingRow,
  joiner: KnownUser | undefined,
  { verify_code: code, remote_addr: ip }: { verify_code: string; remote_addr: string },
): Promise<Refusal | undefined> {
  const session = (await findById(ctx.acrossOrgs(), findResource('terminal.session'), sharing.session_id)) as
    | SessionRow
    | undefined
  if (!sharing.is_active || !session || session.is_finished) return [texts.join_link_closed]
  if (ctx.now > sharing.date_created + sharing.expired_time * 60_000) return [texts.join_link_expired]
  const isValid = joiner?.isActive && !joiner.isExpired && !joiner.isServiceAccount
  if (!joiner || !isValid) return [texts.join_not_invited]
  const invited = sharing.users?.length ? sharing.users.includes(joiner.id) : true
  // A link leads into its own organization only, whoever passes it on.
  const belongs = joiner.isSuperuser || (await isMember(ctx, joiner.id, session.org_id))
  if (!invited || !belongs) return [texts.join_not_invited]
  const earlier = await ctx.acrossOrganizations
    .selectFrom(joinRecord.table)
    .select(['sharing_id', 'is_success'])
    .where('joiner_id', '=', joiner.id)
    .where((eb) => eb.or([eb('sharing_id', '=', sharing.id), eb('date_joined', '>', ctx.now - tryWindow)]))
    .execute()
  const failed = earlier.filter((row) => !row.is_success)
  const here = failed.filter((row) => row.sharing_id === sharing.id)
  if (here.length >= mostTries.atLink || failed.length >= mostTries.everywhere) return [texts.join_too_many_tries]
  if (!sameCode(code, sharing.verify_code)) return [texts.join_wrong_code]
  if (earlier.some((row) => row.is_success && row.sharing_id === sharing.id)) return [texts.join_code_used]
  const { asset_id, org_id } = session
  const used = { asset_id, org_id, account: accountOf(session) }
  return (await joinRules.use(ctx, joiner, used, ip)) ? undefined : [texts.join_rule]
}

/** A user who joined another user's session by a link, or tried to. Written by the session's component. */
export const joinRecord = defineResource({
  app: 'terminal',
  name: 'sessionjoinrecord',
  path: 'session-join-records',
  described: { session: { read_only: false }, date_left: { read_only: false } },
  describesRowsToo: ['PUT'],
  scope: 'org',
  bulk: false,
  // It is a log itself.
  unlogged: true,
  verbs: ['list', 'retrieve', 'update'],
  reported: ['update'],
  imports: 'terminal.add_sessionjoinrecord',
  fields,
  // Remains when the user is deleted.
  columns: { joiner_name: text() },
  indexes: [
    ['session_id', 'date_joined'],
    ['joiner_id', 'date_joined'],
    ['sharing_id'],
    ['org_id', 'date_joined', 'id'],
  ],
  search: ['remote_addr', 'login_from'],
  defaultOrder: ['-date_joined'],
  display: (row) => `${row.id}`,
  async guard(ctx, row, verb) {
    if (verb === 'retrieve' || !ctx.caller) return
    const session = await findById(ctx.acrossOrgs(), findResource('terminal.session'), row.session_id)
    if (session) await demandOwnSession(ctx, session as SessionRow)
  },
  hooks: {
    prepare(ctx, input, { mode }) {
      // What was recorded before sharing was switched off can still be read and completed.
      if (mode === 'create') demandSharing(ctx)
      return input
    },
    async beforeSave(ctx, changes) {
      for (const { row, before } of changes) {
        if (before) {
          // What happened at the beginning is fixed; only the end is reported later.
          const { is_finished } = row
          Object.assign(row, before, { is_finished: is_finished || before.is_finished })
          if (row.is_finished) row.date_left ??= ctx.now
          continue
        }
        await lockRow(ctx, sessionSharing.table, row.sharing_id)
        const sharing = (await findById(ctx.acrossOrgs(), sessionSharing, row.sharing_id)) as unknown as SharingRow
        const joiner = await callerById(ctx, String(row.joiner_id))
        const refusal = await refusalOf(ctx, sharing, joiner, row)
        Object.assign(row, {
          session_id: sharing.session_id,
          date_joined: ctx.now,
          verify_code: '',
          joiner_name: joiner ? `${joiner.name}(${joiner.username})` : '',
          is_success: refusal === undefined,
          is_finished: refusal !== undefined,
          reason: refusal ? rendered(refusal[0], ctx.language, refusal[1]) : '-',
        })
      }
    },
  },
  actions: [
    {
      path: 'finished',
      methods: ['PATCH'],
      detail: true,
      requires: 'terminal.change_sessionjoinrecord',
      componentsOnly: true,
      summary: 'Report that a user left a session they had joined',
      async handle({ ctx, row }) {
        if (!row.is_finished) await updateRow(ctx, joinRecord, row.id, { is_finished: true, date_left: ctx.now })
        return { msg: 'ok' }
      },
    },
  ],
})

export type JoinRecordRow = Row<typeof joinRecord>

/** Checks a user and a code, and records the attempt, which must remain when it is refused. */
export const joinRoute = defineRoute({
  method: 'POST',
  path: joinRecord.url,
  requires: 'terminal.add_sessionjoinrecord',
  componentsOnly: true,
  summary: 'Join a shared session',
  describes: joinRecord.url,
  statuses: [201],
  async handle({ ctx, request }: Handling) {
    const orgId = await orgOf(ctx, sessionSharing.table, request.body, 'sharing')
    const row = await createOne(ctx.inOrg(orgId), joinRecord, request.body)
    if (!row.is_success) return new Reply(400, { error: row.reason })
    const [shown] = await serialize(ctx, joinRecord, [row], readableFields(ctx, joinRecord))
    return created({ ...shown, command_filter_acls: await rulesOfJoiner(ctx, row) })
  },
})

/** The component applies the rules of users who can type to the shared session, beside those of its owner. */
async function rulesOfJoiner(ctx: Context, row: JoinRecordRow): Promise<object[]> {
  const session = (await findById(ctx.acrossOrgs(), findResource('terminal.session'), row.session_id)) as SessionRow
  return commandRules.use(ctx.acrossOrgs(), String(row.joiner_id), session.asset_id, accountOf(session))
}

/** Ends the participation of users in sessions of an organization that they have left; components ask for it. */
export async function endJoins(ctx: Context, userIds: readonly string[], orgId: string): Promise<void> {
  for (const some of batches(userIds))
    await ctx.acrossOrganizations
      .updateTable(joinRecord.table)
      .set({ is_finished: true, date_left: ctx.now })
      .where('joiner_id', 'in', some)
      .where('org_id', '=', orgId)
      .where('is_finished', '=', false)
      .execute()
}

/** Closes the links to sessions that ended, and the records of those who were in them. */
export async function closeSharings(ctx: Context, sessions: readonly string[]): Promise<void> {
  for (const some of batches(sessions)) {
    await ctx.acrossOrganizations
      .updateTable(sessionSharing.table)
      .set({ is_active: false })
      .where('session_id', 'in', some)
      .where('is_active', '=', true)
      .execute()
    await ctx.acrossOrganizations
      .updateTable(joinRecord.table)
      .set({ is_finished: true, date_left: ctx.now })
      .where('session_id', 'in', some)
      .where('is_finished', '=', false)
      .execute()
  }
}
