import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { type ServiceValues, wordIn } from '../entered-values.ts'
import { dingtalk as settings } from '../settings.ts'
import { ChatRefused, type ChatService, callChat, textOf } from './service.ts'

export async function dingtalkToken(values: ServiceValues): Promise<{ token: string; seconds: number }> {
  const query = { appkey: wordIn(values, 'DINGTALK_APPKEY'), appsecret: wordIn(values, 'DINGTALK_APPSECRET') }
  const found = await callChat(wordIn(values, 'DINGTALK_OAPI_URL'), '/gettoken', { query })
  const token = textOf(found.access_token)
  if (!token) throw new ChatRefused('0', 'The answer has no access_token.')
  return { token, seconds: Number(found.expires_in) || 7200 }
}

/** DingTalk: an internal application of a company. */
export const dingtalk: ChatService = {
  name: 'dingtalk',
  settings,
  unknownReceiver: new Set(['33012', '60121', '40103']),

  // The same page asks to scan a code, or signs in at once within the application.
  signInUrl(values, { callbackUrl, state }) {
    const query = new URLSearchParams({
      client_id: wordIn(values, 'DINGTALK_APPKEY'),
      redirect_uri: callbackUrl,
      response_type: 'code',
      scope: 'openid',
      prompt: 'consent',
      state,
    })
    return `${wordIn(values, 'DINGTALK_LOGIN_URL').replace(/\/+$/, '')}/oauth2/auth?${query}`
  },

  async personOf(app, code) {
    const api = wordIn(app.values, 'DINGTALK_API_URL')
    const oapi = wordIn(app.values, 'DINGTALK_OAPI_URL')
    const signedIn = await callChat(api, '/v1.0/oauth2/userAccessToken', {
      body: {
        clientId: wordIn(app.values, 'DINGTALK_APPKEY'),
        clientSecret: wordIn(app.values, 'DINGTALK_APPSECRET'),
        code,
        grantType: 'authorization_code',
      },
    })
    const own = textOf(signedIn.accessToken)
    if (!own) throw new ChatRefused('0', 'The answer has no accessToken.')
    const me = await callChat(api, '/v1.0/contact/users/me', { headers: { 'x-acs-dingtalk-access-token': own } })
    const unionid = textOf(me.unionId)
    if (!unionid) throw new ChatRefused('0', 'The answer has no unionId.')
    try {
      const found = await app.withToken((access_token) =>
        callChat(oapi, '/topapi/user/getbyunionid', { query: { access_token }, body: { unionid } }),
      )
      const { userid, contact_type } = objectOf(found.result)
      const id = textOf(userid)
      // 0 is a member of the company, 1 a contact outside it.
      if (!id || (contact_type !== undefined && Number(contact_type) !== 0)) return undefined
      const [name, email] = [textOf(me.nick), textOf(me.email)]
      return { id, ...(name && { name }), ...(email && { email }) }
    } catch (error) {
      if (error instanceof ChatRefused && error.code === '60121') return undefined
      throw error
    }
  },

  async send(app, ids, { subject, markdown }) {
    // A message with the same text is not delivered twice a day.
    const text = `### ${subject}\n\n${markdown}\n\n${new Date().toISOString()}`.slice(0, 4000)
    const body = {
      agent_id: wordIn(app.values, 'DINGTALK_AGENTID'),
      userid_list: ids.join(','),
      msg: { msgtype: 'markdown', markdown: { title: subject, text } },
    }
    await app.withToken((access_token) =>
      callChat(wordIn(app.values, 'DINGTALK_OAPI_URL'), '/topapi/message/corpconversation/asyncsend_v2', {
        query: { access_token },
        body,
      }),
    )
  },
}
