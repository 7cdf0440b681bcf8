import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { startDistantPort } from '@castellan/testing/distant'
import { makeHost, makePerson, permit } from '@castellan/testing/granted-host'
import { startHangingTarget } from '@castellan/testing/hanging-target'
import { describeWith } from '@castellan/testing/parts'
import type { RunningProduct } from '@castellan/testing/product'
import { type RecordingGateway, startRecordingGateway } from '@castellan/testing/recording-gateway'
import { sharedProduct } from '@castellan/testing/shared-product'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { openWebTerminal, signInForCookies, terminalQuery } from '@castellan/testing/web-terminal'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { byPassword, run, type SshPerson, ssh, sshTerminal } from '../openssh.ts'

const password = 'Through-the-gate-1'
const patience = { timeout: 20_000, interval: 50 }
const ended = { timeout: 30_000, interval: 100 }

describeWith(['sshd', 'ssh-keygen', 'ssh', 'scp', 'sftp', 'root'], 'gateways of domains', () => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-gateways-'))
  let product: RunningProduct
  let admin: Client
  let user: AnyRow
  let person: SshPerson
  let target: RealSshd
  /** Two machines that are gateways, each with an sshd of its own. */
  let north: RealSshd
  let south: RealSshd
  let made = 0

  beforeAll(async () => {
    const config = ['ListenAddress ::1']
    ;[target, north, south, product] = await Promise.all([
      startSshd({ shell: '/bin/sh', config }),
      startSshd({ config }),
      startSshd(),
      sharedProduct(),
    ])
    admin = await signIn(product.url, 'admin', product.adminPassword)
    user = await makePerson(admin, 'gerda', password)
    person = byPassword(folder, 'gerda', password)
  })
  afterAll(async () => {
    for (const sshd of [target, north, south]) await sshd?.stop()
    rmSync(folder, { recursive: true })
  })

  type Way = Pick<RealSshd, 'port' | 'username'> & { password?: string; privateKey?: string; address?: string }

  const newGateway = (domain: AnyRow, name: string, { port, username, ...way }: Way, more: object = {}) =>
    admin.collection('assets/gateways').create({
      name,
      address: way.address ?? '127.0.0.1',
      platform: 9,
      domain: domain.id,
      protocols: [{ name: 'ssh', port }],
      accounts: [
        way.privateKey
          ? { name: 'jump', username, secret_type: 'ssh_key', secret: way.privateKey }
          : { name: 'jump', username, secret_type: 'password', secret: way.password },
      ],
      ...more,
    })

  /** A host in a domain of its own, with these gateways. */
  async function behind(gateways: Record<string, Way>, more: object = {}) {
    const label = `behind-${++made}`
    const domain = await admin.collection('assets/domains').create({ name: label })
    const rows: AnyRow[] = []
    for (const [name, way] of Object.entries(gateways)) rows.push(await newGateway(domain, `${name}-${made}`, way))
    const host = await makeHost(admin, target, label, { domain: domain.id, ...more })
    await permit(admin, user, [host])
    return { domain, host, gateways: rows, name: label, number: made }
  }

  const byKeyOf = ({ port, username, privateKey }: RealSshd): Way => ({ port, username, privateKey })
  const byPasswordOf = ({ port, username, password: secret }: RealSshd): Way => ({
    port,
    username,
    ...(secret ? { password: secret } : {}),
  })
  const login = (asset: string) => `gerda@${target.username}@${asset}`
  const echo = (asset: string) => ssh(product, person, login(asset), ['127.0.0.1', 'echo there'])
  async function sessionsOf(host: AnyRow): Promise<AnyRow[]> {
    const all = await admin.collection('terminal/sessions').all()
    return all.filter(({ asset_id }) => asset_id === host.id)
  }
  const gatewaysOfSessions = async (host: AnyRow) =>
    [...new Set((await sessionsOf(host)).map(({ gateway }) => String(gateway)))].sort()

  /** The name of the gateway follows the session through the queue to the server. */
  const expectGateways = (host: AnyRow, names: string[]) =>
    vi.waitFor(async () => expect(await gatewaysOfSessions(host)).toEqual(names), patience)

  async function web(host: AnyRow) {
    const client = await signIn(product.url, 'gerda', password)
    const cookie = await signInForCookies(product.url, 'gerda', password)
    const terminal = openWebTerminal(
      product.url,
      await terminalQuery(client, { asset: host.id, account: 'person' }),
      cookie,
    )
    await vi.waitFor(() => expect(terminal.text).toMatch(/\$ $/), patience)
    return terminal
  }

  async function logOf(path: string, body: object): Promise<string> {
    const { task } = await admin.request<{ task: string }>('POST', path, body)
    await vi.waitFor(async () => {
      const execution = await admin.request<AnyRow>('GET', `/api/v1/ops/task-executions/${task}/`)
      expect(execution.is_finished).toBe(true)
    }, ended)
    return (await admin.request<{ data: string }>('GET', `/api/v1/ops/celery/task/${task}/task-execution/${task}/log/`))
      .data
  }

  describe('every way to an asset', () => {
    it.each([
      ['a password', byPasswordOf],
      ['a key', byKeyOf],
    ])('leads through a gateway signed in to with %s, which the record of the session names', async (_what, way) => {
      const { host, name, gateways, number } = await behind({ north: way(north) })
      const terminal = await web(host)
      terminal.type('echo "I am $(whoami)"\r')
      await vi.waitFor(() => expect(terminal.text).toContain(`I am ${target.username}`), patience)
      terminal.socket.close()

      expect((await echo(name)).out.toString()).toBe('there\n')

      const file = join(folder, 'sent')
      writeFileSync(file, 'a letter')
      const place = `${encodeURIComponent(login(name))}@127.0.0.1:${product.sshPort}/${target.home}/letter`
      for (const words of [
        [file, `scp://${place}`],
        [`scp://${place}`, join(folder, 'back')],
      ])
        expect(await run('scp', [...person.words, ...words], person.env)).toMatchObject({ code: 0 })
      expect(readFileSync(join(folder, 'back'), 'utf8')).toBe('a letter')
      const sftp = [...person.words, '-P', `${product.sshPort}`, '-o', `User=${login(name)}`, '127.0.0.1']
      expect((await run('sftp', sftp, person.env, `ls ${target.home}\n`)).out.toString()).toContain('letter')

      const forwarded = await ssh(product, person, login(name), ['-W', `127.0.0.1:${target.port}`, '127.0.0.1'])
      expect(forwarded.out.toString()).toMatch(/^SSH-2\.0-OpenSSH/)

      await vi.waitFor(async () => {
        const types = (await sessionsOf(host)).map(({ type }) => (type as { value: string }).value)
        expect(new Set(types)).toEqual(new Set(['normal', 'command', 'sftp', 'tunnel']))
      }, patience)
      await expectGateways(host, [`north-${number}(127.0.0.1)`])

      const tested = await logOf(`/api/v1/assets/assets/${host.id}/tasks/`, { action: 'test' })
      expect(tested).toContain(`through gateway north-${number}`)
      await logOf(`/api/v1/assets/assets/${host.id}/tasks/`, { action: 'refresh' })
      expect((await admin.collection('assets/hosts').get(host.id)).gathered_info).toHaveProperty('arch')
      const [account] = await admin.collection('accounts/accounts').all({ asset: host.id })
      const verified = await logOf('/api/v1/accounts/accounts/tasks/', { action: 'verify', accounts: [account?.id] })
      expect(verified).toContain(`through gateway north-${number}`)
      expect(gateways).toHaveLength(1)
    })

    it('leads over addresses of IPv6, written with brackets or without', async () => {
      const { port, username, privateKey } = north
      for (const address of ['::1', '[::1]', '0:0:0:0:0:0:0:1']) {
        const { name, number, host } = await behind({ six: { port, username, privateKey, address } }, { address })
        expect((await echo(name)).out.toString()).toBe('there\n')
        // Addresses are stored without brackets.
        const stored = address.replace(/[[\]]/g, '')
        await expectGateways(host, [`six-${number}(${stored})`])
      }
    })

    it('users are not told the addresses of gateways in their own sessions', async () => {
      const own = await (await signIn(product.url, 'gerda', password)).collection('terminal/my-sessions').all()
      expect(own.length).toBeGreaterThan(0)
      for (const session of own) expect(session).not.toHaveProperty('gateway')
    })
  })

  describe('several gateways', () => {
    it('the one that works is used, whatever is wrong with the others', async () => {
      const none = await startSshd({ config: ['AllowTcpForwarding no'] })
      await using mute = await startHangingTarget('greeting')
      await using undecided = await startHangingTarget('sign-in')
      const { host, name, number } = await behind({
        closed: { port: 1, username: 'nobody', password: 'x' },
        refusing: byKeyOf(none),
        mute: { port: mute.port, username: 'nobody', password: 'x' },
        undecided: { port: undecided.port, username: 'nobody', password: 'x' },
        works: byKeyOf(south),
      })
      for (let at = 0; at < 3; at++) expect((await echo(name)).out.toString()).toBe('there\n')
      await expectGateways(host, [`works-${number}(127.0.0.1)`])
      await none.stop()
      // The attempts that lost have let go of theirs.
      await vi.waitFor(() => expect([mute.connections(), undecided.connections()]).toEqual([0, 0]), patience)
    })

    it('the nearest one is used', async () => {
      await using near = await startRecordingGateway()
      await using gate = await startRecordingGateway()
      await using far = await startDistantPort({ host: '127.0.0.1', port: gate.port }, 150)
      const { host, name, number } = await behind({ far: { ...gate, port: far.port }, near })
      await echo(name)
      for (let at = 0; at < 3; at++) expect((await echo(name)).out.toString()).toBe('there\n')
      await expectGateways(host, [`near-${number}(127.0.0.1)`])
    })

    it('a preferred one that hangs does not hold up anybody', async () => {
      await using gate = await startRecordingGateway()
      const { domain, host, name, number } = await behind({ stalling: gate })
      expect((await echo(name)).out.toString()).toBe('there\n')
      gate.hangs = true
      await newGateway(domain, `awake-${number}`, byKeyOf(south))
      for (let at = 0; at < 2; at++) expect((await echo(name)).out.toString()).toBe('there\n')
      await expectGateways(host, [`awake-${number}(127.0.0.1)`, `stalling-${number}(127.0.0.1)`])
    })

    it('one that dies under a command says so', async () => {
      await using gate = await startRecordingGateway()
      const { name, number } = await behind({ first: gate })
      const running = ssh(product, person, login(name), ['127.0.0.1', 'echo begun; sleep 60'])
      await vi.waitFor(() => expect(gate.forwards).toHaveLength(1), patience)
      await vi.waitFor(async () => {
        const sessions = await admin.collection('terminal/sessions').all({ is_finished: false })
        expect(sessions.some(({ gateway }) => gateway === `first-${number}(127.0.0.1)`)).toBe(true)
      }, patience)
      gate.drop()
      const answer = await running
      expect(answer.code).toBe(255)
      expect(answer.err).toContain(`The gateway "first-${number}" closed the connection`)
    })

    it('one that has no account is passed over, and each failure is told with its reason', async () => {
      const none = await startSshd({ config: ['AllowTcpForwarding no'] })
      const { domain, name, number } = await behind({
        closed: { port: 1, username: 'nobody', password: 'x' },
        refusing: byKeyOf(none),
      })
      await newGateway(domain, `bare-${number}`, byKeyOf(south), { accounts: [] })
      const { err, out } = await echo(name)
      expect(out.toString()).toBe('')
      expect(err).toContain(`the gateway "closed-${number}" failed (the connection was refused)`)
      expect(err).toContain(`the gateway "refusing-${number}" failed (it does not allow forwarding;`)
      expect(err).toContain(`the gateway "bare-${number}" failed (it has no account with a password or a key;`)
      await none.stop()
    })

    it('an asset that does not answer is not blamed on the gateway', async () => {
      const { name } = await behind({ north: byKeyOf(north) }, { protocols: [{ name: 'ssh', port: 1 }] })
      expect((await echo(name)).err).toContain('it cannot reach the asset')
    })

    it('a gateway that dies ends its sessions in words, keeps their records, and the next one is used', async () => {
      await using gate = await startRecordingGateway()
      const { host, name, number, gateways, domain } = await behind({ first: gate })
      const terminal = await web(host)
      terminal.type('echo before-the-end\r')
      await vi.waitFor(() => expect(terminal.text).toContain('\nbefore-the-end'), patience)
      const menu = sshTerminal(product, person, 'gerda')
      await vi.waitFor(() => expect(menu.news()).toMatch(/Opt> $/), patience)
      menu.type(`${name}\r`)
      await vi.waitFor(() => expect(menu.news()).toMatch(/\$ $/), patience)
      const other = await behind({ second: byKeyOf(south) })
      const elsewhere = await web(other.host)

      await newGateway(domain, `next-${number}`, byKeyOf(north))
      gate.drop()
      const lost = `The gateway "first-${number}" closed the connection`
      await vi.waitFor(() => expect(terminal.error()).toContain(lost), patience)
      // The connection of the user to Castellan goes on: the menu is there again.
      await vi.waitFor(() => expect(menu.news()).toMatch(/closed the connection[\s\S]*Opt> $/), patience)
      elsewhere.type('echo still-here\r')
      await vi.waitFor(() => expect(elsewhere.text).toContain('\nstill-here'), patience)
      elsewhere.socket.close()

      await vi.waitFor(async () => {
        const [session] = (await sessionsOf(host)).filter(
          ({ login_from }) => (login_from as { value: string }).value === 'WT',
        )
        expect(session).toMatchObject({
          is_finished: true,
          is_success: true,
          has_replay: true,
          has_command: true,
          gateway: `first-${number}(127.0.0.1)`,
        })
      }, ended)
      await admin.collection('assets/gateways').change(`${gateways[0]?.id}`, { protocols: [{ name: 'ssh', port: 1 }] })
      menu.type(`${name}\r`)
      await vi.waitFor(() => expect(menu.news()).toMatch(/\$ $/), patience)
      await menu.close()
      await vi.waitFor(
        async () => expect(await gatewaysOfSessions(host)).toContain(`next-${number}(127.0.0.1)`),
        patience,
      )
    })

    it('one moved to another domain is not used for new connections, and keeps those it has', async () => {
      await using gate = await startRecordingGateway()
      const { host, name, number, gateways, domain } = await behind({ moving: gate })
      const terminal = await web(host)
      const elsewhere = await admin.collection('assets/domains').create({ name: `elsewhere-${number}` })
      await newGateway(domain, `staying-${number}`, byKeyOf(south))
      await admin.collection('assets/gateways').change(`${gateways[0]?.id}`, { domain: elsewhere.id })
      const before = gate.forwards.length
      expect((await echo(name)).out.toString()).toBe('there\n')
      expect(gate.forwards).toHaveLength(before)
      terminal.type('echo still-here\r')
      await vi.waitFor(() => expect(terminal.text).toContain('\nstill-here'), patience)
      terminal.socket.close()
    })
  })

  it('a gateway is reached directly, not through its own domain', async () => {
    const { domain, number } = await behind({ closed: { port: 1, username: 'nobody', password: 'x' } })
    const gateway = await newGateway(domain, `round-${number}`, byKeyOf(target))
    await permit(admin, user, [gateway])
    const answer = await ssh(product, person, `gerda@jump@round-${number}`, ['127.0.0.1', 'echo there'])
    expect(answer.out.toString()).toBe('there\n')
    expect(await gatewaysOfSessions(gateway)).toEqual(['null'])
  })

  describe('a hostile gateway', () => {
    it('sees neither the secret of the asset nor what is typed, and is asked for forwards alone', async () => {
      await using gate = await startRecordingGateway()
      const secret = `${target.password}`
      const account = { name: 'person', username: target.username, secret_type: 'password', secret }
      const { host, name } = await behind({ hostile: gate }, { accounts: [account] })
      const terminal = await web(host)
      terminal.type('echo whisper\r')
      await vi.waitFor(() => expect(terminal.text).toContain('\nwhisper'), patience)
      terminal.socket.close()
      const forwarding = await ssh(product, person, login(name), ['-A', '127.0.0.1', 'echo there'])
      expect(forwarding.out.toString()).toBe('there\n')
      const passed = gate.passed().toString('latin1')
      expect(passed).toContain('SSH-2.0-')
      for (const word of [secret, target.username, 'whisper', 'there\n']) expect(passed).not.toContain(word)
      expect(new Set(gate.forwards)).toEqual(new Set([`127.0.0.1:${target.port}`]))
      expect(gate.requests.filter((name) => name !== 'keepalive@openssh.com')).toEqual([])
    })

    it('that leads elsewhere is found out by the host key, before the secret is sent', async () => {
      await using gate: RecordingGateway = await startRecordingGateway()
      const { name } = await behind({ hostile: gate })
      expect((await echo(name)).out.toString()).toBe('there\n')
      gate.redirect = { host: '127.0.0.1', port: south.port }
      const answer = await echo(name)
      expect(answer.out.toString()).toBe('')
      expect(answer.err).toContain(`The host key of ${name}`)
    })
  })
})
