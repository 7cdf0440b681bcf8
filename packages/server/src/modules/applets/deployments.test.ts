import { randomUUID } from 'node:crypto'
import { type FakeWindows, fakeWindows, sshPeer, winRmPeer } from '@castellan/connectors/testing-windows'
import { type ApiError, type Client, registerComponent } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageOf, uploadPackage } from '../../testing/applets.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

/** No Windows runs in the tests: scripted peers play its OpenSSH and its WinRM (`fakeWindows`). */

let server: TestServer
const closing: (() => Promise<void>)[] = []
beforeAll(async () => {
  server = await startServer({ worker: true })
})
afterAll(async () => {
  await server.close()
  for (const close of closing) await close()
})

const api = <T = Record<string, never>>(method: string, path: string, body?: unknown, client: Client = server.admin) =>
  client.request<T>(method, `/api/v1/terminal/${path}`, body)
const statusOf = (sent: Promise<unknown>) =>
  sent.then(
    () => 200,
    ({ status }: ApiError) => status,
  )

/** Which script it was, by a command that only it has. */
const marks = {
  check: 'Win32_OperatingSystem',
  roles: 'Install-WindowsFeature',
  policies: 'fSingleSessionPerUser',
  programs: 'DownloadFile',
  config: 'BOOTSTRAP_TOKEN',
  service: 'Restart-Service',
  applets: 'install all',
}
const kindOf = (script: string) => Object.entries(marks).find(([, mark]) => script.includes(mark))?.[0]

async function newHost(name: string, windows: FakeWindows, protocol: 'ssh' | 'winrm', more = {}) {
  const peer = protocol === 'ssh' ? await sshPeer(windows) : await winRmPeer(windows)
  closing.push(peer.close)
  const { username, password } = windows.administrator
  const host = await api<{ id: string }>('POST', 'applet-hosts/', {
    name,
    address: '127.0.0.1',
    protocols: [
      { name: 'rdp', port: 3389 },
      { name: protocol, port: peer.port },
    ],
    auto_create_accounts: false,
    accounts: [{ name: username, username, secret: password, privileged: true }],
    deploy_options: { CORE_HOST: 'https://castellan.example.org', RDS_fSingleSessionPerUser: 0 },
    ...more,
  })
  return { ...host, port: peer.port }
}

const deploy = async (host: { id: string }) =>
  (await api<{ task: string }>('POST', 'applet-host-deployments/', { host: host.id })).task
interface Deployment {
  id: string
  status: { value: string }
  task: string
  date_finished: string | null
}
const ended = (id: string) =>
  expect.poll(
    async () => {
      const row = await api<Deployment>('GET', `applet-host-deployments/${id}/`)
      return row.date_finished && row.status.value
    },
    { timeout: 30_000 },
  )
const logOf = async (task: string) =>
  (await server.admin.request<{ data: string }>('GET', `/api/v1/ops/celery/task/${task}/task-execution/${task}/log/`))
    .data

