import { execFileSync } from 'node:child_process'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { startHangingTarget } from '@castellan/testing/hanging-target'
import { describeWith } from '@castellan/testing/parts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RotationBench, startRotation } from '../../../testing/rotation.ts'

let bench: RotationBench
beforeAll(async () => {
  bench = await startRotation({ targetReadyTimeout: 10_000 })
  await bench.work()
})
afterAll(() => bench.stop())

const parts = ['sshd', 'ssh-keygen', 'root'] as const

/** Carries a plan out for one account, and returns its record. */
async function outcome(asset: string, username: string) {
  const execution = await bench.run(await bench.plan({ assets: [asset], accounts: [username] }))
  const [record, ...others] = await bench.records(`execution_id=${execution.id}`)
  expect(others).toEqual([])
  const [item] = await bench.itemsOf(execution.id)
  return { execution, record, item }
}

/** Passes connections on to the sshd, until it is told to let them fail. */
class CuttingProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** Connections that were accepted. */
  count = 0
  /** From this connection on, connections are cut. */
  cutFrom = Number.POSITIVE_INFINITY

  constructor(port: number) {
    this.#server = createServer((socket) => {
      this.count++
      this.#sockets.add(socket)
      socket.on('error', () => undefined)
      if (this.count >= this.cutFrom) {
        socket.destroy()
        return
      }
      const onward = connect(port, '127.0.0.1')
      onward.on('error', () => socket.destroy())
      onward.on('close', () => socket.destroy())
      socket.on('close', () => onward.destroy())
      socket.pipe(onward).pipe(socket)
    })
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return (this.#server.address() as AddressInfo).port
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }
}

