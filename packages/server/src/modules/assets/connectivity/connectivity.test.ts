import { hostKeyVerifyPath } from '@castellan/contract/host-keys'
import { registerComponent } from '@castellan/testing/client'
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

const api = <T>(method: string, path: string, body?: unknown) =>
  server.admin.request<T>(method, `/api/v1/${path}`, body)

/** The log of a task once it has ended. */
async function logOf(task: string): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    const { is_finished } = await api<{ is_finished: boolean }>('GET', `ops/task-executions/${task}/`)
    if (is_finished) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return (await api<{ data: string }>('GET', `ops/celery/task/${task}/task-execution/${task}/log/`)).data
}

const newHost = (name: string, more: object = {}) =>
  api<{ id: string }>('POST', 'assets/hosts/', {
    name,
    address: sshd.host,
    platform: 1,
    protocols: [{ name: 'ssh', port: sshd.port }],
    accounts: [{ username: sshd.username, secret_type: 'ssh_key', secret: sshd.privateKey, privileged: true }],
    ...more,
  })
const test = async (id: string) =>
  logOf((await api<{ task: string }>('POST', `assets/assets/${id}/tasks/`, { action: 'test' })).task)
const connectivity = async (id: string) =>
  (await api<{ connectivity: { value: string } }>('GET', `assets/hosts/${id}/`)).connectivity.value

