import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { makeHost, makePerson, permit } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import { freePort } from '@castellan/testing/ports'
import type { RunningProduct } from '@castellan/testing/product'
import { sharedProduct } from '@castellan/testing/shared-product'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { byPassword, type SshPerson, ssh } from '../openssh.ts'

const password = 'Editor-remote-12'
const patience = { timeout: 20_000, interval: 50 }

/** What an editor's server is to its client: it listens on the loopback (or a socket file) and answers a request. */
const server = (listener: string) => `
mkdir -p ~/.editor-server && cat > ~/.editor-server/server.pl <<'END'
use IO::Socket::INET; use IO::Socket::UNIX;
my $server = ${listener} or die "no listener: $!";
open(my $ready, '>', "$ENV{HOME}/.editor-server/port.new"); print $ready (eval { $server->sockport } // 'socket'); close $ready;
rename "$ENV{HOME}/.editor-server/port.new", "$ENV{HOME}/.editor-server/port";
while (my $guest = $server->accept) { my $line = <$guest>; print $guest "editor server got $line"; close $guest }
END
rm -f ~/.editor-server/port
nohup perl ~/.editor-server/server.pl > ~/.editor-server/log 2>&1 < /dev/null &
while [ ! -f ~/.editor-server/port ]; do sleep 0.05; done
echo "listeningOn==$(cat ~/.editor-server/port)=="
`
const onLoopback = `IO::Socket::INET->new(Listen => 5, LocalAddr => '127.0.0.1', LocalPort => 0)`
const onSocket = `do { my $p = "$ENV{HOME}/.editor-server/s"; unlink $p; IO::Socket::UNIX->new(Listen => 5, Local => $p) }`

/** Says a line to whoever listens there and gives all that comes back. */
function exchange(socket: Socket, line: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    socket.on('data', (part: Buffer) => {
      answer += part.toString()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer))
    socket.write(line)
  })
}

/** A connection through a SOCKS 5 proxy; undefined when the proxy says no. */
function throughSocks(proxyPort: number, host: string, port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(proxyPort, '127.0.0.1')
    socket.on('error', () => resolve(undefined))
    socket.on('close', () => resolve(undefined))
    socket.once('data', () => {
      const name = Buffer.from(host)
      const head = Buffer.from([5, 1, 0, 3, name.length])
      socket.write(Buffer.concat([head, name, Buffer.from([port >> 8, port & 0xff])]))
      socket.once('data', (reply: Buffer) => resolve(reply[1] === 0 ? socket : undefined))
    })
    socket.write(Buffer.from([5, 1, 0]))
  })
}

describeWith(['sshd', 'ssh-keygen', 'ssh'], 'the remote start of an editor', () => {
  let product: RunningProduct
  let target: RealSshd
  let admin: Client
  let person: SshPerson
  let reader: SshPerson
  const folder = mkdtempSync(join(tmpdir(), 'castellan-editor-'))
  const children: ChildProcess[] = []

  beforeAll(async () => {
    ;[target, product] = await Promise.all([startSshd(), sharedProduct()])
    admin = await signIn(product.url, 'admin', product.adminPassword)
    const host = await makeHost(admin, target, 'workplace')
    await permit(admin, await makePerson(admin, 'edith', password), [host])
    await permit(admin, await makePerson(admin, 'rex', password), [host], ['connect', 'download'])
    person = byPassword(folder, 'edith', password)
    reader = byPassword(folder, 'rex', password)
  })
  afterAll(async () => {
    for (const child of children) child.kill()
    await target?.stop()
    rmSync(folder, { recursive: true })
  })

  /** Starts `ssh -T … host bash`, feeds it the script and leaves its input open, as an editor does. */
  function start(who: SshPerson, name: string, words: string[], script: string) {
    const login = `${name}@${target.username}@127.0.0.1`
    const to = ['-o', 'LogLevel=INFO', ...who.words, '-p', `${product.sshPort}`, '-l', login, '127.0.0.1', 'bash']
    const child = spawn('ssh', ['-T', ...words, ...to], { env: who.env })
    children.push(child)
    const said = { out: '', err: '' }
    child.stdout.on('data', (part: Buffer) => {
      said.out += part.toString()
    })
    child.stderr.on('data', (part: Buffer) => {
      said.err += part.toString()
    })
    child.stdin.write(script)
    return said
  }

  const listening = async (said: { out: string }) => {
    await vi.waitFor(() => expect(said.out).toMatch(/listeningOn==\w+==/), patience)
    return Number(/listeningOn==(\w+)==/.exec(said.out)?.[1])
  }

  it('the script starts a server, and the client reaches it through the dynamic forward', async () => {
    const socks = await freePort()
    const said = start(person, 'edith', ['-D', `${socks}`], server(onLoopback))
    const port = await listening(said)
    const answers = await Promise.all(
      ['one', 'two', 'three'].map(async (word) => {
        const socket = await throughSocks(socks, '127.0.0.1', port)
        return exchange(socket as Socket, `${word}\n`)
      }),
    )
    expect(answers).toEqual(['one', 'two', 'three'].map((word) => `editor server got ${word}\n`))
    const rows = (await admin.collection('terminal/sessions').all()).filter(({ user }) => /edith/.test(String(user)))
    const types = rows.map((row) => (row.type as { value: string }).value)
    expect(types.filter((type) => type === 'tunnel')).toHaveLength(1)
    expect(types).toContain('command')
  })

  it('the client reaches a server that listens on a socket file', async () => {
    const local = await freePort()
    const words = ['-L', `${local}:${target.home}/.editor-server/s`]
    const said = start(person, 'edith', words, server(onSocket))
    await listening(said)
    expect(await exchange(connect(local, '127.0.0.1'), 'over a file\n')).toBe('editor server got over a file\n')
  })

  it('nothing is forwarded without the actions upload and download, and the person reads why', async () => {
    const socks = await freePort()
    const said = start(reader, 'rex', ['-D', `${socks}`], server(onLoopback))
    const port = await listening(said)
    expect(await throughSocks(socks, '127.0.0.1', port)).toBeUndefined()
    await vi.waitFor(() => expect(said.err).toContain('with the actions connect, upload and download'), patience)
    const tunnels = (await admin.collection<AnyRow>('terminal/sessions').all()).filter(
      (row) => (row.type as { value: string }).value === 'tunnel' && `${row.user}`.includes('rex'),
    )
    expect(tunnels).toEqual([])
  })

  it('no forward leads past the asset', async () => {
    const answer = await ssh(product, loud(), edith(), ['-W', `127.0.0.1.example.com:${target.port}`, '127.0.0.1'])
    expect(answer.code).toBe(255)
    expect(answer.out.toString()).toBe('')
    expect(answer.err).toContain('administratively prohibited')
    expect(answer.err).toContain('only to the asset itself, not to 127.0.0.1.example.com')
  })

  it('a place where nobody listens says so', async () => {
    const nobody = await freePort()
    const answer = await ssh(product, loud(), edith(), ['-W', `localhost:${nobody}`, '127.0.0.1'])
    expect(answer.err).toContain(`The asset could not connect to localhost:${nobody}`)
  })

  const loud = (): SshPerson => ({ ...person, words: ['-o', 'LogLevel=INFO', ...person.words] })
  const edith = () => `edith@${target.username}@127.0.0.1`
})