describeWith(parts, 'a secret in doubt', () => {
  it('is kept beside the one before when the target cannot be asked, and the next run finds out', async () => {
    await using proxy = new CuttingProxy(bench.sshd.port)
    const asset = await bench.host({ protocols: [{ name: 'ssh', port: await proxy.listen() }] })
    const { id, username, password } = await bench.person(asset)
    proxy.cutFrom = 2
    const { record } = await outcome(asset, username)
    expect(record).toMatchObject({ status: 'pending', is_success: false, in_doubt: true, error_code: 'in_doubt' })
    expect(record?.error).toContain('Both secrets are kept')
    const { before, after } = await bench.secretsIn(record?.id ?? '')
    expect(before).toBe(password)
    expect(await bench.secretOf(id)).toBe(password)
    expect(await bench.accepts(username, after)).toBe(true)

    // While the target is away nothing is decided, and nothing is lost.
    const away = await outcome(asset, username)
    expect(away.record).toMatchObject({ status: 'failed', in_doubt: false })
    expect((await bench.records(`execution_id=${record?.execution.id}`))[0]).toMatchObject({ in_doubt: true })

    proxy.cutFrom = Number.POSITIVE_INFINITY
    const next = await outcome(asset, username)
    expect(next.record).toMatchObject({ status: 'success' })
    expect((await bench.records(`execution_id=${record?.execution.id}`))[0]).toMatchObject({
      status: 'success',
      in_doubt: false,
      error: null,
    })
    expect(await bench.ended(record?.execution.id ?? ''), 'its totals follow').toMatchObject({
      summary: { total: 1, success: 1, failed: 0 },
    })
    expect((await bench.secretsIn(next.record?.id ?? '')).before).toBe(after)
    expect(await bench.accepts(username, await bench.secretOf(id))).toBe(true)
  })

  it('is settled by a retry of its record, and by a verification', async () => {
    for (const settles of ['retry', 'verify']) {
      await using proxy = new CuttingProxy(bench.sshd.port)
      const asset = await bench.host({ protocols: [{ name: 'ssh', port: await proxy.listen() }] })
      const { id, username } = await bench.person(asset)
      proxy.cutFrom = 2
      const { record } = await outcome(asset, username)
      proxy.cutFrom = Number.POSITIVE_INFINITY
      const { after } = await bench.secretsIn(record?.id ?? '')
      const { task } = await (settles === 'retry'
        ? bench.api<{ task: string }>('POST', 'change-secret-records/execute/', { record_id: record?.id })
        : bench.api<{ task: string }>('POST', 'accounts/tasks/', { action: 'verify', accounts: [id] }))
      await bench.taskEnded(task)
      expect((await bench.records(`account_id=${id}`))[0]).toMatchObject({ status: 'success', in_doubt: false })
      expect(await bench.secretOf(id), settles).toBe(after)
    }
  })

  it('of which neither works says what to do, and is over once a privileged account set another one', async () => {
    await using proxy = new CuttingProxy(bench.sshd.port)
    const asset = await bench.host({ protocols: [{ name: 'ssh', port: await proxy.listen() }] })
    const { id, username } = await bench.person(asset)
    proxy.cutFrom = 2
    const { record } = await outcome(asset, username)
    proxy.cutFrom = Number.POSITIVE_INFINITY
    execFileSync('chpasswd', { input: `${username}:Somebody-Else-1\n` })
    const { task } = await bench.api<{ task: string }>('POST', 'accounts/tasks/', { action: 'verify', accounts: [id] })
    await bench.taskEnded(task)
    const [still] = await bench.records(`account_id=${id}`)
    expect(still).toMatchObject({ id: record?.id, status: 'pending', in_doubt: true })
    expect(still?.error).toContain('Set the password on the asset yourself')
    expect((await outcome(asset, username)).record).toMatchObject({ status: 'success' })
    expect(await bench.accepts(username, await bench.secretOf(id))).toBe(true)
    expect((await bench.records(`execution_id=${record?.execution.id}`))[0]).toMatchObject({
      status: 'failed',
      in_doubt: false,
      error_code: 'superseded',
    })
  })

  it('outlives its account', async () => {
    await using proxy = new CuttingProxy(bench.sshd.port)
    const asset = await bench.host({ protocols: [{ name: 'ssh', port: await proxy.listen() }] })
    const { id, username, password } = await bench.person(asset)
    proxy.cutFrom = 2
    const { record } = await outcome(asset, username)
    await bench.api('DELETE', `accounts/${id}/`)
    expect(await bench.secretsIn(record?.id ?? '')).toMatchObject({ before: password, after: expect.any(String) })
    await expect(bench.api('POST', 'change-secret-records/execute/', { record_id: record?.id })).rejects.toMatchObject({
      status: 400,
    })
  })

  it('does not hide what somebody stores by hand meanwhile: it is in the history', async () => {
    await using proxy = new CuttingProxy(bench.sshd.port)
    const asset = await bench.host({ protocols: [{ name: 'ssh', port: await proxy.listen() }] })
    const { id, username } = await bench.person(asset)
    proxy.cutFrom = 2
    const { record } = await outcome(asset, username)
    proxy.cutFrom = Number.POSITIVE_INFINITY
    await bench.api('PATCH', `accounts/${id}/`, { name: username, secret: 'By-Hand-1' })
    const { task } = await bench.api<{ task: string }>('POST', 'accounts/tasks/', { action: 'verify', accounts: [id] })
    await bench.taskEnded(task)
    expect(await bench.secretOf(id)).toBe((await bench.secretsIn(record?.id ?? '')).after)
    const { settings, events } = bench.server.application.services
    await bench.server
      .context()
      .transaction(({ rawDb }) => settings.store(rawDb, events, { SECURITY_VIEW_AUTH_NEED_MFA: false }))
    await settings.load()
    const earlier = await bench.api<{ secret: string }[]>('GET', `account-secrets/${id}/histories/`)
    expect(earlier.map(({ secret }) => secret)).toContain('By-Hand-1')
  })
})

