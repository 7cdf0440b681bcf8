import { type AddressInfo, connect, createServer } from 'node:net'
import { describeWith } from '@castellan/testing/parts'
import { startVault, type VaultServer } from '@castellan/testing/vault-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RotationBench, startRotation } from '../../../testing/rotation.ts'
import { marker } from '../vault/vault-entries.ts'

let bench: RotationBench
let vault: VaultServer
beforeAll(async () => {
  ;[bench, vault] = await Promise.all([startRotation(), startVault()])
  await bench.server.changeSettings('vault', {
    VAULT_ENABLED: true,
    VAULT_HCP_HOST: vault.url,
    VAULT_HCP_TOKEN: vault.token,
  })
  await bench.work()
})
afterAll(async () => {
  await bench?.stop()
  await vault?.stop()
})

/** Moves every secret into the vault. */
async function fill(): Promise<void> {
  const { task } = await bench.admin.request<{ task: string }>('POST', '/api/v1/settings/vault/sync/')
  await bench.taskEnded(task)
}

const column = async (table: string, id: string) => {
  const { reader } = bench.server.application.services.database
  return (await reader.selectFrom(table).select('secret').where('id', '=', id).executeTakeFirstOrThrow()).secret
}

/** Passes connections on to the sshd; seals the vault before it does so for the connection with this number. */
async function sealingProxy(sealAt: number) {
  let count = 0
  const proxy = createServer(async (socket) => {
    socket.on('error', () => undefined)
    if (++count === sealAt) await vault.seal()
    const onward = connect(bench.sshd.port, bench.sshd.host)
    onward.on('error', () => socket.destroy())
    onward.on('close', () => socket.destroy())
    socket.on('close', () => onward.destroy())
    socket.pipe(onward).pipe(socket)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    port: (proxy.address() as AddressInfo).port,
    connections: () => count,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => proxy.close(() => resolve())),
  }
}

const earlierSecrets = async (id: string): Promise<string[]> => {
  const { settings, events } = bench.server.application.services
  await bench.server
    .context()
    .transaction(({ rawDb }) => settings.store(rawDb, events, { SECURITY_VIEW_AUTH_NEED_MFA: false }))
  await settings.load()
  const rows = await bench.api<{ secret: string }[]>('GET', `account-secrets/${id}/histories/`)
  return rows.map(({ secret }) => secret)
}

/** Starts a plan as somebody who reads this language. */
async function startIn(language: string, automation: string): Promise<string> {
  const path = '/api/v1/accounts/change-secret-executions/'
  const answer = await fetch(bench.server.url + path, {
    method: 'POST',
    body: JSON.stringify({ automation }),
    headers: {
      ...bench.admin.proof('POST', path),
      'content-type': 'application/json',
      'accept-language': language,
    },
  })
  return ((await answer.json()) as { task: string }).task
}

describeWith(['sshd', 'ssh-keygen', 'root', 'vault'], 'changing secrets that the vault keeps', () => {
  it('sets new ones, which are in the vault afterwards, as the earlier ones are', async () => {
    const asset = await bench.host()
    const { id, username, password } = await bench.person(asset)
    await fill()
    expect(await column('accounts_account', id)).toBe(marker)
    const plan = await bench.plan({ assets: [asset], accounts: [username] })
    const secrets = [password]
    for (const round of [1, 2]) {
      const { summary } = await bench.run(plan)
      expect(summary, `round ${round}`).toMatchObject({ success: 1, failed: 0 })
      const secret = await bench.secretOf(id)
      expect(secrets).not.toContain(secret)
      expect(await bench.accepts(username, secret)).toBe(true)
      await fill()
      expect(await column('accounts_account', id), 'the new secret is in the vault').toBe(marker)
      expect(await bench.secretOf(id)).toBe(secret)
      secrets.unshift(secret)
    }
    expect(await earlierSecrets(id)).toEqual(secrets.slice(1))
  })

  it('touches no target while the vault is sealed, and says so in three languages', async () => {
    const asset = await bench.host()
    const { id, username, password } = await bench.person(asset)
    await fill()
    const plan = await bench.plan({ assets: [asset], accounts: [username] })
    await vault.seal()
    try {
      for (const [language, words] of [
        ['en', 'is sealed. Unseal it'],
        ['zh', '已封存，请解封后重试'],
        ['ja', '封印を解除して'],
      ] as const) {
        const execution = await bench.ended(await startIn(language, plan))
        expect(execution.summary).toMatchObject({ success: 0, failed: 1 })
        const [record] = await bench.records(`execution_id=${execution.id}`)
        expect(record).toMatchObject({ status: 'failed', in_doubt: false, error_code: 'vault_unavailable' })
        expect(record?.error).toContain(words)
      }
    } finally {
      await vault.unseal()
    }
    expect(await bench.secretOf(id)).toBe(password)
    expect(await bench.accepts(username, password)).toBe(true)
  })

  it('never loses the valid one, at whichever connection to the target the vault goes away', async () => {
    for (let sealAt = 1; ; sealAt++) {
      await using proxy = await sealingProxy(sealAt)
      const asset = await bench.host({ protocols: [{ name: 'ssh', port: proxy.port }] })
      const { id, username } = await bench.person(asset)
      await fill()
      const plan = await bench.plan({ assets: [asset], accounts: [username] })
      const { id: execution } = await bench.run(plan)
      const isSealed = proxy.connections() >= sealAt
      const [record] = await bench.records(`execution_id=${execution}`)
      expect(record, `at connection ${sealAt}`).toBeDefined()
      if (isSealed) {
        // A secret that was set waits in the database, and needs no vault.
        if (record?.status === 'success') expect(await bench.accepts(username, await bench.secretOf(id))).toBe(true)
        await vault.unseal()
      }
      expect(await bench.accepts(username, await bench.secretOf(id)), `at connection ${sealAt}`).toBe(true)
      const { summary } = await bench.run(plan)
      expect(summary, `the next run after ${sealAt}`).toMatchObject({ success: 1, failed: 0 })
      expect(await bench.accepts(username, await bench.secretOf(id))).toBe(true)
      if (!isSealed) {
        expect(sealAt, 'the vault went away at some step').toBeGreaterThan(1)
        return
      }
    }
  })
})
