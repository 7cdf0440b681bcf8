import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import type { AnyRow, Client } from '@castellan/testing/client'
import { startDistantPort } from '@castellan/testing/distant'
import { startHangingTarget } from '@castellan/testing/hanging-target'
import { describeWith } from '@castellan/testing/parts'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
let sshd: RealSshd
beforeAll(async () => {
  server = await startServer({ worker: true })
  sshd = await startSshd()
})
afterAll(async () => {
  await server.close()
  await sshd?.stop()
})

interface Time {
  name: string
  milliseconds: number | null
  reason: string
  date_tested: string | null
  is_used: boolean
}

let made = 0
const newDomain = () => server.admin.collection('assets/domains').create({ name: `domain-${++made}` })
const newGateway = (domain: AnyRow, name: string, port: number, more: object = {}) =>
  server.admin.collection('assets/gateways').create({
    name: `${name}-${made}`,
    address: sshd.host,
    domain: domain.id,
    protocols: [{ name: 'ssh', port }],
    accounts: [{ name: 'jump', username: sshd.username, secret_type: 'ssh_key', secret: sshd.privateKey }],
    ...more,
  })
const newHost = (domain: AnyRow) =>
  server.admin.collection('assets/hosts').create({
    name: `host-${made}`,
    address: sshd.host,
    platform: 1,
    domain: domain.id,
    protocols: [{ name: 'ssh', port: sshd.port }],
    accounts: [{ username: sshd.username, secret_type: 'ssh_key', secret: sshd.privateKey, privileged: true }],
  })

async function logOf(path: string, body: object = {}, client: Client = server.admin): Promise<string> {
  const { task } = await client.request<{ task: string }>('POST', path, body)
  const finished = async () =>
    (await server.admin.request<AnyRow>('GET', `/api/v1/ops/task-executions/${task}/`)).is_finished
  await expect.poll(finished, { timeout: 30_000, interval: 50 }).toBe(true)
  const log = `/api/v1/ops/celery/task/${task}/task-execution/${task}/log/`
  return (await server.admin.request<{ data: string }>('GET', log)).data
}
const testPath = ({ id }: AnyRow) => `/api/v1/assets/domains/${id}/test-gateways/`
const timesPath = ({ id }: AnyRow) => `/api/v1/assets/domains/${id}/gateway-times/`
const timesOf = (domain: AnyRow) => server.admin.request<Time[]>('GET', timesPath(domain))
const testHost = ({ id }: AnyRow) => logOf(`/api/v1/assets/assets/${id}/tasks/`, { action: 'test' })

