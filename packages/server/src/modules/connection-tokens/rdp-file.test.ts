import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import { type AnyRow, ApiError, type Client } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

const tokens = '/api/v1/authentication/connection-token/'

let server: TestServer
let me: Client
let host: AnyRow
let permission: AnyRow
beforeAll(async () => {
  server = await startServer()
  const id = await server.person('ada', { system: [roleIds.user], org: [roleIds.orgUser] })
  me = await server.as(id, defaultOrgId)
  host = await server.admin.collection('assets/hosts').create({
    name: 'desk/1',
    address: '10.0.0.9',
    platform: 1,
    protocols: [{ name: 'ssh', port: 22 }],
    accounts: [{ name: 'Root', username: 'root', secret_type: 'password', secret: 'the-secret' }],
  })
  permission = await server.admin.collection('perms/asset-permissions').create({
    name: 'desk',
    users: [id],
    assets: [host.id],
    accounts: ['@ALL'],
    protocols: ['all'],
    actions: ['connect', 'upload', 'download'],
  })
})
afterAll(() => server.close())

const ask = () =>
  me.request<AnyRow>('POST', tokens, { asset: host.id, account: 'Root', protocol: 'ssh', connect_method: 'web_cli' })
async function fileOf(id: unknown, query = '', client = me, base = tokens) {
  const path = `${base}${id}/rdp-file/${query}`
  const answer = await fetch(server.url + path, { headers: client.proof('GET', path) })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, lines: new Set(text.split('\n')) }
}

describe('the file for a remote desktop client', () => {
  it('names the endpoint and the token, and holds no secret', async () => {
    const token = await ask()
    const { status, headers, text, lines } = await fileOf(token.id)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename\*=UTF-8''ada[-\w]*-desk_1-jumpserver\.rdp$/,
    )
    expect(text).toMatch(/^full address:s:127\.0\.0\.1:3389$/m)
    expect(text).toMatch(new RegExp(`^username:s:ada[-\\w]*\\|${token.id}$`, 'm'))
    for (const line of ['use multimon:i:0', 'screen mode id:i:1', 'session bpp:i:32', 'drivestoredirect:s:'])
      expect(lines).toContain(line)
    expect(text).not.toContain('desktopwidth')
    expect(text).not.toContain('the-secret')
    expect(text).not.toContain(String(token.value))
    expect((await fileOf(token.id, '', me, '/api/v1/users/connection-token/')).text).toBe(text)
  })

  it('follows the choices of the client, shares drives only with every right for files, and takes no lines of others', async () => {
    const token = await ask()
    const query = '?multi_mon=1&full_screen=1&drives_redirect=1&width=1920&height=1080&rdp_smart_size=1'
    const { lines } = await fileOf(token.id, query)
    for (const line of ['use multimon:i:1', 'screen mode id:i:2', 'desktopwidth:i:1920', 'smart sizing:i:1'])
      expect(lines).toContain(line)
    expect(lines).toContain('drivestoredirect:s:')
    await server.admin.collection('perms/asset-permissions').change(permission.id, {
      actions: ['connect', 'upload', 'download', 'delete'],
    })
    expect((await fileOf((await ask()).id, query)).lines).toContain('drivestoredirect:s:*')
    const forged = await fileOf(token.id, `?width=${encodeURIComponent('5\nalternate shell:s:evil')}&height=-1`)
    expect(forged.text).not.toContain('evil')
    expect(forged.text).not.toContain('desktopwidth')
  })

  it('is for the owner of a valid token only', async () => {
    const token = await ask()
    expect((await fileOf(token.id, '', server.admin)).status).toBe(404)
    expect((await fetch(`${server.url}${tokens}${token.id}/rdp-file/`)).status).toBe(401)
    expect((await fileOf(token.id, '', me, '/api/v1/authentication/super-connection-token/')).status).toBe(403)
    await me.request('PATCH', `${tokens}${token.id}/expire/`)
    expect((await fileOf(token.id)).status).toBe(404)
  })
})

describe('ports for databases', () => {
  it('are none, as no component has that front end', async () => {
    const path = '/api/v1/terminal/db-listen-ports/'
    expect(await server.admin.request('GET', path)).toEqual([])
    for (const [port, text] of [
      ['', 'between'],
      ['x', 'between'],
      ['70000', 'between'],
      ['30001', 'not assigned'],
    ])
      await expect(server.admin.request('GET', `${path}db-info/?port=${port}`)).rejects.toMatchObject({
        status: 400,
        body: { error: expect.stringContaining(String(text)) },
      })
    await expect(me.request('GET', path)).rejects.toBeInstanceOf(ApiError)
  })
})

describe('accounts to switch from', () => {
  it('are listed under the URL of secrets too, only after a confirmation', async () => {
    for (const name of ['account-secrets/su-from-accounts', 'account-template-secrets/su-from-account-templates'])
      await expect(server.admin.request('GET', `/api/v1/accounts/${name}/`)).rejects.toMatchObject({ status: 412 })
  })
})
