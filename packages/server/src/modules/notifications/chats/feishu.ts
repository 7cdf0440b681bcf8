import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { type ServiceValues, wordIn } from '../entered-values.ts'
import { feishu as settings } from '../settings.ts'
import { ChatRefused, type ChatService, callChat, textOf } from './service.ts'

/** Feishu and Lark are the same service at other addresses. */
const addressOf = (values: ServiceValues, what: 'API' | 'LOGIN') =>
  wordIn(values, `${values.FEISHU_VERSION === 'lark' ? 'LARK' : 'FEISHU'}_${what}_URL`)

export async function feishuToken(values: ServiceValues): Promise<{ token: string; seconds: number }> {
  const found = await callChat(addressOf(values, 'API'), '/open-apis/auth/v3/tenant_access_token/internal', {
    body: { app_id: wordIn(values, 'FEISHU_APP_ID'), app_secret: wordIn(values, 'FEISHU_APP_SECRET') },
  })
  const token = textOf(found.tenant_access_token)
  if (!token) throw new ChatRefused('0', 'The answer has no tenant_access_token.')
  return { token, seconds: Number(found.expire) || 7200 }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Feishu or Lark: an internal application of a company. */
export const feishu: ChatService = {
  name: 'feishu',
  settings,
  unknownReceiver: new Set(['230001', '230013', '99992351', '99992352', '99992361', '99992364']),

  signInUrl(values, { callbackUrl, state }) {
    const query = new URLSearchParams({
      client_id: wordIn(values, 'FEISHU_APP_ID'),
      redirect_uri: callbackUrl,
      response_type: 'code',
      state,
    })
    return `${addressOf(values, 'LOGIN').replace(/\/+$/, '')}/open-apis/authen/v1/authorize?${query}`
  },

  async personOf(app, code) {
    const base = addressOf(app.values, 'API')
    const signedIn = await app.withToken((token) =>
      callChat(base, '/open-apis/authen/v1/access_token', {
        headers: bearer(token),
        body: { grant_type: 'authorization_code', code },
      }),
    )
    const own = textOf(objectOf(signedIn.data).access_token)
    if (!own) throw new ChatRefused('0', 'The answer has no access_token.')
    const { data } = await callChat(base, '/open-apis/authen/v1/user_info', { headers: bearer(own) })
    const { user_id, name, email } = objectOf(data)
    const id = textOf(user_id)
    if (!id) throw new ChatRefused('0', 'The application may not read the ids of employees (contact:user.employee_id).')
    return {
      id,
      ...(textOf(name) && { name: textOf(name) as string }),
      ...(textOf(email) && { email: textOf(email) as string }),
    }
  },

  async send(app, ids, { subject, markdown }) {
    const card = {
      header: { title: { tag: 'plain_text', content: subject } },
      elements: [{ tag: 'markdown', content: markdown.slice(0, 8000) }],
    }
    for (const id of ids)
      await app.withToken((token) =>
        callChat(addressOf(app.values, 'API'), '/open-apis/im/v1/messages', {
          query: { receive_id_type: 'user_id' },
          headers: bearer(token),
          body: { receive_id: id, msg_type: 'interactive', content: JSON.stringify(card) },
        }),
      )
  },
}
