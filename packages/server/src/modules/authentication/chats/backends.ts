/** Sign-in with WeCom, DingTalk and Feishu. */
import { authBackends } from '@castellan/contract/choices/authentication'
import type { Context } from '../../../kernel/module/context.ts'
import { on } from '../../../kernel/module/hooks.ts'
import { constraintError } from '../../../kernel/resource/mutations.ts'
import { updateRow } from '../../../kernel/resource/repository.ts'
import type { ProviderAnswer, RedirectBackend } from '../../../kernel/security/sign-in.ts'
import {
  type ChatName,
  type ChatPerson,
  chatApp,
  chatServices,
  chatValues,
  isChatOn,
} from '../../notifications/index.ts'
import { type UserRow, user, userBy, userNamed } from '../../users/index.ts'
import { signInFinished } from '../sign-in-outcomes.ts'

export const chatColumns = { wecom: 'wecom_id', dingtalk: 'dingtalk_id', feishu: 'feishu_id' } as const
export const chatLabels = { wecom: 'WeCom', dingtalk: 'DingTalk', feishu: 'FeiShu' } as const
export const chatNames = Object.keys(chatColumns) as ChatName[]

/** The user to whom an account of a service is bound. */
export const boundUser = (ctx: Context, name: ChatName, id: string): Promise<UserRow | undefined> =>
  userBy(ctx, chatColumns[name], id)

/** Who came back with a code; undefined for strangers, and when the service does not confirm it. */
export async function personBy(
  ctx: Context,
  name: ChatName,
  code: string | undefined,
): Promise<ChatPerson | undefined> {
  if (!code || code.length > 2048) return undefined
  const service = chatServices[name]
  try {
    return await service.personOf(chatApp(ctx, service), code)
  } catch (error) {
    ctx.services.log.warn({ err: error, service: name }, 'A chat service did not confirm a sign-in')
    return undefined
  }
}

/**
 * The user of an account: the one it is bound to, whatever their source. An account that is bound to nobody is a user of
 * this source with its id as name; such a user whose account is another one by now is not meant.
 */
async function answerFor(
  ctx: Context,
  name: ChatName,
  person: ChatPerson,
  creates: boolean,
): Promise<ProviderAnswer | undefined> {
  const bound = await boundUser(ctx, name, person.id)
  if (bound) return { source: bound.source, username: bound.username, creates: false, updates: false }
  const named = await userNamed(ctx, person.id)
  if (named?.[chatColumns[name]]) return undefined
  const { id: username, ...attributes } = person
  return { source: name, username, attributes, ...(!creates && { creates: false as const }), updates: false }
}

const backendOf = (name: ChatName, inApp: boolean): RedirectBackend => ({
  name: inApp ? `${name}_oauth` : name,
  path: inApp ? `${name}/oauth` : `${name}/qr`,
  label: authBackends[chatLabels[name]],
  loggedAs: chatLabels[name],
  kind: 'redirect',
  source: name,
  // The service's own application opens it; in a browser, the code is scanned.
  ...(inApp && { isHidden: true as const }),
  isEnabled: (ctx) => isChatOn(ctx, name),
  async start(ctx, departure) {
    const service = chatServices[name]
    return { url: service.signInUrl(chatValues(ctx, service), departure, inApp) }
  },
  async authenticate(ctx, { request }) {
    // DingTalk names it so.
    const person = await personBy(ctx, name, request.query.code ?? request.query.authCode)
    return person && answerFor(ctx, name, person, !inApp)
  },
})

/** Feishu has no separate way within its application. */
export const chatBackends: readonly RedirectBackend[] = [
  ...chatNames.map((name) => backendOf(name, false)),
  ...(['wecom', 'dingtalk'] as const).map((name) => backendOf(name, true)),
]

/** Who signs in as a user of a service gets its messages: their name is the id of the account. */
export const bindsNewUsers = on(signInFinished, async (ctx, { status, backend, userId }) => {
  const name = status && chatNames.find((one) => one === backend)
  const row = name && userId ? await userBy(ctx, 'id', userId) : undefined
  if (!name || row?.source !== name || row[chatColumns[name]]) return
  try {
    await ctx.transaction((inside) => updateRow(inside, user, row.id, { [chatColumns[name]]: row.username }))
  } catch (error) {
    if (!constraintError(error)) throw error
  }
})