describeWith(['sshd', 'ssh-keygen'], 'testing whether assets and accounts work', () => {
  it('signs in by SSH, pins the host key, and stops before the password when another key is shown', async () => {
    const { id } = await newHost('pinned')
    expect(await test(id)).toContain('OK, signed in by SSH')
    expect(await connectivity(id)).toBe('ok')
    const [key] = await api<{ id: string; fingerprint: string }[]>('GET', `assets/host-keys/?asset=${id}`)
    expect(key?.fingerprint).toBe(sshd.fingerprint())
    await sshd.changeHostKey()
    expect(await test(id)).toContain('the host key changed')
    expect(await connectivity(id)).toBe('err')
    await api('PUT', `assets/host-keys/${key?.id}/accept/`)
    expect(await test(id)).toContain('OK, signed in by SSH')
  })

  it('pins one host key when several connect for the first time at once, whatever keys they are shown', async () => {
    const { id: asset } = await newHost('at-once')
    const component = await registerComponent(server.url, server.bootstrapToken, 'at-once')
    const verdicts = await Promise.all(
      Array.from({ length: 8 }, (_, at) => {
        const [algorithm, fingerprint] = [at % 2 ? 'ssh-rsa' : 'ssh-ed25519', `SHA256:${at % 2}`]
        const check = { asset, port: 22, algorithm, fingerprint, public_key: 'x' }
        return component.request<{ status: string }>('POST', hostKeyVerifyPath, check)
      }),
    )
    expect(verdicts.map(({ status }) => status).sort()).toEqual([
      ...Array(3).fill('match'),
      ...Array(4).fill('mismatch'),
      'pinned',
    ])
  })

  it('verifies an account and says why one does not work', async () => {
    const { id } = await newHost('verified')
    const wrong = await api<{ id: string }>('POST', 'accounts/accounts/', {
      asset: id,
      username: 'nobody-here',
      secret: 'wrong',
    })
    const right = (await api<{ id: string; username: string }[]>('GET', `accounts/accounts/?asset=${id}`)).find(
      ({ username }) => username === sshd.username,
    )
    const { task } = await api<{ task: string }>('POST', 'accounts/accounts/tasks/', {
      action: 'verify',
      accounts: [right?.id, wrong.id],
    })
    const log = await logOf(task)
    expect(log).toMatch(/OK, signed in/)
    expect(log).toMatch(/nobody-here.*FAILED/)
    const states = await api<{ id: string; connectivity: { value: string } }[]>('GET', `accounts/accounts/?asset=${id}`)
    expect(states.find((one) => one.id === wrong.id)?.connectivity.value).toBe('err')
    expect(states.find((one) => one.id === right?.id)?.connectivity.value).toBe('ok')
  })

  it('reaches an asset through the gateway of its domain', async () => {
    const { id: domain } = await api<{ id: string }>('POST', 'assets/domains/', { name: 'behind' })
    const gateway = await api<{ id: string }>('POST', 'assets/gateways/', {
      name: 'door',
      address: sshd.host,
      platform: 9,
      domain,
      protocols: [{ name: 'ssh', port: sshd.port }],
      accounts: [{ username: sshd.username, secret_type: 'ssh_key', secret: sshd.privateKey }],
    })
    const { task } = await api<{ task: string }>('POST', `assets/gateways/${gateway.id}/test-connective/`, {})
    expect(await logOf(task)).toContain('OK, it forwards')
    const { id } = await newHost('hidden', { domain })
    expect(await test(id)).toContain('through gateway door')
  })

  it('collects facts', async () => {
    const { id } = await newHost('facts')
    const { task } = await api<{ task: string }>('POST', `assets/assets/${id}/tasks/`, { action: 'refresh' })
    expect(await logOf(task)).toContain('OK, ')
    const { gathered_info } = await api<{ gathered_info: { arch?: string } }>('GET', `assets/hosts/${id}/`)
    expect(gathered_info.arch).toBeTruthy()
  })

  it('says that an unreachable host does not answer', async () => {
    const { id } = await newHost('nobody-there', { protocols: [{ name: 'ssh', port: 1 }], accounts: [] })
    expect(await test(id)).toContain('does not answer')
    expect(await connectivity(id)).toBe('err')
  })

  it('records each asset, several at once, and does again those that failed', async () => {
    const down = { protocols: [{ name: 'ssh', port: 1 }] }
    const [good, bad, off] = [
      await newHost('item-good'),
      await newHost('item-bad', down),
      await newHost('item-off', { is_active: false }),
    ]
    const start = { action: 'test', assets: [good.id, bad.id, off.id] }
    const { task } = await api<{ task: string }>('POST', 'assets/assets/tasks/', start)
    expect(await logOf(task)).toContain('Done: 1 of 3 answered')
    const items = (id: string) =>
      api<{ target: { id: string }; status: { value: string }; error_code: string | null }[]>(
        'GET',
        `ops/task-executions/${id}/items/`,
      )
    const outcome = async (id: string) =>
      Object.fromEntries(
        (await items(id)).map(({ target, status, error_code }) => [target.id, [status.value, error_code]]),
      )
    expect(await outcome(task)).toEqual({
      [good.id]: ['success', null],
      [bad.id]: ['failed', 'refused'],
      [off.id]: ['skipped', 'asset_disabled'],
    })
    expect(await api('GET', `ops/task-executions/${task}/items/?status=failed`)).toHaveLength(1)
    await api('PATCH', `assets/hosts/${bad.id}/`, { protocols: [{ name: 'ssh', port: sshd.port }] })
    const again = (await api<{ task: string }>('POST', `ops/task-executions/${task}/retry/`, {})).task
    expect(await logOf(again)).toContain('Done: 1 of 1 answered')
    expect(await connectivity(bad.id)).toBe('ok')
    const nothingLeft = api('POST', `ops/task-executions/${again}/retry/`, {})
    await expect(nothingLeft).rejects.toMatchObject({ status: 400 })
    const other = await server.as(await server.person('other', {}))
    for (const [method, path] of [
      ['GET', 'items'],
      ['POST', 'retry'],
    ] as const) {
      const call = other.request(
        method,
        `/api/v1/ops/task-executions/${task}/${path}/`,
        method === 'POST' ? {} : undefined,
      )
      await expect(call).rejects.toMatchObject({ status: 404 })
    }
  })

  it('tests an asset only where its platform allows it', async () => {
    const platform = await api<{ id: number }>('POST', 'assets/platforms/', {
      name: 'without-tests',
      category: 'host',
      type: 'linux',
      protocols: [{ name: 'ssh', port: 22, primary: true }],
      automation: { ansible_enabled: true, ping_enabled: true, gather_facts_enabled: false },
    })
    const { id } = await newHost('without-facts', { platform: platform.id })
    const { task } = await api<{ task: string }>('POST', `assets/assets/${id}/tasks/`, { action: 'refresh' })
    expect(await logOf(task)).toContain('disabled in the platform')
  })

  it('writes its log in the language of whoever started it', async () => {
    const { id } = await newHost('answers-nobody', { protocols: [{ name: 'ssh', port: 1 }], accounts: [] })
    const path = `/api/v1/assets/assets/${id}/tasks/`
    const started = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: {
        ...server.admin.proof('POST', path),
        'content-type': 'application/json',
        'accept-language': 'zh',
      },
      body: JSON.stringify({ action: 'test' }),
    })
    const log = await logOf(((await started.json()) as { task: string }).task)
    expect(log).toContain('正在测试 1 个资产')
    expect(log).toContain('端口 1 无响应：连接被拒绝')
    expect(log).toContain('完成：1 个资产中 0 个有响应')
  })
})
