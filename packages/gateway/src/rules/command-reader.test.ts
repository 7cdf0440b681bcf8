import { hasSshd, type RealSshd, startSshd } from '@castellan/testing/sshd'
import ssh2 from 'ssh2'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CommandFilter } from './command-filter.ts'
import { CommandReader } from './command-reader.ts'

const filter = new CommandFilter([
  {
    id: 'acl',
    name: 'no',
    action: 'reject',
    priority: 50,
    is_active: true,
    reviewers: [],
    command_groups: [
      {
        id: 'g',
        name: 'g',
        type: 'command',
        content: 'rm -rf',
        ignore_case: true,
        pattern: 'rm\\s+\\-rf|\\bshutdown\\b',
      },
    ],
  },
])

interface Driven {
  log: { text: string; output: string; risk: number }[]
  reader: CommandReader
  type(text: string): void
  picture(): string
  settle(pause?: number): Promise<void>
  until(check: () => boolean): Promise<void>
}

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

describe.skipIf(!hasSshd)('reading commands from a real shell', { timeout: 30_000 }, () => {
  let sshd: RealSshd
  let client: ssh2.Client
  let opened: Driven | undefined

  beforeAll(async () => {
    sshd = await startSshd()
    client = new ssh2.Client()
    await new Promise((resolve, reject) => {
      client.once('ready', () => resolve(undefined)).once('error', reject)
      client.connect({ host: sshd.host, port: sshd.port, username: sshd.username, privateKey: sshd.privateKey })
    })
  })
  afterAll(async () => {
    client?.end()
    await sshd?.stop()
  })
  afterEach(() => opened?.reader.close())

  async function shell(cols = 80): Promise<Driven> {
    const channel = await new Promise<ssh2.ClientChannel>((resolve, reject) =>
      client.shell({ term: 'xterm-256color', cols, rows: 24 }, { env: { LANG: 'C.UTF-8' } }, (error, stream) =>
        error ? reject(error) : resolve(stream),
      ),
    )
    const log: Driven['log'] = []
    let last = Date.now()
    const reader = new CommandReader(
      { cols, rows: 24 },
      {
        guarded: true,
        toTarget: (data) => channel.write(data),
        decide(command) {
          const verdict = filter.decide(command.readings)
          return verdict.action === 'reject' ? { run: false, risk: 5, notice: 'refused' } : { run: true, risk: 0 }
        },
        notice: (text) => reader.output(Buffer.from(`\r\n${text}\r\n`)),
        unseenNotice: () => 'unseen',
        begun: () => undefined,
        completed: (command) => log.push(command),
        drained: () => undefined,
      },
    )
    channel.on('data', (chunk: Buffer) => {
      last = Date.now()
      reader.output(chunk)
    })
    const driven: Driven = {
      log,
      reader,
      type: (text) => void reader.input(Buffer.from(text)),
      picture() {
        reader.screen.flush()
        const buffer = reader.screen.emulator.buffer.active
        return Array.from({ length: buffer.length }, (_, row) => buffer.getLine(row)?.translateToString(true)).join(
          '\n',
        )
      },
      async settle(pause = 150) {
        do await wait(pause)
        while (Date.now() - last < pause)
      },
      async until(check) {
        for (const end = Date.now() + 8000; !check(); await wait(20))
          if (Date.now() > end) throw new Error(driven.picture())
      },
    }
    await driven.until(() => driven.picture().includes('$'))
    driven.type(" PS1='me@here:\\w$ '; export TERM=xterm-256color; bind 'set bell-style audible'\r")
    await driven.until(() => log.length === 1)
    await driven.settle()
    log.length = 0
    opened = driven
    return driven
  }
  const texts = (driven: Driven) => driven.log.map((entry) => entry.text)

  test('a typed command is logged with its output', async () => {
    const it = await shell()
    it.type('echo hello')
    await it.settle()
    it.type('\r')
    await it.until(() => it.log.length === 1)
    expect(it.log[0]).toMatchObject({ text: 'echo hello', output: 'hello', risk: 0 })
  })

  test('a forbidden command never runs, and the line is empty afterwards', async () => {
    const it = await shell()
    it.type('mkdir keep; rm -rf keep\r')
    await it.until(() => it.log.length === 1)
    expect(it.log[0]).toMatchObject({ text: 'mkdir keep; rm -rf keep', risk: 5 })
    await it.settle()
    it.type('ls -d keep; echo "[$?]"\r')
    await it.until(() => it.picture().includes('[2]'))
  })

  test('cursor keys, history and completion do not hide a command', async () => {
    const it = await shell()
    it.type('rf /x\u001b[H')
    it.type('rm -')
    await it.settle()
    it.type('\r')
    await it.until(() => it.log.length === 1)
    expect(it.log[0]).toMatchObject({ text: 'rm -rf /x', risk: 5 })
    await it.settle()
    it.type('history -s "rm -rf /from-history"\r')
    await it.until(() => it.log.length === 2)
    await it.settle()
    it.type('history -s "rm" "-r""f /from-history"\r')
    await it.settle()
    it.type('\u001b[A\r')
    await it.until(() => it.log.some((entry) => entry.text === 'rm -rf /from-history'))
    expect(it.log.at(-1)?.risk).toBe(5)
    await it.settle()
    it.type('touch /tmp/shutdown-file\r')
    await it.settle()
    expect(it.log.at(-1)?.risk).toBe(5)
    it.type('touch /tmp/shut""down-file; echo\r')
    await it.settle()
    it.type('cat /tmp/shutd\t')
    await it.settle()
    it.type('\r')
    await it.until(() => it.log.some((entry) => entry.text.startsWith('cat /tmp/shutdown')))
    expect(it.log.at(-1)?.risk).toBe(5)
  })

  test('every line of a paste is read, and a wrapped line whole', async () => {
    const it = await shell(40)
    it.type('cd /tmp\recho one\recho two\r')
    await it.until(() => it.log.length === 3)
    expect(texts(it)).toEqual(['cd /tmp', 'echo one', 'echo two'])
    await it.settle()
    const long = `echo ${'x'.repeat(90)} end`
    it.type(long)
    await it.settle()
    it.type('\r')
    await it.until(() => it.log.length === 4)
    expect(texts(it).at(-1)).toBe(long)
  })

  test('a bracketed paste with a forbidden line never reaches the target', async () => {
    const it = await shell()
    expect(it.reader.screen.bracketedPaste).toBe(true)
    it.type('\u001b[200~echo first\nrm -rf /pasted\necho last\u001b[201~\r')
    await it.until(() => it.log.length === 1)
    expect(it.log[0]).toMatchObject({ text: 'rm -rf /pasted', risk: 5 })
    await it.settle()
    expect(it.picture()).not.toContain('echo last')
  })

  test('a bracketed paste without one runs whole', async () => {
    const it = await shell()
    it.type('\u001b[200~echo first\necho last\u001b[201~')
    await it.settle()
    it.type('\r')
    await it.until(() => it.log.length === 1)
    expect(it.log[0]?.text).toBe('echo first\necho last')
    expect(it.log[0]?.output).toContain('first')
  })

  test('CJK text is read as it is shown', async () => {
    const it = await shell(40)
    const text = `echo 你好世界こんにちは${'漢字'.repeat(10)}`
    it.type(text)
    await it.settle()
    it.type('\r')
    await it.until(() => it.log.length === 1)
    expect(texts(it)).toEqual([text])
  })

  test('nothing typed in vim, top or less is taken for a command', async () => {
    const it = await shell()
    it.type('vim -u NONE -N note.txt\r')
    await it.until(() => it.reader.screen.emulator.buffer.active.type === 'alternate')
    await it.settle()
    it.type('irm -rf /in-vim\r')
    await it.settle()
    it.type('shutdown now\r\u001b')
    await it.settle()
    it.type(':wq\r')
    await it.until(() => it.reader.screen.emulator.buffer.active.type === 'normal')
    await it.settle()
    it.type('cat note.txt\r')
    await it.until(() => it.log.length === 2)
    expect(texts(it)).toEqual(['vim -u NONE -N note.txt', 'cat note.txt'])
    expect(it.log[1]?.output).toContain('rm -rf /in-vim\nshutdown now')
    it.type('top\r')
    await it.settle(300)
    it.type('d')
    await wait(300)
    it.type('1\r')
    await wait(300)
    it.type('q')
    await it.settle(300)
    it.type('seq 500 | less\r')
    await it.settle(300)
    it.type('/rm -rf\r')
    await it.settle(300)
    it.type('qecho back\r')
    await it.until(() => it.log.some((entry) => entry.text === 'echo back'))
    expect(texts(it).slice(2)).toEqual(['top', 'seq 500 | less', 'echo back'])
  })

  test('what is typed ahead of the end of a full-screen program is read when the shell gets it', async () => {
    const it = await shell()
    it.type('seq 500 | less\r')
    await it.settle(300)
    it.type('qrm -r')
    it.type('f /x\r')
    await it.until(() => it.log.some((entry) => entry.risk === 5))
    await it.settle()
    it.type('(seq 500 | less; sleep 1)\r')
    await it.settle(300)
    it.type('qrm -rf /x\r')
    await it.until(() => it.log.filter((entry) => entry.risk === 5).length === 2)
  })

  test('commands inside tmux are decided on too', async () => {
    const it = await shell()
    it.type('tmux -f /dev/null new\r')
    await it.until(() => it.reader.screen.emulator.buffer.active.type === 'alternate')
    await it.settle(300)
    it.type("PS1='me@here:\\w$ '; clear\r")
    await it.settle(300)
    it.type('mkdir -p a; rm -rf a')
    await it.settle(300)
    it.type('\r')
    await it.until(() => it.log.some((entry) => entry.risk === 5))
    await it.settle(300)
    it.type('exit\r')
    await it.until(() => it.reader.screen.emulator.buffer.active.type === 'normal')
  })

  test('switching to the alternate screen by hand hides nothing', async () => {
    const it = await shell()
    it.type("printf '\\033[?1049h'\r")
    await it.settle()
    it.type('rm -rf /hidden\r')
    await it.until(() => it.log.some((entry) => entry.risk === 5))
  })

  test('a password is not logged, and what follows it is', async () => {
    const it = await shell()
    it.type('read -s -p "Password: " p\r')
    await it.until(() => it.picture().includes('Password: ') && it.log.length === 0)
    await it.settle()
    it.type('secret-word\r')
    await it.settle()
    it.type('echo done\r')
    await it.until(() => it.log.some((entry) => entry.text === 'echo done'))
    expect(texts(it)).toEqual(['read -s -p "Password: " p', 'echo done'])
    expect(JSON.stringify(it.log)).not.toContain('secret-word')
  })

  test('history keys typed ahead of a busy shell cannot run a line unseen', async () => {
    const it = await shell()
    it.type('history -s "rm" "-r""f /typed-ahead"\r')
    await it.settle()
    it.type('sleep 1\r')
    await wait(100)
    it.type('\u001b[A\u001b[A\r')
    await wait(2500)
    await it.settle()
    expect(it.picture()).not.toContain('typed-ahead\n')
    it.type('stty -echo\r')
    await it.settle()
    it.type('\u001b[A\u001b[A\r')
    await wait(2800)
    it.type('stty echo\r')
    await it.settle()
    expect(it.log.filter((entry) => entry.text.includes('typed-ahead') && entry.risk === 0)).toHaveLength(1)
  })

  test('a large output does not lose the state', async () => {
    const it = await shell()
    it.type('seq 400000\r')
    await it.until(() => it.picture().includes('400000'))
    await it.settle()
    it.type('echo after\r')
    await it.until(() => it.log.length === 2)
    expect(texts(it)).toEqual(['seq 400000', 'echo after'])
  })
})
