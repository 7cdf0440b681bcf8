/** An account of a chat service for a user of another source: bound by the user, unbound by them or an administrator. */
import { authBackends } from '@castellan/contract/choices/authentication'
import { say } from '@castellan/contract/messages'
import { chatMessages } from '@castellan/contract/messages/chats'
import { normalUuid } from '../../../kernel/fields/index.ts'
import { defineRoute, type Handling, Reply, redirect } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { failure, notFound, render, type Text, text } from '../../../kernel/module/errors.ts'
import { nameOf } from '../../../kernel/module/texts.ts'
import { constraintError } from '../../../kernel/resource/mutations.ts'
import { getById, updateRow } from '../../../kernel/resource/repository.ts'
import { type ChatName, chatServices, chatValues, isChatOn, notifyUsers } from '../../notifications/index.ts'
import {
  demandAuthority,
  demandOwnConfirmation,
  tellWaysChanged,
  type UserRow,
  user,
  userBy,
} from '../../users/index.ts'
import { sessionOf } from '../api.ts'
import { showRefusal } from '../federated/pages.ts'
import { beginTrip, endTrip, newState } from '../federated/trips.ts'
import { showPage } from '../pages.ts'
import { SignInDenied } from '../sign-in-denied.ts'
import { boundUser, chatColumns, chatLabels, chatNames, personBy } from './backends.ts'

const labelOf = (name: ChatName) => authBackends[chatLabels[name]]
const qrPath = (name: ChatName) => `/core/auth/${name}/qr/`
const callbackPath = (name: ChatName, userId: string) =>
  `${qrPath(name)}bind/${name === 'feishu' ? '' : `${userId}/`}callback/`

function demandOn(ctx: Context, name: ChatName): void {
  if (!isChatOn(ctx, name)) throw notFound(chatMessages.service)
}

async function ownRow(ctx: Context): Promise<UserRow> {
  const row = await userBy(ctx, 'id', ctx.me.id)
  if (!row) throw notFound(nameOf(user))
  return row
}

const refusedPage = (ctx: Context, said: Text) =>
  showPage(ctx, sessionOf(ctx), {
    page: 'message',
    kind: 'error',
    title: chatMessages.bind_title[ctx.language],
    message: render(said, ctx.language),
    redirect: { url: '/ui/#/profile/info', auto: false, seconds: 0 },
  })

async function leaveToBind(name: ChatName, { ctx, request }: Handling): Promise<unknown> {
  demandOn(ctx, name)
  const row = await ownRow(ctx)
  if (row[chatColumns[name]])
    return refusedPage(ctx, text(chatMessages.already_bound, { service: labelOf(name)[ctx.language] }))
  const state = newState()
  await beginTrip(ctx, sessionOf(ctx), state, { backend: name, purpose: 'bind', kept: '', next: '', userId: row.id })
  const service = chatServices[name]
  const callbackUrl = `${request.origin}${callbackPath(name, row.id)}`
  return redirect(service.signInUrl(chatValues(ctx, service), { callbackUrl, state }, false))
}

/** Stores the account. @returns the sentence that says why it was not stored */
async function store(ctx: Context, name: ChatName, id: string): Promise<Text | undefined> {
  const service = labelOf(name)[ctx.language]
  const column = chatColumns[name]
  const taken = () => text(chatMessages.taken, { service })
  const owner = await boundUser(ctx, name, id)
  if (owner) return owner.id === ctx.me.id ? text(chatMessages.already_bound, { service }) : taken()
  try {
    return await ctx.transaction(async (inside) => {
      const row = await ownRow(inside)
      if (row[column]) return text(chatMessages.already_bound, { service })
      await updateRow(inside, user, row.id, { [column]: id })
      const values = { name: row.name, service: labelOf(name), id, ip: inside.ip }
      await tellWaysChanged(inside, row, ['chat'])
      await notifyUsers(inside, [row.id], {
        subject: chatMessages.bound_subject,
        body: chatMessages.bound_body,
        values,
      })
      return undefined
    })
  } catch (error) {
    if (!constraintError(error)) throw error
    return taken()
  }
}

