import { randomBytes } from 'node:crypto'
import type { ShareParticipant, TerminalFrameType, TerminalShareLink } from '@castellan/contract/web-terminal'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { makeHost, makePerson, permit } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import type { RunningProduct } from '@castellan/testing/product'
import { sharedProduct } from '@castellan/testing/shared-product'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { openWebTerminal, signInForCookies, terminalQuery, type WebTerminal } from '@castellan/testing/web-terminal'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

const password = 'Share-this-42!'
const patience = { timeout: 20_000, interval: 50 }

interface JoinRow extends AnyRow {
  joiner: { id: string }
  is_success: boolean
  is_finished: boolean
}

describeWith(['sshd', 'ssh-keygen', 'root'], 'a session shared with other users', () => {
  let product: RunningProduct
  let target: RealSshd
  let admin: Client
  let host: AnyRow
  const suffix = randomBytes(3).toString('hex')
  const people = new Map<string, { row: AnyRow; cookie: string; client: Client }>()

  beforeAll(async () => {
    ;[product, target] = await Promise.all([sharedProduct(), startSshd()])
    admin = await signIn(product.url, 'admin', product.adminPassword)
    host = await makeHost(admin, target, `shared-${suffix}`)
    for (const name of ['olga', 'jan', 'kim', 'ruth']) await person(name)
    await permit(admin, rowOf('olga'), [host])
    await permit(admin, rowOf('ruth'), [host], ['connect'])
    const group = await admin
      .collection('acls/command-groups')
      .create({ name: `no-uptime-${suffix}`, type: 'command', content: 'uptime' })
    await admin.collection('acls/command-filter-acls').create({
      name: `jan-${suffix}`,
      action: 'reject',
      command_groups: [group.id],
      users: { type: 'ids', ids: [rowOf('jan').id] },
      assets: { type: 'all' },
      accounts: ['@ALL'],
    })
  })
  afterAll(() => target?.stop())

  async function person(name: string): Promise<void> {
    const username = `${name}-${suffix}`
    const row = await makePerson(admin, username, password)
    const cookie = await signInForCookies(product.url, username, password)
    people.set(name, { row, cookie, client: await signIn(product.url, username, password) })
  }
  const known = (name: string) => people.get(name) as { row: AnyRow; cookie: string; client: Client }
  const rowOf = (name: string) => known(name).row

  const until = (look: () => void | Promise<void>) => vi.waitFor(look, patience)
  const dataOf = <T>(terminal: WebTerminal, type: TerminalFrameType): T[] =>
    terminal.frames.filter((frame) => frame.type === type && frame.data).map((frame) => JSON.parse(frame.data) as T)
  const send = (terminal: WebTerminal, type: TerminalFrameType, data: object) =>
    terminal.socket.send(JSON.stringify({ id: '', type, data: JSON.stringify(data), err: '' }))
  const shows = (terminal: WebTerminal, text: string | RegExp) => until(() => expect(terminal.text).toMatch(text))

  async function begin(name = 'olga'): Promise<{ owner: WebTerminal; session: string }> {
    const { client, cookie } = known(name)
    const owner = openWebTerminal(
      product.url,
      await terminalQuery(client, { asset: host.id, account: 'person' }),
      cookie,
    )
    await until(() => expect(dataOf(owner, 'TERMINAL_SESSION')).toHaveLength(1))
    await shows(owner, /[$#] $/)
    const [{ session } = { session: { id: '' } }] = dataOf<{ session: { id: string } }>(owner, 'TERMINAL_SESSION')
    return { owner, session: session.id }
  }

  async function share(owner: WebTerminal, session: string, more: object = {}): Promise<TerminalShareLink> {
    const before = dataOf(owner, 'TERMINAL_SHARE').length
    send(owner, 'TERMINAL_SHARE', { session, expired_time: 10, users: [], action_permission: 'writable', ...more })
    await until(() => expect(dataOf(owner, 'TERMINAL_SHARE').length).toBeGreaterThan(before))
    return dataOf<TerminalShareLink>(owner, 'TERMINAL_SHARE').at(-1) as TerminalShareLink
  }
  const join = (name: string, { share_id: id, code }: TerminalShareLink, init: object = {}) =>
    openWebTerminal(product.url, `type=share&target_id=${id}`, known(name).cookie, { code, ...init })
  const isIn = (terminal: WebTerminal) => until(() => expect(dataOf(terminal, 'TERMINAL_SESSION')).toHaveLength(1))
  const records = (session: string) => admin.collection<JoinRow>('terminal/session-join-records').all({ session })
  const commands = (session: string) =>
    admin.request<AnyRow[]>('GET', `/api/v1/terminal/commands/?session_id=${session}&order=timestamp`)

  it('goes on when somebody without a grant sends frames that are no frames', async () => {
    const { owner } = await begin()
    const hostile = { toString: 1, valueOf: 1 }
    for (const init of [{ code: hostile }, { cols: hostile, rows: hostile }, { ack: hostile, code: ['x', hostile] }]) {
      const stranger = join('kim', { share_id: 'no-link', code: '' }, init)
      for (const type of ['TERMINAL_RESIZE', 'TERMINAL_ACK', 'TERMINAL_SHARE_USER_REMOVE', 'TERMINAL_GET_SHARE_USER'])
        stranger.socket.once('open', () =>
          send(stranger, type as TerminalFrameType, { query: hostile, user_meta: hostile, bytes: hostile, ...init }),
        )
      await until(() => expect(stranger.closed).toBe(true))
    }
    owner.type('echo still-$((20+2))\r')
    await shows(owner, 'still-22')
    owner.type('exit\r')
    await until(() => expect(owner.closed).toBe(true))
  })

  it('shows them the same screen, runs what each types, and logs each command under who typed it', async () => {
    const { owner, session } = await begin()
    owner.type('echo before-$((20+1))\r')
    await shows(owner, 'before-21')
    const joiner = join('kim', await share(owner, session))
    await isIn(joiner)
    await shows(joiner, 'before-21')
    await until(() => expect(dataOf<ShareParticipant>(owner, 'TERMINAL_SHARE_JOIN')).toHaveLength(1))
    await until(() => {
      const [users] = dataOf<Record<string, ShareParticipant>>(joiner, 'TERMINAL_SHARE_USERS')
      expect(Object.values(users ?? {}).map(({ user_id, primary, writable }) => [user_id, primary, writable])).toEqual([
        [rowOf('olga').id, true, true],
        [rowOf('kim').id, false, true],
      ])
    })
    joiner.type('echo by-kim-$((40+2))\r')
    await shows(owner, 'by-kim-42')
    // At the same time: what one types is not mixed into the command of the other.
    owner.type('echo by-olga-$((40+3))\r')
    joiner.type('echo again-$((40+4))\r')
    await shows(owner, 'by-olga-43')
    await shows(joiner, 'again-44')
    joiner.socket.close()
    await until(() => expect(dataOf(owner, 'TERMINAL_SHARE_LEAVE')).toHaveLength(1))
    owner.type('exit\r')
    await until(() => expect(owner.closed).toBe(true))
    await until(async () => {
      const typed = (await commands(session)).map(({ input, user }) => [input, String(user).split('(')[0]])
      expect(typed.sort()).toEqual([
        ['echo again-$((40+4))', `kim-${suffix}`],
        ['echo before-$((20+1))', `olga-${suffix}`],
        ['echo by-kim-$((40+2))', `kim-${suffix}`],
        ['echo by-olga-$((40+3))', `olga-${suffix}`],
        ['exit', `olga-${suffix}`],
      ])
    })
    expect(await records(session)).toMatchObject([
      { joiner: { id: rowOf('kim').id }, is_success: true, is_finished: true },
    ])
  })

  it('lets no participant ask for an approval in the name of the user whose session it is', async () => {
    const group = await admin
      .collection('acls/command-groups')
      .create({ name: `ask-${suffix}`, type: 'command', content: 'nohup' })
    const rule = await admin.collection('acls/command-filter-acls').create({
      name: `ask-${suffix}`,
      action: 'review',
      command_groups: [group.id],
      users: { type: 'ids', ids: ['olga', 'kim'].map((name) => rowOf(name).id) },
      assets: { type: 'all' },
      accounts: ['@ALL'],
      reviewers: [rowOf('kim').id],
    })
    const { owner, session } = await begin()
    const joiner = join('kim', await share(owner, session))
    await isIn(joiner)
    joiner.type('nohup echo ran-$((20+1))\r')
    await shows(owner, 'which only the user whose session this is can request')
    joiner.type('echo next-$((20+2))\r')
    await shows(owner, 'next-22')
    expect(owner.text).not.toContain('ran-21')
    expect(await known('kim').client.collection('tickets/apply-command-tickets').all()).toEqual([])
    await admin.collection('acls/command-filter-acls').delete(rule.id)
    owner.socket.close()
  })

  it('takes nothing from a participant who may only read: no keys, no size', async () => {
    const { owner, session } = await begin()
    const reader = join('kim', await share(owner, session, { action_permission: 'readonly' }), { cols: 20, rows: 5 })
    await isIn(reader)
    reader.type('echo sneaked-$((1+1))\r')
    send(reader, 'TERMINAL_DATA', {})
    send(reader, 'TERMINAL_RESIZE', { cols: 33, rows: 11 })
    send(reader, 'TERMINAL_SHARE', { session, expired_time: 10, users: [], action_permission: 'writable' })
    send(reader, 'TERMINAL_SHARE_USER_REMOVE', { session, user_meta: {} })
    await until(() => expect(reader.frames.some((frame) => frame.type === 'TERMINAL_SHARE' && frame.err)).toBe(true))
    owner.type('echo size-$(stty size | tr " " x)\r')
    await shows(reader, 'size-30x100')
    expect(owner.text).not.toContain('sneaked')
    owner.socket.close()
    await until(() => expect(reader.closed).toBe(true))
    await until(async () => expect(await records(session)).toMatchObject([{ is_finished: true }]))
  })

  it('lets nobody around their own command rules, nor into a paused session', async () => {
    const { owner, session } = await begin()
    const joiner = join('jan', await share(owner, session))
    await isIn(joiner)
    joiner.type('uptime\r')
    await shows(joiner, /reject|not allowed|forbidden|blocked/i)
    // The owner's keys do not help, as long as somebody with the rule is there.
    joiner.type('upti')
    owner.type('me\r')
    await until(async () => {
      const risks = (await commands(session)).map(({ input, risk_level: risk }) => [
        input,
        (risk as { value: number }).value,
      ])
      expect(risks.filter(([input]) => input === 'uptime')).toEqual([
        ['uptime', 5],
        ['uptime', 5],
      ])
    })
    await admin.request('POST', '/api/v1/terminal/tasks/toggle-lock-session/', {
      session_id: session,
      task_name: 'lock_session',
    })
    await until(() => expect(dataOf(joiner, 'TERMINAL_SESSION_PAUSE')).toHaveLength(1))
    joiner.type('echo paused-$((1+1))\r')
    await admin.request('POST', '/api/v1/terminal/tasks/toggle-lock-session/', {
      session_id: session,
      task_name: 'unlock_session',
    })
    await until(() => expect(joiner.frames.some(({ type }) => type === 'TERMINAL_SESSION_RESUME')).toBe(true))
    joiner.type('echo resumed-$((1+1))\r')
    await shows(owner, 'resumed-2')
    expect(owner.text).not.toContain('paused-2')
    joiner.socket.close()
    await until(() => expect(dataOf(owner, 'TERMINAL_SHARE_LEAVE')).toHaveLength(1))
    owner.type('uptime\r')
    await shows(owner, 'load average')
    owner.socket.close()
  })

  it('ends at once for a participant whom the owner removes, who cannot come back by the same link', async () => {
    const { owner, session } = await begin()
    const link = await share(owner, session)
    const joiner = join('kim', link)
    await isIn(joiner)
    await until(() => expect(dataOf(owner, 'TERMINAL_SHARE_JOIN')).toHaveLength(1))
    const [info] = dataOf<ShareParticipant>(owner, 'TERMINAL_SHARE_JOIN')
    send(owner, 'TERMINAL_SHARE_USER_REMOVE', { session, user_meta: info })
    await until(() => expect(joiner.error()).toContain('removed you'))
    joiner.type('echo still-$((1+1))\r')
    const back = join('kim', link)
    await until(() => expect(back.error()).toContain('already used'))
    owner.type('echo alone-$((1+1))\r')
    await shows(owner, 'alone-2')
    expect(owner.text).not.toContain('still-2')
    owner.socket.close()
  })

  it('is closed to wrong codes, unknown links, those not invited, and owners whose permission has no sharing', async () => {
    const { owner, session } = await begin()
    const link = await share(owner, session, { users: [rowOf('kim').id] })
    const inbox = await known('kim').client.collection('notifications/site-messages').all()
    expect(JSON.stringify(inbox)).toContain(link.share_id)
    const errorOf = async (terminal: WebTerminal) => {
      await until(() => expect(terminal.error()).toBeTruthy())
      expect(terminal.text).toBe('')
      return terminal.error()
    }
    expect(await errorOf(join('ruth', link))).toContain('not invited')
    expect(await errorOf(join('kim', { ...link, code: 'nope' }))).toContain('wrong')
    expect(await errorOf(join('kim', { share_id: session, code: link.code }))).toContain('no longer shared')
    const joiner = join('kim', link)
    await isIn(joiner)
    send(owner, 'TERMINAL_GET_SHARE_USER', { query: suffix })
    await until(() => expect(dataOf<AnyRow[]>(owner, 'TERMINAL_GET_SHARE_USER').at(-1)).toHaveLength(3))
    owner.socket.close()
    await until(() => expect(joiner.closed).toBe(true))
    expect(await errorOf(join('ruth', link))).toContain('no longer shared')

    const other = await begin('ruth')
    send(other.owner, 'TERMINAL_SHARE', { session: other.session, expired_time: 10, users: [] })
    await until(() =>
      expect(other.owner.frames.find(({ type }) => type === 'TERMINAL_SHARE')?.err).toContain('cannot be shared'),
    )
    other.owner.socket.close()
  })

  it('has a link of the contract that leads to the page of the terminal', async () => {
    const answer = await fetch(`${product.url}/koko/share/0123-ab/`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/luna/share/0123-ab'])
  })
})