describe('the deployment of a host', () => {
  for (const protocol of ['ssh', 'winrm'] as const)
    it(`sets it up by ${protocol}, with a token that registers one component, once`, async () => {
      const windows = fakeWindows()
      windows.obey = () => 'ok:done'
      const host = await newHost(`apps by ${protocol}`, windows, protocol)
      const task = await deploy(host)
      await ended(task).toBe('success')
      const scripts = windows.received.map(({ script }) => kindOf(script))
      expect(scripts).toEqual(['check', 'roles', 'policies', 'programs', 'config', 'service', 'applets'])
      const log = await logOf(task)
      for (const word of ['policies set', 'agent started', 'applications installed', ': done'])
        expect(log).toContain(word)
      const { secret: token = '', values } = windows.received[4] ?? {}
      expect(values).toMatchObject({ host: host.id, core: 'https://castellan.example.org', singleSession: 0 })
      expect(token).toMatch(/^applet-host-/)
      expect(JSON.stringify(windows.received.map(({ command, values: sent }) => [command, sent]))).not.toContain(token)
      expect(log).not.toContain(token)
      // The bootstrap token of the installation stays here, and this one is for a component of hosts only.
      expect(token).not.toContain(server.bootstrapToken)
      expect(await statusOf(registerComponent(server.url, token, `gateway ${protocol}`, 'koko'))).toBe(400)
      const agent = await registerComponent(server.url, token, `agent ${protocol}`, 'tinker')
      expect(await statusOf(registerComponent(server.url, token, `second ${protocol}`, 'tinker'))).toBe(401)
      expect(await api('GET', 'applet-hosts/accounts/', undefined, agent)).toEqual([])
      expect(await api('GET', `applet-host-deployments/?host=${host.id}`)).toMatchObject([{ id: task, task }])
      // Deploying again replaces the component.
      await ended(await deploy(host)).toBe('success')
      expect(await statusOf(api('GET', 'applet-hosts/accounts/', undefined, agent))).toBe(401)
      await api('DELETE', `applet-hosts/${host.id}/`)
    })

  it('says at which step it failed, with neither password nor token', async () => {
    const windows = fakeWindows()
    const { password } = windows.administrator
    windows.obey = (script) => (kindOf(script) === 'programs' ? `bad_answer:no installer for ${password}` : 'ok:')
    const host = await newHost('failing', windows, 'ssh')
    const task = await deploy(host)
    await ended(task).toBe('failed')
    const log = await logOf(task)
    expect(log).toContain('policies set')
    expect(log).toContain('no installer')
    expect(log).not.toContain(password)
    windows.obey = (script) => (kindOf(script) === 'roles' ? 'ok:restart' : 'ok:')
    const again = await deploy(host)
    await ended(again).toBe('failed')
    expect(await logOf(again)).toContain('Restart the host')
    await api('DELETE', `applet-hosts/${host.id}/`)
  })

  it('can be stopped while a step hangs', async () => {
    const windows = fakeWindows()
    let begun: () => void = () => undefined
    const hanging = new Promise<void>((resolve) => {
      begun = resolve
    })
    windows.obey = () => {
      begun()
      return new Promise<string>(() => undefined)
    }
    const host = await newHost('hanging', windows, 'ssh')
    const task = await deploy(host)
    await hanging
    await server.admin.request('POST', `/api/v1/ops/task-executions/${task}/stop/`, {})
    await ended(task).toBe('canceled')
    await api('DELETE', `applet-hosts/${host.id}/`)
  })

  it('installs applications on several hosts as one task', async () => {
    const uploaded = await uploadPackage(server.admin, await packageOf('editor'), 'editor.zip')
    const [one, two] = [fakeWindows(), fakeWindows()]
    one.obey = () => 'ok:'
    two.obey = () => 'unsupported:the host has no agent'
    const hosts = [await newHost('many-1', one, 'ssh'), await newHost('many-2', two, 'ssh')]
    const { task } = await api<{ task: string }>('POST', 'applet-host-deployments/applets/', {
      hosts: hosts.map(({ id }) => id),
      applet_id: uploaded.body.id,
    })
    const outcome = async (host: { id: string } | undefined) =>
      (await api<Deployment[]>('GET', `applet-host-deployments/?host=${host?.id}`)).map(({ status }) => status.value)
    await expect.poll(() => outcome(hosts[0]), { timeout: 30_000 }).toEqual(['success'])
    await expect.poll(() => outcome(hosts[1]), { timeout: 30_000 }).toEqual(['failed'])
    expect(one.received.at(-1)?.values).toMatchObject({ name: 'editor' })
    expect(await logOf(task)).toContain('no agent')
    for (const body of [{ hosts: [] }, { hosts: [randomUUID()] }, {}])
      expect(await statusOf(api('POST', 'applet-host-deployments/applets/', body))).toBe(404)
    for (const body of [{}, { host: randomUUID() }, { host: 7 }])
      expect(await statusOf(api('POST', 'applet-host-deployments/', body))).toBe(400)
  })
})

describe('a host that is moved', () => {
  it('keeps its secrets from whoever may not see them, and is not deployed where another key answers', async () => {
    const codes = ['view_applethost', 'change_applethost', 'add_applethostdeployment', 'view_applethostdeployment']
    const all = await server.admin.request<{ id: number; codename: string }[]>('GET', '/api/v1/rbac/permissions/')
    const { id: role } = await server.admin.request<{ id: string }>('POST', '/api/v1/rbac/system-roles/', {
      name: 'hosts',
      scope: 'system',
      permissions: all.flatMap(({ id, codename }) => (codes.includes(codename) ? [id] : [])),
    })
    const windows = fakeWindows()
    windows.obey = () => 'ok:'
    const host = await newHost('moved', windows, 'ssh')
    const { port } = host
    await ended(await deploy(host)).toBe('success')
    const thief = fakeWindows()
    thief.obey = () => 'ok:'
    const peer = await sshPeer(thief)
    closing.push(peer.close)
    const protocols = [
      { name: 'rdp', port: 3389 },
      { name: 'ssh', port: peer.port },
    ]
    const keeper = await server.as(await server.person('keeper', { system: [role] }))
    const status = await statusOf(api('PATCH', `applet-hosts/${host.id}/`, { protocols }, keeper))
    expect(status).toBe(403)
    expect(thief.received).toEqual([])
    // Somebody else answers at its address.
    await closing.splice(closing.length - 2, 1)[0]?.()
    const impostor = await sshPeer(thief, port)
    closing.push(impostor.close)
    const task = await deploy(host)
    await ended(task).toBe('failed')
    expect(await logOf(task)).toContain('key')
    expect(thief.received).toEqual([])
  })
})
