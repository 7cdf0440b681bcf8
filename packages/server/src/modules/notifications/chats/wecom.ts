import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { type ServiceValues, wordIn } from '../entered-values.ts'
import { wecom as settings } from '../settings.ts'
import { ChatRefused, type ChatService, callChat, textOf } from './service.ts'

/** An application token lasts two hours, and is the same until then. */
export async function wecomToken(values: ServiceValues): Promise<{ token: string; seconds: number }> {
  const query = { corpid: wordIn(values, 'WECOM_CORPID'), corpsecret: wordIn(values, 'WECOM_SECRET') }
  const found = await callChat(wordIn(values, 'WECOM_API_URL'), '/cgi-bin/gettoken', { query })
  const token = textOf(found.access_token)
  if (!token) throw new ChatRefused('0', 'The answer has no access_token.')
  return { token, seconds: Number(found.expires_in) || 7200 }
}

/** WeCom: an application of a company's own. */
export const wecom: ChatService = {
  name: 'wecom',
  settings,
  // The user is not known, or not allowed to see the application.
  unknownReceiver: new Set(['81013', '60111', '40003', '40031']),

  signInUrl(values, { callbackUrl, state }, inApp) {
    const base = wordIn(values, inApp ? 'WECOM_OAUTH_URL' : 'WECOM_LOGIN_URL').replace(/\/+$/, '')
    const query = new URLSearchParams({ appid: wordIn(values, 'WECOM_CORPID'), redirect_uri: callbackUrl, state })
    if (inApp) {
      query.set('response_type', 'code')
      query.set('scope', 'snsapi_base')
      query.set('agentid', wordIn(values, 'WECOM_AGENTID'))
      return `${base}/connect/oauth2/authorize?${query}#wechat_redirect`
    }
    query.set('login_type', 'CorpApp')
    query.set('agentid', wordIn(values, 'WECOM_AGENTID'))
    return `${base}/wwlogin/sso/login?${query}`
  },

  async personOf(app, code) {
    const base = wordIn(app.values, 'WECOM_API_URL')
    const found = await app.withToken((access_token) =>
      callChat(base, '/cgi-bin/auth/getuserinfo', { query: { access_token, code } }),
    )
    // Only members of the company have one; others have an `openid`.
    const id = textOf(found.userid)
    if (!id) return undefined
    try {
      const { name, email } = await app.withToken((access_token) =>
        callChat(base, '/cgi-bin/user/get', { query: { access_token, userid: id } }),
      )
      return {
        id,
        ...(textOf(name) && { name: textOf(name) as string }),
        ...(textOf(email) && { email: textOf(email) as string }),
      }
    } catch (error) {
      // An application need not be allowed to read more than the id.
      if (!(error instanceof ChatRefused)) throw error
      return { id }
    }
  },

  async send(app, ids, { subject, markdown }) {
    const body = {
      touser: ids.join('|'),
      msgtype: 'markdown',
      agentid: Number(wordIn(app.values, 'WECOM_AGENTID')) || wordIn(app.values, 'WECOM_AGENTID'),
      markdown: { content: `**${subject}**\n\n${markdown}`.slice(0, 2000) },
    }
    const found = await app.withToken((access_token) =>
      callChat(wordIn(app.values, 'WECOM_API_URL'), '/cgi-bin/message/send', { query: { access_token }, body }),
    )
    const missed = textOf(objectOf(found).invaliduser)
    if (missed) throw new ChatRefused('81013', `invaliduser ${missed}`)
  },
}
