import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { makePerson, permit } from '@castellan/testing/granted-host'
import { type Hang, type HangingTarget, startHangingTarget } from '@castellan/testing/hanging-target'
import { describeWith } from '@castellan/testing/parts'
import type { RunningProduct } from '@castellan/testing/product'
import { sharedProduct } from '@castellan/testing/shared-product'
import { openWebTerminal, signInForCookies, terminalQuery } from '@castellan/testing/web-terminal'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { byPassword, run, type SshPerson, ssh } from '../openssh.ts'

const person = { username: 'hana', password: 'Hana-waits-123' }
const steps: Hang[] = ['greeting', 'key-exchange', 'sign-in', 'channel', 'shell', 'files']
/** Signing in may take twenty seconds, and opening a channel twenty more. */
const longest = 50_000

describeWith(['ssh', 'sftp'], 'a target that hangs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-hanging-'))
  const targets = new Map<Hang, HangingTarget>()
  const hosts = new Map<Hang, AnyRow>()
  let product: RunningProduct
  let admin: Client
  let openssh: SshPerson

  beforeAll(async () => {
    product = await sharedProduct()
    admin = await signIn(product.url, 'admin', product.adminPassword)
    for (const step of steps) {
      const target = await startHangingTarget(step)
      targets.set(step, target)
      const host = await admin.collection('assets/hosts').create({
        name: `hangs-${step}`,
        address: '127.0.0.1',
        platform: 1,
        protocols: ['ssh', 'sftp'].map((name) => ({ name, port: target.port })),
        nodes_display: ['/Default'],
        accounts: [{ name: 'root', username: 'root', secret_type: 'password', secret: 'any' }],
      })
      hosts.set(step, host)
    }
    await permit(admin, await makePerson(admin, person.username, person.password, { lang: 'ja' }), [...hosts.values()])
    openssh = byPassword(folder, person.username, person.password)
  })
  afterAll(async () => {
    for (const target of targets.values()) await target[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  const login = (step: Hang) => `${person.username}@root@hangs-${step}`

  it('is told of in time, in the shell, for a command and for files, and leaves nothing behind', async () => {
    const shells = steps.filter((step) => step !== 'files')
    // The targets never answer: that all of these end is the product's doing.
    const asked = await Promise.all([
      ...shells.map((step) => ssh(product, openssh, login(step), ['-tt', '127.0.0.1'])),
      ...shells.map((step) => ssh(product, openssh, login(step), ['127.0.0.1', 'uptime'])),
      ...(['greeting', 'channel', 'files'] as const).map((step) =>
        run('sftp', [...openssh.words, '-P', `${product.sshPort}`, `${login(step)}@127.0.0.1`], openssh.env, 'ls\n'),
      ),
    ])
    for (const { code, out, err } of asked) {
      expect(code).not.toBe(0)
      expect(`${out}${err}`).toMatch(/no response in time|応答がありません/)
    }
    await nothingIsLeft()
  })

  it('is told of in the browser, in the person’s language', async () => {
    const [cookie, client] = await Promise.all([
      signInForCookies(product.url, person.username, person.password),
      signIn(product.url, person.username, person.password),
    ])
    const terminals = await Promise.all(
      (['key-exchange', 'shell'] as const).map(async (step) => {
        const query = await terminalQuery(client, { asset: `${hosts.get(step)?.id}`, account: 'root' })
        return openWebTerminal(product.url, query, cookie)
      }),
    )
    await vi.waitFor(() => {
      for (const terminal of terminals) expect(terminal.error()).toMatch(/no response in time|応答がありません/)
    }, longest)
    await nothingIsLeft()
  })

  /** Every session has ended, without a shell, and no connection stands. */
  async function nothingIsLeft(): Promise<void> {
    await vi.waitFor(
      async () => {
        const all = await admin.collection('terminal/sessions').all()
        const sessions = all.filter(({ user }) => String(user).includes(person.username))
        expect(sessions).not.toEqual([])
        for (const session of sessions) expect(session).toMatchObject({ is_finished: true })
        expect(sessions.filter(({ protocol, is_success }) => protocol === 'ssh' && is_success)).toEqual([])
        for (const target of targets.values()) expect(target.connections()).toBe(0)
      },
      { timeout: 15_000, interval: 300 },
    )
  }
})