async function comeBackBound(name: ChatName, { ctx, request }: Handling): Promise<unknown> {
  demandOn(ctx, name)
  const session = sessionOf(ctx)
  const service = labelOf(name)[ctx.language]
  try {
    const { userId } = await endTrip(ctx, session, request.query.state, { backend: name, purpose: 'bind' })
    // Somebody else may have signed in with this browser meanwhile.
    if (userId !== ctx.me.id || (request.params.user ?? userId) !== userId) throw new SignInDenied('session_empty')
    const person = await personBy(ctx, name, request.query.code ?? request.query.authCode)
    if (!person) return refusedPage(ctx, text(chatMessages.not_identified, { service }))
    const problem = await store(ctx, name, person.id)
    if (problem) return refusedPage(ctx, problem)
    session.end()
    return showPage(ctx, session, {
      page: 'message',
      kind: 'ok',
      title: chatMessages.bind_title[ctx.language],
      message: say(chatMessages.bound, ctx.language, { service }),
      redirect: { url: '/core/auth/login/', auto: true, seconds: 3 },
    })
  } catch (error) {
    if (!(error instanceof SignInDenied)) throw error
    return showRefusal(ctx, session, error.said)
  }
}

async function unbind(ctx: Context, name: ChatName, row: UserRow): Promise<Reply> {
  const column = chatColumns[name]
  if (!row[column])
    throw failure(400, `${name}_not_bound`, text(chatMessages.not_bound, { service: labelOf(name)[ctx.language] }))
  await ctx.transaction(async (inside) => {
    await updateRow(inside, user, row.id, { [column]: null })
    await tellWaysChanged(inside, row, ['chat'])
  })
  return new Reply(200)
}

async function unbindUser(name: ChatName, { ctx, request }: Handling): Promise<unknown> {
  const row = await getById(ctx, user, normalUuid(request.params.user) ?? '')
  await demandAuthority(ctx, [row.id])
  await demandOwnConfirmation(ctx, row, ['chat'])
  return unbind(ctx, name, row)
}

async function unbindOwn(name: ChatName, { ctx }: Handling): Promise<unknown> {
  return unbind(ctx, name, await ownRow(ctx))
}

const page = { method: 'GET', requires: 'valid', transaction: 'none' } as const
const api = '/api/v1/authentication/'

export const chatRoutes = chatNames.flatMap((name) => [
  defineRoute({
    ...page,
    path: `/core/auth/${name}/bind/start/`,
    summary: `Begin to bind an account of ${name}`,
    handle: ({ request }) => redirect(`${qrPath(name)}bind/${new URL(request.url, request.origin).search}`),
  }),
  defineRoute({
    ...page,
    path: `${qrPath(name)}bind/`,
    confirm: 'relogin',
    summary: `Bind an account of ${name}`,
    handle: (handling) => leaveToBind(name, handling),
  }),
  defineRoute({
    ...page,
    path: callbackPath(name, ':user'),
    acts: true,
    summary: `Back from ${name} with an account to bind`,
    handle: (handling) => comeBackBound(name, handling),
  }),
  defineRoute({
    method: 'POST',
    path: `${api}${name}/qr/unbind/`,
    requires: 'valid',
    confirm: 'relogin',
    summary: `Unbind the own account of ${name}`,
    handle: (handling) => unbindOwn(name, handling),
  }),
  defineRoute({
    method: 'POST',
    path: `${api}${name}/qr/unbind/:user/`,
    requires: 'users.change_user',
    summary: `Unbind a user's account of ${name}`,
    handle: (handling) => unbindUser(name, handling),
  }),
])

/** Feishu asks whether an address of events is there by sending a challenge, and expects it back. */
export const feishuEvents = defineRoute({
  method: 'POST',
  path: `${api}feishu/event/subscription/callback/`,
  requires: 'valid',
  transaction: 'none',
  summary: 'Answer with the body, as Feishu checks an address of events',
  handle: ({ request }) => new Reply(200, request.body ?? {}),
})
