/** The chat services that users sign in with and get messages from. */
import { chatMessages } from '@castellan/contract/messages/chats'
import type { Field } from '../../../kernel/fields/field.ts'
import { isObject, own } from '../../../kernel/fields/safe-lookup.ts'
import { defineRoute, type Handling } from '../../../kernel/http/route.ts'
import { defineJob } from '../../../kernel/jobs/kinds.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { failureAs, notFound, text } from '../../../kernel/module/errors.ts'
import { Sealed } from '../../../kernel/security/secrets.ts'
import { reasonOf, type ServiceValues, testedValues } from '../entered-values.ts'
import { chatAddresses, chats } from '../settings.ts'
import { dingtalk, dingtalkToken } from './dingtalk.ts'
import { feishu, feishuToken } from './feishu.ts'
import { ChatApp, type ChatMessage, type ChatName, ChatRefused, type ChatService, chatValues } from './service.ts'
import { wecom, wecomToken } from './wecom.ts'

export const chatServices: Readonly<Record<ChatName, ChatService>> = { wecom, dingtalk, feishu }
const tokenOf = { wecom: wecomToken, dingtalk: dingtalkToken, feishu: feishuToken }

export const isChatOn = (ctx: Context, name: ChatName): boolean =>
  chats.of(ctx)[({ wecom: 'AUTH_WECOM', dingtalk: 'AUTH_DINGTALK', feishu: 'AUTH_FEISHU' } as const)[name]]

/** The application of the settings at a service, or of values that are being entered. */
export const chatApp = (
  ctx: Context,
  service: ChatService,
  values: ServiceValues = chatValues(ctx, service),
): ChatApp => new ChatApp(ctx, values, tokenOf[service.name])

const waitingMessage = 'kernel_job.payload'

interface Waiting extends ChatMessage {
  readonly service: ChatName
  readonly ids: readonly string[]
}

export const sendChat = defineJob<{ sealed: string }>({
  name: 'notifications.send-chat',
  // A message that comes twice is better than a lost one.
  delivery: 'idempotent',
  isConsequence: true,
  timeout: 60_000,
  concurrency: 4,
  retries: 5,
  async run(ctx, { sealed }) {
    const {
      service: name,
      ids,
      ...message
    }: Waiting = JSON.parse(ctx.services.vault.open(new Sealed(sealed, waitingMessage)))
    const service = chatServices[name]
    if (!isChatOn(ctx, name)) return
    try {
      await service.send(chatApp(ctx, service), ids, message)
    } catch (error) {
      // Somebody who left the service is no reason to try again.
      if (!(error instanceof ChatRefused && service.unknownReceiver.has(error.code))) throw error
    }
  },
})

/** Sends a message when the context's transaction has committed; nothing where the service is off. */
export async function queueChat(
  ctx: Context,
  service: ChatName,
  ids: readonly string[],
  message: ChatMessage,
): Promise<void> {
  if (!isChatOn(ctx, service) || ids.length === 0) return
  const waiting: Waiting = { service, ids, ...message }
  await ctx.enqueue(sendChat, { sealed: ctx.services.vault.seal(JSON.stringify(waiting), waitingMessage).stored() })
}

/** Nobody: only whether the application may send at all is tested. */
const nobody = 'castellan-test'

async function testChat(name: ChatName, { ctx, request }: Handling): Promise<unknown> {
  const service = own(chatServices, name)
  if (!service) throw notFound(chatMessages.service)
  const values = testedValues(ctx, service.settings, chatAddresses, isObject(request.body) ? request.body : {})
  try {
    const subject = chatMessages.test_subject[ctx.language]
    await service.send(chatApp(ctx, service, values), [nobody], { subject, markdown: subject })
  } catch (error) {
    if (!(error instanceof ChatRefused && service.unknownReceiver.has(error.code)))
      throw failureAs(400, 'error', text(chatMessages.test_failed, { reason: reasonOf(error) }))
  }
  return { msg: chatMessages.test_passed[ctx.language] }
}

/** A test takes what the page of the service shows. */
const fieldsOf = ({ settings }: ChatService['settings']): Record<string, Field> =>
  Object.fromEntries(Object.entries<{ field: Field }>(settings).map(([name, { field }]) => [name, field]))

export const chatTestRoutes = (Object.keys(chatServices) as ChatName[]).map((name) =>
  defineRoute({
    method: 'POST',
    path: `/api/v1/settings/${name}/testing/`,
    requires: 'settings.change_auth',
    transaction: 'none',
    fields: () => ({ POST: fieldsOf(chatServices[name].settings) }),
    summary: `Test the application at ${name}`,
    handle: (handling) => testChat(name, handling),
  }),
)
