import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Query, signIn } from '@castellan/testing/client'
import { describeWith } from '@castellan/testing/parts'
import { freePort } from '@castellan/testing/ports'
import { type Product, startProduct } from '@castellan/testing/product'
import { startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hostName, people } from '../../scripts/demo/content.ts'
import { fillDemo } from '../../scripts/demo/fill.ts'

describeWith(['sshd', 'ssh-keygen', 'sftp-server'], 'what `npm run demo` creates', () => {
  const password = 'Demo-for-tests-1'
  const dataDir = mkdtempSync(join(tmpdir(), 'castellan-demo-'))
  let product: Product
  let target: Awaited<ReturnType<typeof startSshd>>

  beforeAll(async () => {
    target = await startSshd()
    const place = { dataDir, adminPassword: 'Adm1n-of-demo-1', httpPort: await freePort(), sshPort: await freePort() }
    await fillDemo({ ...place, target, password, days: 8 })
    product = await startProduct(place)
  })
  afterAll(async () => {
    await product?.stop()
    await target?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it('lets everybody sign in', async () => {
    for (const { username } of people) {
      const client = await signIn(product.url, username, password)
      const is_first_login = username === 'newcomer'
      expect(await client.request('GET', '/api/v1/users/profile/')).toMatchObject({ username, is_first_login })
    }
  })

  it('gives each what the list of people says', async () => {
    const assetsOf = async (username: string) => {
      const client = await signIn(product.url, username, password)
      return (await client.collection('perms/users/self/assets').all()).map((asset) => asset.name)
    }
    expect((await assetsOf('olivia')).length).toBeGreaterThan(5)
    expect(await assetsOf('daichi')).toEqual([hostName])
    expect(await assetsOf('newcomer')).toEqual([])
  })

  it('has command filters that refuse, warn and ask', async () => {
    const client = await signIn(product.url, 'admin', product.adminPassword)
    const filters = await client.collection<{ id: string; action: { value: string } }>('acls/command-filter-acls').all()
    expect(filters.map((filter) => filter.action.value).sort()).toEqual(['reject', 'review', 'warning'])
  })

  it.each([
    ['sessions', 'terminal/sessions', 4],
    ['commands', 'terminal/commands', 4],
    ['sign-ins', 'audits/login-logs', 4],
    ['operations', 'audits/operate-logs', 4],
    ['file transfers', 'audits/ftp-logs', 1],
  ])('has %s of several days', async (_what, path, least) => {
    const client = await signIn(product.url, 'admin', product.adminPassword)
    const storages = await client.collection('terminal/command-storages').all()
    const from: Query = path === 'terminal/commands' ? { command_storage_id: storages[0]?.id ?? '' } : {}
    const rows = await client.collection(path).all(from)
    const days = rows.map((row) => {
      const at = row.date_start ?? row.datetime ?? Number(row.timestamp) * 1000
      return new Date(at as string | number).toDateString()
    })
    expect(new Set(days).size).toBeGreaterThanOrEqual(least)
  })

  it('has a recording of a real session, made days ago, that can be played', async () => {
    const client = await signIn(product.url, 'admin', product.adminPassword)
    const sessions = await client.collection('terminal/sessions').all({ is_finished: true })
    const real = sessions.find(({ asset }) => String(asset).startsWith(hostName))
    expect(Date.parse(String(real?.date_start))).toBeLessThan(Date.now() - 86_400_000)
    const replay = await client.request<{ src: string }>('GET', `/api/v1/terminal/sessions/${real?.id}/replay/`)
    const file = await fetch(product.url + replay.src, { headers: client.proof('GET', replay.src) })
    expect(gunzipSync(Buffer.from(await file.arrayBuffer())).toString()).toContain('all is well')
  })

  it('has runs of jobs, which went well', async () => {
    const client = await signIn(product.url, 'olivia', password)
    const runs = await client.collection<{ id: string; is_success: boolean }>('ops/job-executions').all()
    expect(runs.map((run) => run.is_success)).toEqual([true, true, true])
  })

  it('has requests for access that were granted, refused and are open', async () => {
    const client = await signIn(product.url, 'admin', product.adminPassword)
    const tickets = await client.collection<{ id: string; state: { value: string } }>('tickets/tickets').all()
    expect(new Set(tickets.map(({ state }) => state.value)).size).toBeGreaterThan(1)
  })

  it.each([
    'accounts/account-backup-plan-executions',
    'accounts/change-secret-executions',
    'accounts/push-account-executions',
    'assets/gateways',
    'authentication/access-keys',
    'authentication/connection-token',
    'terminal/applets',
    'terminal/my-sessions',
    'terminal/applet-hosts',
    'terminal/endpoint-rules',
    'terminal/session-join-records',
    'tickets/apply-command-tickets',
    'tickets/apply-login-asset-tickets',
    'tickets/apply-login-tickets',
    'xpack/cloud/accounts',
    'xpack/cloud/strategies',
    'xpack/cloud/sync-instance-task-executions',
  ])('has rows of %s', async (path) => {
    const client = await signIn(product.url, 'admin', product.adminPassword)
    expect(await client.collection(path).all()).not.toEqual([])
  })

  it('has assets of every kind', async () => {
    const client = await signIn(product.url, 'admin', product.adminPassword)
    const assets = await client.collection<{ id: string; category: { value: string } }>('assets/assets').all()
    const kinds = new Set(assets.map(({ category }) => category.value))
    expect([...kinds].sort()).toEqual(['cloud', 'custom', 'database', 'device', 'gpt', 'host', 'web'])
    expect(assets.length).toBeGreaterThan(180)
  })
})
