import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWindow, sharedBrowser, signInWindow } from '@castellan/testing/browser'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { makeHost, makePerson, permit } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import { freePort } from '@castellan/testing/ports'
import { type Product, startProduct } from '@castellan/testing/product'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import ssh2 from 'ssh2'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { comingCode, presentCode } from './one-time-codes.ts'
import { byKey, byPassword, run, type SshPerson, ssh, sshTerminal } from './openssh.ts'

const name = 'olivia'
const password = 'Olivia-protocol-1'
const patience = { timeout: 20_000, interval: 100 }

/** A target that answers a command with its output, its exit status and its end in one packet. */
async function hastyDevice(): Promise<{ port: number; stop(): void }> {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  const sockets = createServer((socket) => {
    const server = new ssh2.Server({ hostKeys: [privateKey] }, (client) => {
      client.on('authentication', (context) => context.accept())
      client.on('session', (accept) => {
        accept().on('exec', (take) => {
          socket.cork()
          const channel = take()
          channel.write('done\n')
          channel.exit(7)
          channel.end()
          setImmediate(() => socket.uncork())
        })
      })
    })
    server.injectSocket(socket)
  })
  await new Promise<void>((resolve) => sockets.listen(0, 'localhost', resolve))
  return { port: (sockets.address() as AddressInfo).port, stop: () => sockets.close() }
}

