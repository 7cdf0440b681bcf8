import { signInForCookies } from '../../packages/testing/src/web-terminal.ts'
import type { Place } from './place.ts'

/** What the administrator has of their own: a key for scripts, and a token with which a client program connects. */
export async function ownThings({ url, admin, adminPassword, host, account }: Place): Promise<void> {
  const client = await admin()
  // A token of one connection is gone after minutes.
  const tokens = '/api/v1/authentication/connection-token/'
  const wish = { asset: host, account, protocol: 'ssh', connect_method: 'ssh_client' }
  const { id } = await client.request<{ id: string }>('POST', tokens, wish)
  await client.request('PATCH', `${tokens}${id}/reuse/`, { is_reusable: true })
  // A key is given only to who has confirmed the password in the browser.
  const cookie = await signInForCookies(url, 'admin', adminPassword)
  const token = /csrftoken=([^;]+)/.exec(cookie)?.[1] ?? ''
  const post = async (path: string, body: object) => {
    const headers = { cookie, 'content-type': 'application/json', 'x-csrftoken': token, referer: `${url}/ui/` }
    const answer = await fetch(`${url}/api/v1/authentication/${path}/`, {
      ...{ method: 'POST', headers, body: JSON.stringify(body) },
    })
    if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status} ${await answer.text()}`)
  }
  await post('confirm', { confirm_type: 'password', mfa_type: '', secret_key: adminPassword })
  await post('access-keys', { ip_group: ['10.40.0.0/16'] })
}
