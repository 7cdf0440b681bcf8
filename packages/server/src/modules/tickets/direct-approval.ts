import { permActions } from '@castellan/contract/choices/perms'
import { offeredTicketTypes } from '@castellan/contract/choices/tickets'
import type { Message } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import { ticketsMessages as texts } from '@castellan/contract/messages/tickets'
import { formatTimestamp } from '../../kernel/fields/timestamps.ts'
import { defineRoute, type Handling, redirect } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { ApiError } from '../../kernel/module/errors.ts'
import { organizationNames } from '../../kernel/resource/standard-fields.ts'
import { formOf, sessionOf, showPage, withCsrf } from '../authentication/index.ts'
import { currentTicket, decide } from './decide.ts'
import { type DirectLink, readDirectLink, takeDirectLink } from './direct-links.ts'
import { pageOf } from './notices.ts'
import type { TicketRow } from './ticket.ts'

const path = '/core/tickets/direct-approve/:token/'

const notice = (ctx: Context, kind: 'ok' | 'error', message: string, title: Message = texts.direct_title) =>
  showPage(ctx, sessionOf(ctx), {
    page: 'message',
    kind,
    title: title[ctx.language],
    message,
    redirect: { url: '/ui/#/tickets/assigned-tickets', auto: false, seconds: 0 },
  })

/** What an approver needs to know, as pairs of label and value. */
async function itemsOf(ctx: Context, row: TicketRow): Promise<[string, string][]> {
  const { details, rel_snapshot: snapshot } = row
  const say = (message: Message) => message[ctx.language]
  const list = (value: unknown) => [value ?? []].flat().join(', ')
  const time = (at: unknown) => (typeof at === 'number' ? formatTimestamp(at, ctx.zone) : '')
  const actions = permActions.filter(({ bit }) => Number(details.actions) & bit).map(({ label }) => say(label))
  const items: [Message, string][] = [
    [texts.serial_num, String(row.serial_num ?? '')],
    [texts.type, say(offeredTicketTypes[row.type as keyof typeof offeredTicketTypes] ?? texts.ticket)],
    [texts.title, row.title],
    [texts.applicant, list(snapshot.applicant)],
    [texts.organization_id, (await organizationNames(ctx)).get(row.organization_id) ?? ''],
    [texts.apply_nodes, list(snapshot.apply_nodes)],
    [texts.apply_assets, list(snapshot.apply_assets)],
    [texts.apply_accounts, list(details.accounts)],
    [texts.apply_actions, actions.join(', ')],
    [texts.apply_date_start, time(details.date_start)],
    [texts.apply_date_expired, time(details.date_expired)],
    [texts.apply_login_ip, list(details.ip)],
    [texts.apply_login_datetime, time(details.datetime)],
    [texts.apply_login_asset, row.type === 'login_asset_confirm' ? list(snapshot.apply_login_asset) : ''],
    [texts.apply_run_asset, row.type === 'command_confirm' ? list(details.asset) : ''],
    [texts.apply_login_account, list(details.account)],
    [texts.apply_run_command, list(details.command)],
    [texts['ticket.comment'], row.comment],
  ]
  return items.flatMap(([label, value]) => (value === '' ? [] : [[say(label), value]]))
}

/** Whether the caller may decide the step of the link now. */
async function isAsked(ctx: Context, { ticketId, level }: DirectLink): Promise<boolean> {
  const found = await ctx.rawDb
    .selectFrom('tickets_assignee')
    .select('ticket_id')
    .where('ticket_id', '=', ticketId)
    .where('level', '=', level)
    .where('user_id', '=', ctx.me.id)
    .executeTakeFirst()
  return found !== undefined
}

/** The open ticket of a link that the caller may decide, or the page that says why there is none. */
async function ticketOf(ctx: Context, token: string) {
  const link = await readDirectLink(ctx, token)
  if (!link) return { page: await notice(ctx, 'error', texts.direct_over[ctx.language]) }
  // Who was not asked learns nothing about the ticket.
  if (!(await isAsked(ctx, link))) return { page: await notice(ctx, 'error', texts.not_assignee[ctx.language]) }
  const row = await currentTicket(ctx, link.ticketId)
  if (row?.status !== 'open' || Number(row.approval_step) !== link.level) {
    await takeDirectLink(ctx, token)
    return { page: await notice(ctx, 'error', texts.already_closed[ctx.language]) }
  }
  return { link, row }
}

const signInFirst = ({ params }: Handling['request']) =>
  redirect(
    `/core/auth/login/?next=${encodeURIComponent(path.replace(':token', encodeURIComponent(params.token ?? '')))}`,
  )

async function show({ ctx, request }: Handling): Promise<unknown> {
  if (!ctx.caller) return signInFirst(request)
  const found = await ticketOf(ctx, request.params.token ?? '')
  if ('page' in found) return found.page
  return showPage(ctx, sessionOf(ctx), {
    page: 'direct-approval',
    items: await itemsOf(ctx, found.row),
    ticketUrl: pageOf(ctx, found.row),
  })
}

async function submit(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  if (!ctx.caller) return signInFirst(request)
  return withCsrf(handling, async () => {
    const token = request.params.token ?? ''
    const found = await ticketOf(ctx, token)
    if ('page' in found) return found.page
    const { action } = formOf(request)
    if (action !== 'approve' && action !== 'reject') return notice(ctx, 'error', errors.parse_error[ctx.language])
    try {
      await ctx.transaction(async (inside) => {
        await decide(inside, found.row.id, action, ctx.me, '', found.link.level)
        await takeDirectLink(inside, token)
      })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      return notice(ctx, 'error', messageOf(error, ctx))
    }
    const done = action === 'approve' ? texts.direct_approved : texts.direct_rejected
    return notice(ctx, 'ok', done[ctx.language])
  })
}

/** The texts of an error about a ticket, whatever its shape. */
function messageOf(error: ApiError, ctx: Context): string {
  const body = error.body(ctx.language)
  const values = typeof body === 'object' && body !== null ? Object.entries(body) : []
  return values
    .filter(([key]) => key !== 'code')
    .flatMap(([, value]) => [value].flat().map(String))
    .join(' ')
}

const page = { path, requires: 'public', transaction: 'none', csrfExempt: true } as const

/** The page that the link of a mail opens: what is asked for, and two buttons. */
export const directApprovalRoutes = [
  defineRoute({ ...page, method: 'GET', summary: 'The page that decides a ticket from a mail', handle: show }),
  defineRoute({ ...page, method: 'POST', summary: 'Decide a ticket from a mail', handle: submit }),
]
