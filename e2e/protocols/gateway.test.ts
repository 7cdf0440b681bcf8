import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { refuseDangerous } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import { type SharedProduct, sharedProduct } from '@castellan/testing/shared-product'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { openWebTerminal, signInForCookies, terminalQuery } from '@castellan/testing/web-terminal'
import ssh2 from 'ssh2'
import { afterAll, beforeAll, expect, test } from 'vitest'

interface SessionRow extends AnyRow {
  is_finished: boolean
  has_replay: boolean
  is_success: boolean
  date_end: string
  type: { value: string }
}
interface CommandRow extends AnyRow {
  input: string
  output: string
  risk_level: { value: number }
}

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const password = 'Passw0rd-of-ann!'

async function until<T>(what: string, look: () => Promise<T | undefined | false> | T | undefined | false): Promise<T> {
  for (const end = Date.now() + 20_000; ; await wait(100)) {
    const found = await look()
    if (found) return found
    if (Date.now() > end) throw new Error(`never: ${what}`)
  }
}

describeWith(['sshd', 'ssh-keygen', 'root'], 'the gateway before a real host', () => {
  let product: SharedProduct
  let sshd: RealSshd
  let admin: Client
  let folder: string
  const name = `ann${randomBytes(3).toString('hex')}`
  let host: AnyRow
  let permission: AnyRow

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-e2e-'))
    ;[product, sshd] = await Promise.all([sharedProduct(), startSshd()])
    admin = await signIn(product.url, 'admin', product.adminPassword)
    const user = await admin.collection('users/users').create({
      name: 'Ann',
      username: name,
      email: `${name}@example.com`,
      password_strategy: 'custom',
      password,
      need_update_password: false,
      system_roles: ['00000000-0000-0000-0000-000000000003'],
      org_roles: ['00000000-0000-0000-0000-000000000007'],
    })
    host = await admin.collection('assets/hosts').create({
      name: '主机一',
      address: '127.0.0.1',
      platform: 1,
      protocols: [
        { name: 'ssh', port: sshd.port },
        { name: 'sftp', port: sshd.port },
      ],
      nodes_display: ['/Default'],
      accounts: [{ name: 'person', username: sshd.username, secret_type: 'password', secret: sshd.password }],
    })
    permission = await admin.collection('perms/asset-permissions').create({
      name: 'p',
      users: [user.id],
      assets: [host.id],
      accounts: ['@ALL'],
      protocols: ['all'],
      actions: ['all'],
    })
    await refuseDangerous(admin)
  })

  afterAll(async () => {
    await sshd?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const direct = () => `${name}@${sshd.username}@127.0.0.1`

  /** An OpenSSH program with the person's password given by askpass, as no terminal is there. */
  function openssh(program: string, words: string[], input = ''): Promise<{ code: number; out: string; err: string }> {
    const ask = join(folder, 'askpass')
    writeFileSync(ask, `#!/bin/sh\necho '${password}'\n`, { mode: 0o700 })
    const options = [
      'StrictHostKeyChecking=no',
      'UserKnownHostsFile=/dev/null',
      'LogLevel=ERROR',
      'PubkeyAuthentication=no',
    ]
    return new Promise((resolve) => {
      const child = execFile(
        program,
        [...options.flatMap((option) => ['-o', option]), ...words],
        { env: { ...process.env, SSH_ASKPASS: ask, SSH_ASKPASS_REQUIRE: 'force', DISPLAY: ':0' }, maxBuffer: 1e8 },
        (error, out, err) => resolve({ code: error ? Number(error.code ?? 1) : 0, out, err }),
      )
      child.stdin?.end(input)
    })
  }

  const sessions = () => admin.collection<SessionRow>('terminal/sessions').all({ asset_id: host.id })
  const commandsOf = (session: string) =>
    admin.request<CommandRow[]>('GET', `/api/v1/terminal/commands/?session_id=${session}&order=timestamp`)

  async function terminal() {
    const client = new ssh2.Client()
    await new Promise<void>((resolve, reject) => {
      client.once('ready', () => resolve()).once('error', reject)
      client.connect({ host: '127.0.0.1', port: product.sshPort, username: direct(), password })
    })
    const channel = await new Promise<ssh2.ClientChannel>((resolve, reject) =>
      client.shell({ term: 'xterm', cols: 100, rows: 30 }, (error, stream) =>
        error ? reject(error) : resolve(stream),
      ),
    )
    const shown = { text: '', closed: false }
    channel.on('data', (data: Buffer) => {
      shown.text += data.toString()
    })
    channel.on('close', () => {
      shown.closed = true
    })
    await until('a prompt', () => shown.text.includes('$ '))
    const before = new Set((await sessions()).filter((row) => row.is_finished).map((row) => row.id))
    const session = await until('the session row', async () =>
      (await sessions()).find((row) => !before.has(row.id) && !row.is_finished && row.type.value === 'normal'),
    )
    return { client, channel, shown, session: session.id }
  }

  test('a single command keeps output, errors and exit status apart', async () => {
    const words = ['-p', String(product.sshPort), '-l', direct(), '127.0.0.1', 'echo out; echo err >&2; exit 7']
    expect(await openssh('ssh', words)).toEqual({ code: 7, out: 'out\n', err: 'err\n' })
  })

  test('rm -rf is refused in OpenSSH before the host sees it, and logged with its risk', async () => {
    const it = await terminal()
    it.channel.write('mkdir -p kept; rm -rf kept\r')
    await until('the refusal', () => it.shown.text.includes('forbidden'))
    it.channel.write('ls -d kept 2>&1; echo "[$?]"\r')
    await until('the shell to go on', () => it.shown.text.includes('[2]'))
    it.client.end()
    const refused = await until('the log', async () =>
      (await commandsOf(it.session)).find((row) => row.input.includes('rm -rf')),
    )
    expect(refused.risk_level.value).toBe(5)
    const row = await until('the end and the recording', async () => {
      const found = await admin.collection<SessionRow>('terminal/sessions').get(it.session)
      return found.is_finished && found.has_replay ? found : undefined
    })
    expect(row.is_success).toBe(true)
  })

  test('rm -rf is refused in the web terminal, and the auditor watches it live', async () => {
    const cookie = await signInForCookies(product.url, name, password)
    const person = await signIn(product.url, name, password)
    const query = await terminalQuery(person, { asset: host.id, account: 'person' })
    const own = openWebTerminal(product.url, query, cookie)
    const started = await until('the session', () => own.frames.find((frame) => frame.type === 'TERMINAL_SESSION'))
    const { session } = JSON.parse(started.data) as { session: { id: string } }
    await until('a prompt', () => own.text.includes('$ '))
    // The credential was opened once, for this session and this person.
    const opened = await Promise.all(
      (await admin.collection('audits/operate-logs').all({ action: 'connect' })).map(async ({ id, user }) => {
        const path = `/api/v1/audits/operate-logs/${id}/?type=action_detail`
        return { user, told: JSON.stringify(await admin.request('GET', path)) }
      }),
    )
    const forSession = opened.filter(({ told }) => told.includes(session.id))
    expect(forSession.map(({ user }) => user)).toEqual([expect.stringContaining(name)])
    own.type('rm -rf /tmp/never\r')
    await until('the refusal', () => own.text.includes('forbidden'))
    own.type('echo 你好-$((40 + 2))\r')
    await until('the shell to go on', () => own.text.includes('你好-42'))
    const monitor = `type=monitor&target_id=${session.id}`
    const auditor = await signInForCookies(product.url, 'admin', product.adminPassword)
    const watching = openWebTerminal(product.url, monitor, auditor)
    await until('the picture', () => watching.text.includes('你好-42'))
    own.type('echo live-$((40 + 3))\r')
    await until('what is typed', () => watching.text.includes('live-43'))
    watching.type('echo from-the-watcher\r')
    const mine = openWebTerminal(product.url, monitor, cookie)
    await until('the refusal of a stranger', () => mine.closed)
    expect(mine.text).toBe('')
    expect(own.text).not.toContain('from-the-watcher')
    await admin.request('POST', '/api/v1/terminal/tasks/kill-session/', [session.id])
    await until('the end', () => own.closed)
    expect(own.error()).toContain('terminated by')
    const log = await until('the log', async () => {
      const rows = await commandsOf(session.id)
      return rows.length >= 2 ? rows : undefined
    })
    expect(log.map((row) => [row.input, row.risk_level.value])).toEqual(
      expect.arrayContaining([
        ['rm -rf /tmp/never', 5],
        ['echo 你好-$((40 + 2))', 0],
      ]),
    )
  })

  test('what is typed in vim is no command', async () => {
    const it = await terminal()
    it.channel.write('vim -u NONE -N note\r')
    // Its last words before it waits for keys.
    await until('vim', () => it.shown.text.includes('"note"'))
    it.channel.write('irm -rf /\rshutdown\r\u001b')
    await until('the text', () => it.shown.text.includes('shutdown'))
    const typed = it.shown.text.length
    it.channel.write(':')
    await until('its command line', () => it.shown.text.includes(':', typed))
    it.channel.write('wq\r')
    await until('vim to end', () => it.shown.text.split('\u001b[?1049l')[1]?.includes('$ '))
    it.channel.write('wc -l note\r')
    await until('the count', () => it.shown.text.includes('3 note'))
    const log = await until('the log', async () => {
      const rows = await commandsOf(it.session)
      return rows.length >= 2 ? rows : undefined
    })
    expect(log.map((row) => row.input)).toEqual(['vim -u NONE -N note', 'wc -l note'])
    it.client.end()
  })

  test('scp and sftp carry files and leave their log', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, randomBytes(3_000_000))
    const port = ['-P', String(product.sshPort)]
    const remote = `scp://${encodeURIComponent(direct())}@127.0.0.1:${product.sshPort}//tmp/${name}-file`
    expect((await openssh('scp', [file, remote])).err).toBe('')
    expect((await openssh('scp', [remote, `${file}-back`])).code).toBe(0)
    expect(readFileSync(`${file}-back`).equals(readFileSync(file))).toBe(true)
    const listing = await openssh('sftp', [...port, '-o', `User=${name}`, '127.0.0.1'], 'cd Default\ncd 主机一\nls\n')
    expect(listing.out).toContain(`${name}-file`)
    await until('the log of both, with the file', async () => {
      const rows = await admin.request<AnyRow[]>('GET', '/api/v1/audits/ftp-logs/')
      const kept = rows.filter((row) => row.has_file).map((row) => (row.operate as { value: string }).value)
      return kept.includes('upload') && kept.includes('download')
    })
  })

  test('a killed server ends no session, and what happened meanwhile is told afterwards', async () => {
    const it = await terminal()
    await product.kill('server', 'SIGKILL')
    it.channel.write('echo without-$((1 + 1))\r')
    await until('the output', () => it.shown.text.includes('without-2'))
    await product.ready()
    expect(it.shown.closed).toBe(false)
    await until('its command', async () =>
      (await commandsOf(it.session)).some((command) => command.input === 'echo without-$((1 + 1))'),
    )
    it.client.end()
    await until(
      'the end',
      async () => (await admin.collection<SessionRow>('terminal/sessions').get(it.session)).is_finished,
    )
  })

  test('a target that dies in the middle is told of', async () => {
    const it = await terminal()
    // The shell's parent is the target's own program for this connection.
    it.channel.write('kill -9 $PPID\r')
    await until('the end', () => it.shown.closed)
    expect(it.shown.text).toContain('closed the connection')
    const left = await terminal()
    left.channel.write('exit\r')
    await until('the end', () => left.shown.closed)
    expect(left.shown.text).not.toContain('closed the connection')
  })

  test('a disabled user is sent out of the session, with a text below what stands there', async () => {
    const it = await terminal()
    const editing = await terminal()
    editing.channel.write('vim -u NONE -N sent-out\r')
    await until('vim', () => editing.shown.text.includes('\u001b[?1049h'))
    const [user] = await admin.request<AnyRow[]>('GET', `/api/v1/users/users/?username=${name}`)
    await admin.collection('users/users').change(user?.id ?? '', { is_active: false })
    try {
      const isOpen = () => !it.shown.closed || !editing.shown.closed
      for (const end = Date.now() + 25_000; isOpen() && Date.now() < end; ) await wait(200)
      expect(it.shown.text).toContain('has been disabled')
      // Given back where no program has it, the screen would put the cursor to its top.
      expect(it.shown.text).not.toContain('\u001b[?1049l')
      expect(editing.shown.text.split('\u001b[?1049l')[1]).toContain('has been disabled')
    } finally {
      await admin.collection('users/users').change(user?.id ?? '', { is_active: true })
    }
  })

  test('a gateway killed in the middle loses nothing that was recorded', async () => {
    const it = await terminal()
    it.channel.write('echo before-the-crash\r')
    await until('the output', () => it.shown.text.includes('before-the-crash\r\n'))
    // What was recorded is on disk a tenth of a second later, or a little more on a busy machine.
    const recording = join(product.dataDir, 'gateway/recordings', `${it.session}.cast`)
    await until('the recording on disk', () => readFileSync(recording, 'utf8').includes('before-the-crash\\r\\n'))
    await product.kill('gateway', 'SIGKILL')
    await product.ready()
    const row = await until('the end and the recording', async () => {
      const found = await admin.collection<SessionRow>('terminal/sessions').get(it.session)
      return found.is_finished && found.has_replay ? found : undefined
    })
    expect(row.date_end).not.toBeNull()
    const answer = await until('the recording', async () => {
      const found = await admin.request<{ src?: string; resp?: { data: { src: string } } }>(
        'GET',
        `/api/v1/terminal/sessions/${it.session}/replay/`,
      )
      return found.src ?? found.resp?.data.src
    })
    const media = await fetch(new URL(answer, product.url), { headers: admin.proof('GET', answer) })
    const bytes = Buffer.from(await media.arrayBuffer())
    const text = bytes[0] === 0x1f ? gunzipSync(bytes).toString() : bytes.toString()
    expect(text).toContain('before-the-crash')
    await until('its command', async () =>
      (await commandsOf(it.session)).some((command) => command.input === 'echo before-the-crash'),
    )
  })

  test('a changed host key ends the connection before any credential is sent', async () => {
    await sshd.changeHostKey()
    const words = ['-p', String(product.sshPort), '-l', direct(), '127.0.0.1', 'echo never']
    const { code, out, err } = await openssh('ssh', words)
    expect(code).toBe(255)
    expect(out).toBe('')
    expect(err).toContain('host key')
    expect(err).toContain(sshd.fingerprint())
  })

  test('taking the permission away ends it', async () => {
    await admin.collection('perms/asset-permissions').delete(permission.id)
    const words = ['-p', String(product.sshPort), '-l', direct(), '127.0.0.1', 'echo never']
    expect((await openssh('ssh', words)).code).toBe(255)
  })
})