describeWith(['sshd', 'ssh-keygen'], 'the gateways of a domain', () => {
  it('are measured, and the fastest one that works is used from then on', async () => {
    await using far = await startDistantPort(sshd, 60)
    await using mute = await startHangingTarget('greeting')
    const domain = await newDomain()
    await newGateway(domain, 'far', far.port)
    await newGateway(domain, 'near', sshd.port)
    await newGateway(domain, 'closed', 1)
    await newGateway(domain, 'off', sshd.port, { is_active: false })
    await newGateway(domain, 'without', sshd.port, { accounts: [] })
    expect(await timesOf(domain)).toEqual(
      expect.arrayContaining([expect.objectContaining({ milliseconds: null, date_tested: null, is_used: false })]),
    )
    const log = await logOf(testPath(domain))
    expect(log).toMatch(new RegExp(`near-${made}.*: OK, it forwards to its own port ${sshd.port}; .* \\d+ ms`))
    expect(log).toContain(`Done: near-${made} is the fastest`)
    const times = Object.fromEntries((await timesOf(domain)).map((time) => [time.name.replace(/-\d+$/, ''), time]))
    expect(Object.values(times).filter(({ is_used }) => is_used)).toEqual([times.near])
    expect(times.near).toMatchObject({ milliseconds: expect.any(Number), reason: '' })
    expect(times.far?.milliseconds).toBeGreaterThan(times.near?.milliseconds as number)
    expect(times.closed).toMatchObject({ milliseconds: null, reason: 'the connection was refused' })
    expect(times.without).toMatchObject({
      reason: expect.stringContaining('it has no account with a password or a key'),
    })
    expect(times.off).toMatchObject({ milliseconds: null, date_tested: null })

    const host = await newHost(domain)
    expect(await testHost(host)).toContain(`through gateway near-${made}`)
    expect(mute.connections()).toBe(0)
  })

  it('one that fails is replaced by the next one, and used again when it is measured again', async () => {
    await using far = await startDistantPort(sshd, 40)
    const domain = await newDomain()
    await newGateway(domain, 'far', far.port)
    const near = await newGateway(domain, 'near', sshd.port)
    const host = await newHost(domain)
    expect(await testHost(host)).toContain(`through gateway near-${made}`)
    const move = (port: number) =>
      server.admin.collection('assets/gateways').change(near.id, { protocols: [{ name: 'ssh', port }] })
    await move(1)
    expect(await testHost(host)).toContain(`through gateway far-${made}`)
    await move(sshd.port)
    await logOf(testPath(domain))
    expect(await testHost(host)).toContain(`through gateway near-${made}`)
  })

  it('that are all disabled are not gone around: nothing is sent to what has the address here', async () => {
    const domain = await newDomain()
    const off = await newGateway(domain, 'off', sshd.port, { is_active: false })
    const host = await newHost(domain)
    expect(await testHost(host)).toContain(`All gateways of the domain "domain-${made}" are disabled. Enable one`)
    await server.admin.collection('assets/gateways').change(off.id, { is_active: true })
    expect(await testHost(host)).toContain(`through gateway off-${made}`)
  })

  it('whose host key changed is named with what to do, and gets no credential', async () => {
    const other = await startSshd()
    const domain = await newDomain()
    const account = { name: 'jump', username: other.username, secret_type: 'ssh_key', secret: other.privateKey }
    await newGateway(domain, 'changing', other.port, { accounts: [account] })
    await logOf(testPath(domain))
    await other.changeHostKey()
    expect(await logOf(testPath(domain))).toContain('no gateway of this domain works')
    const [time] = await timesOf(domain)
    expect(time).toMatchObject({ milliseconds: null, is_used: false })
    expect(time?.reason).toContain('the host key has changed')
    expect(await testHost(await newHost(domain))).toContain(
      `the gateway "changing-${made}" failed (the host key changed`,
    )
    await other.stop()
  })

  it('that fail are named, and say nothing about the accounts behind them', async () => {
    const domain = await newDomain()
    await newGateway(domain, 'closed', 1)
    const host = await newHost(domain)
    expect(await testHost(host)).toContain(`the gateway "closed-${made}" failed (the connection was refused)`)
    const [account] = await server.admin.collection('accounts/accounts').all({ asset: host.id })
    const verifying = { action: 'verify', accounts: [account?.id] }
    expect(await logOf('/api/v1/accounts/accounts/tasks/', verifying)).toContain(`the gateway "closed-${made}" failed`)
    const [after] = await server.admin.collection('accounts/accounts').all({ asset: host.id })
    expect(after?.connectivity).toMatchObject({ value: '-' })
    expect((await server.admin.collection('assets/hosts').get(host.id)).connectivity).toMatchObject({ value: 'err' })
  })

  it('are tested one by one too, also without a domain', async () => {
    const lone = await server.admin.collection('assets/gateways').create({
      name: 'lone',
      address: sshd.host,
      protocols: [{ name: 'ssh', port: sshd.port }],
      accounts: [{ name: 'jump', username: sshd.username, secret_type: 'ssh_key', secret: sshd.privateKey }],
    })
    expect(await logOf(`/api/v1/assets/gateways/${lone.id}/test-connective/`)).toContain('it forwards to its own port')
    expect((await server.admin.collection('assets/gateways').get(lone.id)).connectivity).toMatchObject({ value: 'ok' })
  })

  it('are shown and tested by those alone who may', async () => {
    const domain = await newDomain()
    await newGateway(domain, 'near', sshd.port)
    const elsewhere = await server.organization('elsewhere')
    const status = (client: Client, method: string, path: string) =>
      client.request(method, path).then(
        () => 200,
        (error: { status: number }) => error.status,
      )
    const admin = await server.as(await server.person('admin', { org: [roleIds.orgAdmin], orgId: elsewhere }))
    const user = await server.as(await server.person('user', { system: [roleIds.user], org: [roleIds.orgUser] }))
    const auditor = await server.as(await server.person('auditor', { org: [roleIds.orgAuditor] }))
    const refused: [Client, number][] = [
      [admin, 403],
      [admin.in(elsewhere), 404],
      [admin.in(defaultOrgId), 403],
      [user, 403],
      [auditor, 403],
    ]
    for (const [client, expected] of refused) expect(await status(client, 'POST', testPath(domain))).toBe(expected)
    expect(await status(user, 'GET', timesPath(domain))).toBe(403)
    expect(await status(admin.in(elsewhere), 'GET', timesPath(domain))).toBe(404)
    const unknown = { id: '00000000-0000-4000-8000-000000000000' }
    expect(await status(server.admin, 'POST', testPath(unknown))).toBe(404)
    expect(await status(server.admin, 'GET', timesPath({ id: 'nonsense' }))).toBe(404)
  })
})
