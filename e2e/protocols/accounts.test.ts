import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { makeHost, makePerson, permit } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import type { RunningProduct } from '@castellan/testing/product'
import { sharedProduct } from '@castellan/testing/shared-product'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { openWebTerminal, signInForCookies, terminalQuery } from '@castellan/testing/web-terminal'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { byPassword, type SshPerson, ssh, sshTerminal } from '../openssh.ts'

const password = 'Accounts-and-zones-1'
const patience = { timeout: 20_000, interval: 50 }

describeWith(['sshd', 'ssh-keygen', 'ssh'], 'zones, accounts and character sets', () => {
  let product: RunningProduct
  let admin: Client
  let user: AnyRow
  let person: SshPerson
  /** The target, the gateway before it, and the second account of the target's machine. */
  let target: RealSshd
  let door: RealSshd
  const folder = mkdtempSync(join(tmpdir(), 'castellan-accounts-'))

  beforeAll(async () => {
    ;[target, door, product] = await Promise.all([startSshd({ shell: '/bin/sh' }), startSshd(), sharedProduct()])
    admin = await signIn(product.url, 'admin', product.adminPassword)
    user = await makePerson(admin, 'eva', password)
    person = byPassword(folder, 'eva', password)
  })
  afterAll(async () => {
    await target?.stop()
    await door?.stop()
    rmSync(folder, { recursive: true })
  })

  const login = (asset: string, account = target.username) => `eva@${account}@${asset}`
  const echo = (asset: string) => ssh(product, person, login(asset), ['127.0.0.1', 'echo there'])
  const account = (username: string, secret: string | undefined, more: object = {}) => ({
    name: username,
    username,
    secret_type: 'password',
    ...(secret ? { secret } : {}),
    ...more,
  })

  async function web(asset: AnyRow, choice: { account: string; [field: string]: unknown }, username = 'eva') {
    const client = await signIn(product.url, username, password)
    const cookie = await signInForCookies(product.url, username, password)
    return openWebTerminal(product.url, await terminalQuery(client, { asset: asset.id, ...choice }), cookie)
  }

  describe('a host in a zone', () => {
    let gateway: AnyRow
    let gone: AnyRow

    beforeAll(async () => {
      const zone = await admin.collection('assets/domains').create({ name: 'cellar' })
      const make = (name: string, port: number, more: object = {}) =>
        admin.collection('assets/gateways').create({
          name,
          address: door.host,
          platform: 9,
          domain: zone.id,
          protocols: [{ name: 'ssh', port }],
          accounts: [{ name: 'jump', username: door.username, secret_type: 'ssh_key', secret: door.privateKey }],
          ...more,
        })
      gateway = await make('trapdoor', door.port)
      // Never to be chosen: it is switched off, and nobody listens there.
      gone = await make('bricked-up', 1, { is_active: false })
      await permit(admin, user, [await makeHost(admin, target, 'barrel', { address: 'localhost', domain: zone.id })])
    })

    it('is reached through its active gateway, and the host keys of both are pinned', async () => {
      for (let at = 0; at < 3; at++) expect((await echo('barrel')).out.toString()).toBe('there\n')
      const keys = await admin.collection('assets/host-keys').all()
      const pinned = keys.map((key) => [(key.asset as AnyRow).name, key.fingerprint])
      expect(pinned).toEqual(
        expect.arrayContaining([
          ['trapdoor', door.fingerprint()],
          ['barrel', target.fingerprint()],
        ]),
      )
      expect(pinned.map(([name]) => name)).not.toContain('bricked-up')
    })

    it('is not reached through a gateway whose host key has changed', async () => {
      await door.changeHostKey()
      const answer = await echo('barrel')
      expect(answer).toMatchObject({ code: 255, out: Buffer.alloc(0) })
      expect(answer.err).toContain('The host key of trapdoor has changed')
      expect(answer.err).toContain(door.fingerprint())
      const keys = await admin.collection('assets/host-keys').all()
      await admin.request('PUT', `/api/v1/assets/host-keys/${keys.find((key) => key.changed)?.id}/accept/`, {})
      expect((await echo('barrel')).out.toString()).toBe('there\n')
    })

    it('is not reached when its gateway is down, and the text names the gateway', async () => {
      await admin.collection('assets/gateways').change(gateway.id, { protocols: [{ name: 'ssh', port: 1 }] })
      const answer = await echo('barrel')
      expect(answer.code).toBe(255)
      expect(answer.err).toContain('the gateway "trapdoor" failed')
      // Not past the gateway, although the host itself answers here.
      expect(answer.out.toString()).toBe('')
      expect(gone.is_active).toBe(false)
    })
  })

  describeWith('root', 'accounts that bring no secret', () => {
    let host: AnyRow

    beforeAll(async () => {
      host = await makeHost(admin, target, 'typed', { accounts: [account('nosecret', undefined)] })
      await admin.collection('perms/asset-permissions').create({
        name: 'typed',
        users: [user.id],
        assets: [host.id],
        accounts: ['@INPUT', '@USER', 'nosecret'],
        protocols: ['all'],
        actions: ['all'],
      })
    })

    it('@INPUT asks for name and password in OpenSSH, and the right ones open a shell', async () => {
      const terminal = sshTerminal(product, person, login('typed', '@INPUT'))
      await vi.waitFor(() => expect(terminal.news()).toMatch(/Username: $/), patience)
      terminal.type(`${target.username}\r`)
      await vi.waitFor(() => expect(terminal.news()).toMatch(/Password: $/), patience)
      terminal.type(`${target.password}\r`)
      await vi.waitFor(() => expect(terminal.news()).toMatch(/\$ $/), patience)
      terminal.type('echo "I am $(whoami)"; exit 3\r')
      await vi.waitFor(() => expect(terminal.code()).toBe(3), patience)
      expect(terminal.text()).toContain(`I am ${target.username}`)
      expect(terminal.text()).not.toContain(target.password)
    })

    it('a wrong password is told, without saying what was wrong', async () => {
      const terminal = sshTerminal(product, person, login('typed', '@INPUT'))
      await vi.waitFor(() => expect(terminal.news()).toMatch(/Username: $/), patience)
      terminal.type(`${target.username}\r`)
      await vi.waitFor(() => expect(terminal.news()).toMatch(/Password: $/), patience)
      terminal.type('not-this-one\r')
      await vi.waitFor(() => expect(terminal.code()).toBe(255), patience)
      expect(terminal.text()).toContain('the host rejected the account')
    })

    it('the menu asks too', async () => {
      const terminal = sshTerminal(product, person, 'eva')
      await vi.waitFor(() => expect(terminal.news()).toMatch(/Opt> $/), patience)
      terminal.type('typed\r')
      await vi.waitFor(() => expect(terminal.news()).toMatch(/ID> $/), patience)
      const row = terminal
        .news()
        .split('\n')
        .find((line) => line.includes('@INPUT'))
      terminal.type(`${/\d+/.exec(row ?? '')?.[0]}\r`)
      await vi.waitFor(() => expect(terminal.news()).toMatch(/Username: $/), patience)
      terminal.type(`${target.username}\r`)
      await vi.waitFor(() => expect(terminal.news()).toMatch(/Password: $/), patience)
      terminal.type(`${target.password}\r`)
      await vi.waitFor(() => expect(terminal.news()).toMatch(/\$ $/), patience)
      await terminal.close()
    })

    it('@USER is the account called as the person is, with the password they type', async () => {
      const same = await makePerson(admin, target.username, password)
      await permit(admin, same, [host])
      await admin.collection('perms/asset-permissions').create({
        name: 'same',
        users: [same.id],
        assets: [host.id],
        accounts: ['@USER'],
        protocols: ['all'],
        actions: ['all'],
      })
      const own = byPassword(folder, target.username, password)
      const terminal = sshTerminal(product, own, `${target.username}@@USER@typed`)
      await vi.waitFor(() => expect(terminal.news()).toMatch(/Password: $/), patience)
      expect(terminal.text()).not.toContain('Username: ')
      terminal.type(`${target.password}\r`)
      await vi.waitFor(() => expect(terminal.news()).toMatch(/\$ $/), patience)
      terminal.type('echo "I am $(whoami)"\r')
      await vi.waitFor(() => expect(terminal.news()).toContain(`I am ${target.username}`), patience)
      await terminal.close()

      const inBrowser = await web(host, { account: '@USER', input_secret: target.password }, target.username)
      await vi.waitFor(() => expect(inBrowser.text).toMatch(/\$ $/), patience)
      inBrowser.type('echo "I am $(whoami)"\r')
      await vi.waitFor(() => expect(inBrowser.text).toContain(`I am ${target.username}`), patience)
      inBrowser.socket.close()
    })

    it('the web terminal takes what was typed, and says when it was wrong', async () => {
      const choice = { account: '@INPUT', input_username: target.username }
      const wrong = await web(host, { ...choice, input_secret: 'not-this-one' })
      await vi.waitFor(() => expect(wrong.closed).toBe(true), patience)
      expect(wrong.error()).toContain('the host rejected the account')
      const right = await web(host, { ...choice, input_secret: target.password })
      await vi.waitFor(() => expect(right.text).toMatch(/\$ $/), patience)
      right.type('echo "I am $(whoami)"\r')
      await vi.waitFor(() => expect(right.text).toContain(`I am ${target.username}`), patience)
      right.socket.close()
    })

    it('a command without a terminal has nobody to ask, and says so', async () => {
      const answer = await ssh(product, person, login('typed', '@INPUT'), ['127.0.0.1', 'echo never'])
      expect(answer).toMatchObject({ code: 255, out: Buffer.alloc(0) })
      expect(answer.err).toMatch(/terminal|password/i)
    })
  })

  it('a host that speaks GBK gets GBK, and the person reads UTF-8', async () => {
    const platform = await admin.collection('assets/platforms').create({
      name: 'Linux-GBK',
      category: 'host',
      type: 'linux',
      charset: 'gbk',
      protocols: [{ name: 'ssh', port: 22, primary: true, default: true }],
    })
    const host = await makeHost(admin, target, 'old', {
      platform: platform.id,
      protocols: [{ name: 'ssh', port: target.port }],
    })
    await permit(admin, user, [host])
    const terminal = await web(host, { account: 'person' })
    await vi.waitFor(() => expect(terminal.text).toMatch(/\$ $/), patience)
    terminal.type('printf 中文 | od -An -tx1\r')
    await vi.waitFor(() => expect(terminal.text).toContain('d6 d0 ce c4'), patience)
    terminal.type("printf '\\326\\320\\316\\304-from-the-host\\n'\r")
    await vi.waitFor(() => expect(terminal.text).toContain('中文-from-the-host'), patience)
    terminal.socket.close()
    const openssh = sshTerminal(product, person, login('old'))
    await vi.waitFor(() => expect(openssh.news()).toMatch(/\$ $/), patience)
    writeFileSync(join(target.home, 'list'), Buffer.from([0xb9, 0xb7, 0xa3, 0xac, 0x0a]))
    openssh.type('cat list; printf 狗 | od -An -tx1\r')
    await vi.waitFor(() => expect(openssh.news()).toMatch(/狗，[\s\S]*b9 b7/), patience)
    await openssh.close()
  })
})