describeWith(parts, 'a run that fails says why', () => {
  it('whose target does not answer', async () => {
    const asset = await bench.host({ protocols: [{ name: 'ssh', port: 1 }] })
    const { id, username, password } = await bench.person(asset)
    const { record, item } = await outcome(asset, username)
    expect(item).toMatchObject({ status: { value: 'failed' }, error_code: 'refused' })
    expect(record).toMatchObject({ status: 'failed', error_code: 'refused', in_doubt: false })
    expect(record?.error).toBeTruthy()
    expect(await bench.secretOf(id)).toBe(password)
  })

  it('whose account for signing in is missing, or has a wrong secret', async () => {
    const without = await bench.host({ accounts: [] })
    await bench.account(without, { username: 'nobody-here' })
    expect((await outcome(without, 'nobody-here')).record).toMatchObject({ error_code: 'no_login_account' })
    const wrong = await bench.host({ accounts: [{ username: 'root', secret: 'wrong', privileged: true }] })
    const { username, id, password } = await bench.person(wrong)
    const { record } = await outcome(wrong, username)
    expect(record).toMatchObject({ status: 'failed', error_code: 'auth_failed', in_doubt: false })
    expect(record?.error).toContain('root')
    expect(await bench.secretOf(id)).toBe(password)
  })

  it('whose account the target does not have', async () => {
    const asset = await bench.host()
    const { username } = await bench.person(asset)
    execFileSync('userdel', ['-rf', username], { stdio: 'ignore' })
    expect((await outcome(asset, username)).record).toMatchObject({ error_code: 'account_missing', in_doubt: false })
  })

  it('whose plan has no secret', async () => {
    const asset = await bench.host()
    const { username } = await bench.person(asset)
    const plan = await bench.plan({ assets: [asset], accounts: [username], secret_strategy: 'specific' })
    const execution = await bench.run(plan)
    expect(await bench.records(`execution_id=${execution.id}`)).toMatchObject([{ error_code: 'no_plan_secret' }])
  })

  it('whose target shows another host key, and is sent no secret', async () => {
    const asset = await bench.host()
    const { username } = await bench.person(asset)
    expect((await outcome(asset, username)).record).toMatchObject({ status: 'success' })
    await bench.sshd.changeHostKey()
    expect((await outcome(asset, username)).record).toMatchObject({
      status: 'failed',
      error_code: 'host_key_changed',
      in_doubt: false,
    })
  })
})

describeWith(parts, 'two plans for the same account at the same time', () => {
  it('work one after the other, and the last secret is the one that works', async () => {
    const asset = await bench.host()
    const { id, username } = await bench.person(asset)
    const plans = await Promise.all([1, 2, 3].map(() => bench.plan({ assets: [asset], accounts: [username] })))
    const tasks = await Promise.all(plans.map((plan) => bench.start(plan)))
    for (const task of tasks) expect(await bench.ended(task)).toMatchObject({ summary: { success: 1, failed: 0 } })
    const records = await bench.records(`account_id=${id}`)
    expect(records.map(({ status }) => status)).toEqual(['success', 'success', 'success'])
    expect(await bench.accepts(username, await bench.secretOf(id))).toBe(true)
  })
})

describeWith(parts, 'targets that hang', () => {
  it('do not keep the others waiting, and are not in doubt where nothing was sent', async () => {
    await using mute = await startHangingTarget('greeting')
    const good = await bench.host()
    const { username } = await bench.person(good)
    const hanging = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const asset = await bench.host({ address: '127.0.0.1', protocols: [{ name: 'ssh', port: mute.port }] })
        await bench.account(asset, { username, secret: 'x' })
        return asset
      }),
    )
    const task = await bench.start(await bench.plan({ assets: [...hanging, good], accounts: [username] }))
    await expect
      .poll(async () => (await bench.records(`execution_id=${task}&asset_id=${good}`))[0]?.status, { timeout: 15_000 })
      .toBe('success')
    expect(mute.connections(), 'targets that still hang').toBeGreaterThan(0)
    expect(await bench.ended(task)).toMatchObject({ summary: { success: 1, failed: 5 } })
    for (const record of await bench.records(`execution_id=${task}`))
      if (record.asset?.id !== good) expect(record).toMatchObject({ status: 'failed', in_doubt: false })
  })
})