describeWith(['chromium', 'sshd', 'ssh-keygen', 'ssh', 'scp', 'sftp'], 'OpenSSH and what is built on it', () => {
  let product: Product
  let target: RealSshd
  let admin: Client
  let user: AnyRow
  let permission: AnyRow
  let person: SshPerson
  let keyed: SshPerson
  let folder = ''
  let direct = ''
  const five = randomBytes(5_000_000)

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-protocols-'))
    target = await startSshd()
    product = await startProduct({ env: { CASTELLAN_SSH_PORT_FORWARDING: 'off' } })
    admin = await signIn(product.url, 'admin', product.adminPassword)
    user = await makePerson(admin, name, password)
    const host = await makeHost(admin, target, 'reachable')
    const nobody = [{ name: 'ssh', port: await freePort() }]
    const gone = await makeHost(admin, target, 'gone', { address: '127.0.0.2', protocols: nobody })
    permission = await permit(admin, user, [host, gone])
    person = byPassword(folder, name, password)
    direct = `${name}@${target.username}@127.0.0.1`
    const keyFile = join(folder, 'key')
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', keyFile])
    keyed = byKey(keyFile)
    writeFileSync(join(folder, 'five'), five)
  })
  afterAll(async () => {
    await product?.stop()
    await target?.stop()
    rmSync(folder, { recursive: true })
  })

  it('the page for own tools names the place and the key that OpenSSH finds there', async () => {
    const answer = await fetch(`${product.url}/core/download/`, { headers: { 'accept-language': 'en' } })
    const facts = JSON.parse(/id="page">([^<]*)</.exec(await answer.text())?.[1] ?? '{}')
    expect(facts).toMatchObject({ page: 'tools', host: '127.0.0.1', port: product.sshPort })
    const words = ['-v', '-o', 'StrictHostKeyChecking=yes', '-o', 'UserKnownHostsFile=/dev/null']
    const asked = await run('ssh', [...words, '-p', `${facts.port}`, facts.host], process.env)
    expect(asked.err).toContain(`Server host key: ssh-rsa ${facts.fingerprint}`)
  })

  it('a wrong password opens nothing', async () => {
    const answer = await ssh(product, byPassword(folder, 'wrong', 'not-it'), direct, ['127.0.0.1', 'echo never'])
    expect(answer.code).toBe(255)
    expect(answer.out.toString()).toBe('')
    expect(answer.err).toContain('Permission denied')
  })

  it('five megabytes go through a command in both directions unchanged', async () => {
    const answer = await ssh(product, person, direct, ['127.0.0.1', 'cat'], five)
    expect(answer.code).toBe(0)
    expect(answer.out.equals(five)).toBe(true)
  })

  it('the person’s public key signs in, another one does not', async () => {
    expect((await ssh(product, keyed, direct, ['127.0.0.1', 'echo never'])).code).toBe(255)
    const self = await signIn(product.url, name, password)
    const public_key = readFileSync(join(folder, 'key.pub'), 'utf8')
    await self.request('PATCH', '/api/v1/users/profile/', { public_key })
    const answer = await ssh(product, keyed, direct, ['127.0.0.1', 'whoami'])
    expect(answer.out.toString()).toBe(`${target.username}\n`)
  })

  it('a one-time code is asked for, and opens nothing twice', async () => {
    const mika = await makePerson(admin, 'mika', password)
    const [host] = await admin.collection('assets/hosts').all({ name: 'reachable' })
    await permit(admin, mika, [host as AnyRow])
    const browser = await sharedBrowser()
    const { page } = await openWindow(browser)
    await signInWindow(page, product.url, 'mika', password)
    await page.goto(`${product.url}/core/auth/profile/otp/enable/start/`)
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByRole('link', { name: 'Next' }).click()
    const secret = (await page.locator('.secret code').innerText()).replaceAll(' ', '')
    await page.locator('input[name=otp_code]').fill(presentCode(secret))
    await page.keyboard.press('Enter')
    await page.getByText('One-time passwords are on').waitFor()
    await browser.close()

    const login = `mika@${target.username}@127.0.0.1`
    const attempt = (code: string) =>
      ssh(product, byPassword(folder, 'mika', password, code), login, ['127.0.0.1', 'echo in'])
    const code = comingCode(secret)
    expect((await attempt('000000')).code).toBe(255)
    expect((await attempt(code)).out.toString()).toBe('in\n')
    expect((await attempt(code)).code).toBe(255)
  })

  it('of several accounts with one username a command names which there are, and takes one by its name', async () => {
    const twice = await makePerson(admin, 'twice', password)
    const accounts = ['by key', 'once more'].map((account) => ({
      name: account,
      username: target.username,
      secret_type: 'ssh_key',
      secret: target.privateKey,
    }))
    await permit(admin, twice, [await makeHost(admin, target, 'doubled', { accounts: accounts.slice(0, 1) })])
    const [host] = await admin.collection('assets/hosts').all({ name: 'doubled' })
    await admin
      .collection('accounts/accounts')
      .create({ ...accounts[1], secret_type: 'password', secret: 'x', asset: host?.id })
    const asked = (account: string) =>
      ssh(product, byPassword(folder, 'twice', password), `twice@${account}@doubled`, ['127.0.0.1', 'echo in'])
    const refused = await asked(target.username)
    expect(refused).toMatchObject({ code: 255 })
    expect(refused.err).toMatch(/Several accounts on doubled .*(by key, once more|once more, by key)/)
    expect((await asked('by key')).out.toString()).toBe('in\n')
  })

  it('a command that is over at once keeps its exit status', async () => {
    const device = await hastyDevice()
    const hasty = await makeHost(admin, target, 'hasty', {
      address: 'localhost',
      protocols: [{ name: 'ssh', port: device.port }],
    })
    const briefly = await permit(admin, user, [hasty])
    const answer = await ssh(product, person, `${name}@${target.username}@hasty`, ['127.0.0.1', 'anything'])
    expect({ ...answer, out: answer.out.toString() }).toEqual({ code: 7, out: 'done\n', err: '' })
    device.stop()
    await admin.collection('perms/asset-permissions').delete(briefly.id)
  })

  it('scp carries a file there and back', async () => {
    const remote = `scp://${encodeURIComponent(direct)}@127.0.0.1:${product.sshPort}/${target.home}/by-scp`
    expect(await run('scp', [...person.words, join(folder, 'five'), remote], person.env)).toMatchObject({ code: 0 })
    expect(readFileSync(join(target.home, 'by-scp')).equals(five)).toBe(true)
    await run('scp', [...person.words, remote, join(folder, 'scp-back')], person.env)
    expect(readFileSync(join(folder, 'scp-back')).equals(five)).toBe(true)
  })

  it('an sftp batch makes, moves, lists and removes', async () => {
    const batch = join(folder, 'batch')
    const lines = ['mkdir box', `put ${join(folder, 'five')} box/one`, 'rename box/one box/two', 'chmod 600 box/two']
    writeFileSync(batch, [...lines, 'ls -l box', 'symlink two box/three', 'rm box/three', 'pwd'].join('\n'))
    const args = ['-b', batch, ...keyed.words, '-P', `${product.sshPort}`, '-o', `User=${direct}`, '127.0.0.1']
    const answer = await run('sftp', args, keyed.env)
    expect(answer).toMatchObject({ code: 0, err: '' })
    expect(answer.out.toString()).toMatch(/-rw------- .* 5000000 .*two/)
    expect(readFileSync(join(target.home, 'box/two')).equals(five)).toBe(true)
  })

  describeWith('rsync', 'rsync', () => {
    it('rsync mirrors a folder, and then only what changed', async () => {
      const shell = `ssh ${person.words.join(' ')} -p ${product.sshPort} -l ${direct}`
      const sync = () =>
        run('rsync', ['-a', '--stats', '-e', shell, `${folder}/five`, '127.0.0.1:mirror/'], { ...person.env })
      expect(await sync()).toMatchObject({ code: 0, err: '' })
      expect(readFileSync(join(target.home, 'mirror/five')).equals(five)).toBe(true)
      expect((await sync()).out.toString()).toMatch(/transferred: 0$/m)
    })
  })

  describeWith('ansible', 'ansible', () => {
    it('Ansible reaches the host: its modules and its commands', async () => {
      const options = [...keyed.words, '-o', 'ControlMaster=no'].join(' ')
      const env = { ...keyed.env, LC_ALL: 'C.UTF-8', ANSIBLE_HOME: join(folder, 'ansible'), ANSIBLE_SSH_ARGS: options }
      const inventory = join(folder, 'inventory')
      const line = `box ansible_host=127.0.0.1 ansible_port=${product.sshPort} ansible_user=${direct}`
      writeFileSync(inventory, `${line} ansible_python_interpreter=/usr/bin/python3\n`)
      const ping = await run('ansible', ['all', '-i', inventory, '-m', 'ping'], env)
      expect(ping.out.toString() + ping.err).toContain('"ping": "pong"')
      const command = await run('ansible', ['all', '-i', inventory, '-m', 'command', '-a', 'whoami'], env)
      expect(command.out.toString()).toContain(target.username)
    })
  })

  it('a port is not forwarded where that is switched off', async () => {
    const answer = await ssh(product, person, direct, ['-W', `127.0.0.1:${target.port}`, '127.0.0.1'])
    expect(answer.code).toBe(255)
    expect(answer.out.toString()).not.toContain('SSH-2.0')
    expect(answer.err).toMatch(/forwarding failed/)
  })

  it('a host that does not answer says so', async () => {
    const answer = await ssh(product, person, `${name}@${target.username}@127.0.0.2`, ['127.0.0.1', 'echo never'])
    expect(answer.code).toBe(255)
    expect(answer.out.toString()).toBe('')
    expect(answer.err).toContain('Cannot connect to gone(127.0.0.2): the connection was refused')
  })

  it('the menu lists, pages, searches, connects and speaks three languages', async () => {
    const many = Array.from({ length: 30 }, (_, at) =>
      makeHost(admin, target, `row-${at + 10}`, { address: '127.0.0.3' }),
    )
    await admin.collection('perms/asset-permissions').change(permission.id, {
      assets: [...(permission.assets as AnyRow[]), ...(await Promise.all(many))].map(({ id }) => id),
    })
    const menu = sshTerminal(product, person, name)
    const shows = (what: string | RegExp) => vi.waitFor(() => expect(menu.news()).toMatch(what), patience)
    await shows('Opt> ')
    menu.type('p\r')
    await shows(/Page 1 of [2-9], \d+ per page, 32 in total/)
    menu.type('n\r')
    await shows(/Page 2 of [2-9]/)
    menu.type('b\r')
    await shows('Page 1 of')
    menu.type('/row-1\r')
    await shows('10 in total')
    expect(menu.news()).not.toContain('row-20')
    menu.type('//row-17\r')
    await shows('1 in total')
    menu.type('s\r')
    await shows('欢迎使用')
    menu.type('s\r')
    await shows('ようこそ')
    menu.type('s\r')
    await shows('welcome to')
    menu.type('reachable\r')
    await shows(/\$ $/)
    menu.type('echo from-the-$((40+2))-menu\r')
    await shows('from-the-42-menu')
    menu.type('exit\r')
    await shows(/Opt> $/)
    menu.type('q\r')
    await vi.waitFor(() => expect(menu.code()).toBe(0), patience)
  })

  it('a changed host key is refused, and stands in the operate log', async () => {
    await target.changeHostKey()
    const answer = await ssh(product, person, direct, ['127.0.0.1', 'echo never'])
    expect(answer.err).toContain('The host key of reachable(127.0.0.1) has changed')
    const page = await admin.collection('audits/operate-logs').page({ limit: 5 })
    const details = page.results.map(({ id }) =>
      admin.request<{ diff: { after: string }[] }>('GET', `/api/v1/audits/operate-logs/${id}/?type=action_detail`),
    )
    const offered = (await Promise.all(details)).flatMap(({ diff }) => diff.map(({ after }) => after))
    expect(offered).toContain(target.fingerprint())
    const keys = await admin.collection('assets/host-keys').all()
    const changed = keys.find((key) => key.changed)
    await admin.request('PUT', `/api/v1/assets/host-keys/${changed?.id}/accept/`, {})
    expect((await ssh(product, person, direct, ['127.0.0.1', 'echo accepted'])).out.toString()).toBe('accepted\n')
  })

  it('a session ends within seconds of its permission, and says why', async () => {
    const terminal = sshTerminal(product, person, direct)
    await vi.waitFor(() => expect(terminal.text()).toMatch(/\$ $/), patience)
    await admin.collection('perms/asset-permissions').delete(permission.id)
    await vi.waitFor(() => expect(terminal.code()).not.toBeUndefined(), patience)
    expect(terminal.text()).toContain('Your permission for this asset has ended')
  })
})
