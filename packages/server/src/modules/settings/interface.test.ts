import { roleIds } from '@castellan/contract/ids'
import type { Client } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pixel } from '../../testing/applets.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const path = '/api/v1/xpack/interface/setting/'

async function send(parts: Record<string, string | Blob>, client: Client = server.admin) {
  const form = new FormData()
  for (const [name, value] of Object.entries(parts))
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value, `${name}.png`)
  const headers = { ...client.proof('PUT', path), 'accept-language': 'en' }
  const answer = await fetch(new URL(path, server.url), { method: 'PUT', headers, body: form })
  const body = (await answer.json()) as Record<string, string>
  return { status: answer.status, body }
}
const open = async () =>
  (
    (await (await fetch(new URL('/api/v1/settings/public/open/', server.url))).json()) as {
      INTERFACE: Record<string, string>
    }
  ).INTERFACE
const picture = (bytes: Buffer = pixel) => new Blob([new Uint8Array(bytes)])

describe('the interface', () => {
  it('shows title, theme and pictures at once, to everybody, and can be reset', async () => {
    const { status, body } = await send({
      login_title: 'Keep of ACME',
      theme: 'ocean_blue',
      logo_index: picture(),
      favicon: picture(Buffer.from([0, 0, 1, 0, 1, 0])),
    })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toMatchObject({ login_title: 'Keep of ACME', theme: 'ocean_blue', login_image: '' })
    expect(await open()).toMatchObject({
      login_title: 'Keep of ACME',
      logo_index: body.logo_index,
      theme_info: { name: 'ocean_blue', colors: { '--color-primary': '#1677ff' } },
    })
    const file = await fetch(new URL(body.logo_index ?? '', server.url))
    expect(file.headers.get('content-type')).toBe('image/png')
    expect(file.headers.get('content-security-policy')).toContain('sandbox')
    expect(Buffer.from(await file.arrayBuffer())).toEqual(pixel)
    // Unchanged pictures are not sent again.
    const later = await send({ login_title: 'Keep' })
    expect(later.body).toMatchObject({ login_title: 'Keep', logo_index: body.logo_index, favicon: body.favicon })
    const described = await server.admin.request<{ actions: { PUT: Record<string, { label: string }> } }>(
      'OPTIONS',
      path,
    )
    expect(described.actions.PUT.logo_index?.label).toBe('Logo of the console')
    const themes = await server.admin.request<{ name: string }[]>('GET', `${path}themes/`)
    expect(themes.map(({ name }) => name)).toContain('ocean_blue')
    expect(await server.admin.request('PUT', `${path}restore/`)).toHaveProperty('success')
    expect(await open()).toMatchObject({ login_title: 'Castellan', theme: 'classic_green', logo_index: '' })
    expect((await fetch(new URL(body.logo_index ?? '', server.url))).status).toBe(404)
  })

  it('refuses scripts, other files and large ones, and changes nothing then', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
    expect(await send({ login_title: 'Evil', logo_index: picture(svg) })).toMatchObject({
      status: 400,
      body: { logo_index: [expect.stringContaining('SVG')] },
    })
    const wide = Buffer.from(pixel)
    wide.writeUInt32BE(60_000, 16)
    expect(await send({ favicon: picture(wide) })).toMatchObject({ status: 400 })
    const large = Buffer.concat([pixel, Buffer.alloc(30 * 1024 * 1024)])
    expect(await send({ login_image: picture(large) })).toMatchObject({
      status: 400,
      body: { login_image: [expect.stringContaining('512 KB')] },
    })
    expect(await send({ theme: 'no such' })).toMatchObject({ status: 400, body: { theme: expect.anything() } })
    expect((await open()).login_title).toBe('Castellan')
    for (const name of ['x', '..%2f..%2fsecret', 'logo_index-0.png'])
      expect((await fetch(new URL(`/media/settings/${name}`, server.url))).status).toBe(404)
  })

  it('is changed by nobody without the permission', async () => {
    const auditor = await server.as(await server.person('auditor', { system: [roleIds.systemAuditor] }))
    expect((await send({ login_title: 'Mine' }, auditor)).status).toBe(403)
    expect((await open()).login_title).toBe('Castellan')
  })
})
