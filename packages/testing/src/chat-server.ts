import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that a chat service was sent. */
interface Asked {
  path: string
  query: URLSearchParams
  authorization: string
  body: Record<string, unknown>
}

/** Answers as WeCom, DingTalk and Feishu document; a code `for:<id>` is that of a member of the company. */
export interface ChatServer {
  /** The settings of the environment that lead here. */
  readonly addresses: Readonly<Record<string, string>>
  readonly asked: Asked[]
  /** Ends every token before its time; how many were issued so far. */
  endTokens(): number
  stop(): Promise<void>
}

/** Settings of the categories. */
export const chatForms: Readonly<Record<'wecom' | 'dingtalk' | 'feishu', object>> = {
  wecom: { AUTH_WECOM: true, WECOM_CORPID: 'corp', WECOM_AGENTID: '1000002', WECOM_SECRET: 'wecom-secret' },
  dingtalk: {
    ...{ AUTH_DINGTALK: true, DINGTALK_AGENTID: '7', DINGTALK_APPKEY: 'key', DINGTALK_APPSECRET: 'dingtalk-secret' },
  },
  feishu: {
    ...{ AUTH_FEISHU: true, FEISHU_APP_ID: 'app', FEISHU_APP_SECRET: 'feishu-secret', FEISHU_VERSION: 'feishu' },
  },
}

const secrets = ['wecom-secret', 'dingtalk-secret', 'feishu-secret']
const memberOf = (code: unknown) => /^for:(.+)$/.exec(String(code))?.[1]

export async function startChatServer(): Promise<ChatServer> {
  const asked: Asked[] = []
  const ended = new Set<string>()
  let issued = 0
  function answerTo({ path, query, authorization, body }: Asked): object {
    const token = query.get('access_token') ?? authorization.replace('Bearer ', '')
    const isOver = ended.has(token)
    const credentials = [query.get('corpsecret'), query.get('appsecret'), body.app_secret].find(Boolean)
    switch (path) {
      case '/cgi-bin/gettoken':
      case '/gettoken':
        return secrets.includes(String(credentials))
          ? { errcode: 0, access_token: `token-${++issued}`, expires_in: 7200 }
          : { errcode: 40001, errmsg: 'invalid credential' }
      case '/open-apis/auth/v3/tenant_access_token/internal':
        return secrets.includes(String(credentials))
          ? { code: 0, tenant_access_token: `token-${++issued}`, expire: 7200 }
          : { code: 10014, msg: 'app secret invalid' }
      case '/cgi-bin/auth/getuserinfo': {
        if (isOver) return { errcode: 42001, errmsg: 'access_token expired' }
        const userid = memberOf(query.get('code'))
        return userid ? { errcode: 0, userid } : { errcode: 0, openid: 'somebody' }
      }
      case '/cgi-bin/user/get':
        return { errcode: 60011, errmsg: 'no privilege' }
      case '/cgi-bin/message/send':
        return { errcode: 0, invaliduser: String(body.touser) === 'castellan-test' ? 'castellan-test' : '' }
      case '/v1.0/oauth2/userAccessToken':
        return { accessToken: `own ${body.code}`, expireIn: 7200 }
      case '/topapi/user/getbyunionid': {
        const userid = memberOf(body.unionid)
        return userid ? { errcode: 0, result: { userid, contact_type: 0 } } : { errcode: 60121, errmsg: 'not found' }
      }
      case '/topapi/message/corpconversation/asyncsend_v2':
        return { errcode: 0, task_id: 1 }
      case '/open-apis/authen/v1/access_token':
        return { code: 0, data: { access_token: `own ${body.code}` } }
      case '/open-apis/authen/v1/user_info': {
        const user_id = memberOf(authorization.replace('Bearer own ', ''))
        return { code: 0, data: user_id ? { user_id, name: `Name of ${user_id}` } : { open_id: 'x' } }
      }
      case '/open-apis/im/v1/messages':
        return body.receive_id === 'castellan-test' ? { code: 230001, msg: 'invalid receive_id' } : { code: 0 }
      default:
        return { errcode: 404 }
    }
  }

  const services = createServer((request, response) => {
    let text = ''
    request.on('data', (part) => {
      text += part
    })
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://x')
      const own = String(request.headers['x-acs-dingtalk-access-token'] ?? '')
      const call = {
        path: url.pathname,
        query: url.searchParams,
        authorization: String(request.headers.authorization ?? ''),
        body: text ? JSON.parse(text) : {},
      }
      asked.push(call)
      const answer =
        url.pathname === '/v1.0/contact/users/me' ? { unionId: own.replace('own ', ''), nick: 'Nick' } : answerTo(call)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  })

  await new Promise<void>((resolve) => services.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(services.address() as AddressInfo).port}`
  const names = ['WECOM_API', 'WECOM_LOGIN', 'WECOM_OAUTH', 'DINGTALK_API', 'DINGTALK_OAPI', 'DINGTALK_LOGIN']
  return {
    addresses: Object.fromEntries([...names, 'FEISHU_API', 'FEISHU_LOGIN'].map((name) => [`${name}_URL`, base])),
    asked,
    endTokens() {
      for (let one = 1; one <= issued; one++) ended.add(`token-${one}`)
      return issued
    },
    stop: () => new Promise((resolve) => services.close(() => resolve())),
  }
}
