import { createServer, type Server } from 'node:net'
import { roleIds } from '@castellan/contract/ids'
import { describeWith } from '@castellan/testing/parts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startServer, type TestServer } from '../../../testing/server.ts'
import { portsIn, targetsIn } from './targets.ts'

let server: TestServer
let greeter: Server
let port = 0
beforeAll(async () => {
  server = await startServer()
  greeter = createServer((socket) => socket.on('error', () => {}).write('220 hello\u001b[2J\u0007 there\r\n'))
  await new Promise<void>((done) => greeter.listen(0, '127.0.0.1', done))
  port = (greeter.address() as { port: number }).port
})
afterAll(async () => {
  greeter.close()
  await server.close()
})

const path = '/ws/setting/tools/'

async function open(client = server.admin, language = 'en') {
  const socket = new WebSocket(server.url.replace(/^http/, 'ws') + path, {
    headers: { ...client.proof('GET', path), 'accept-language': language },
  })
  const state: { text: string; code?: number } = { text: '' }
  socket.on('message', (data) => {
    state.text += JSON.parse(String(data)).msg
  })
  const closed = new Promise<void>((done) =>
    socket.on('close', (code) => {
      state.code = code
      done()
    }),
  )
  await new Promise((opened, fail) => socket.on('open', opened).on('error', fail))
  return { socket, state, closed, ask: (request: object) => socket.send(JSON.stringify(request)) }
}

/** What one request prints until its socket is closed. */
async function output(request: object, client = server.admin, language = 'en'): Promise<string> {
  const { ask, closed, state } = await open(client, language)
  ask(request)
  await closed
  expect(state.code).toBe(1000)
  expect(state.text).toMatch(/\r\n\r\n$/)
  return state.text
}

const orgAdmin = async (username: string) => server.as(await server.person(username, { org: [roleIds.orgAdmin] }))

describe('the socket of the network tools', () => {
  it('is closed to nobody, members, auditors and components', async () => {
    const people = [
      await server.as(await server.person('tool-member', { org: [roleIds.orgUser], system: [roleIds.user] })),
      await server.as(await server.person('tool-auditor', { system: [roleIds.systemAuditor] })),
    ]
    for (const client of people) await expect(open(client)).rejects.toThrow('403')
    const refused = new Promise((_open, fail) =>
      new WebSocket(server.url.replace(/^http/, 'ws') + path).on('error', fail),
    )
    await expect(refused).rejects.toThrow('403')
  })

  it('connects to a port and shows the greeting, without what a terminal would execute', async () => {
    const text = await output({ tool_type: 'Telnet', dest_ips: '127.0.0.1', dest_port: port })
    expect(text).toContain('220 hello[2J there')
    expect(text).not.toContain('\u001b')
    expect(text).toContain('1 of 1 succeeded')
    const log = await server.admin.request<{ resource: string; action: { value: string } }[]>(
      'GET',
      `/api/v1/audits/operate-logs/?resource_type=System tool`,
    )
    expect(log[0]).toMatchObject({ resource: `telnet ${port} 127.0.0.1` })
  })

  it('says that a port is closed', async () => {
    const text = await output({ tool_type: 'telnet', dest_ips: '127.0.0.1', dest_port: 1 })
    expect(text).toContain('Port 1 of 127.0.0.1 is closed')
    expect(text).toContain('0 of 1 succeeded')
  })

  it.each([
    [{ tool_type: 'bash', dest_ips: '127.0.0.1' }, 'There is no such tool'],
    [{ tool_type: '__proto__', dest_ips: '127.0.0.1' }, 'There is no such tool'],
    [{ tool_type: null }, 'There is no such tool'],
    [{ tool_type: 'ping' }, 'Enter an address'],
    [{ tool_type: 'ping', dest_ips: ['-f', '127.0.0.1'] }, 'Enter an address'],
    [{ tool_type: 'ping', dest_ips: '10.0.0.0/8' }, 'at most 256'],
    [{ tool_type: 'nmap', dest_ips: '127.0.0.1', dest_ports: ['22', '-oG', '/tmp/x'] }, '-oG is not a port'],
    [{ tool_type: 'nmap', dest_ips: '127.0.0.1', dest_ports: ['70000'] }, '70000 is not a port'],
    [{ tool_type: 'telnet', dest_ips: '127.0.0.1', dest_port: '1-9' }, '1-9 is not a port'],
    [{ tool_type: 'tcpdump', interfaces: ['-w/tmp/x'] }, '-w/tmp/x is not an interface'],
    [{ tool_type: 'tcpdump', src_ports: '22 or port 23' }, 'is not a port'],
  ])('answers %j with a sentence', async (request, sentence) => {
    const text = await output(request)
    expect(text).toContain('Exception: ')
    expect(text).toContain(sentence)
  })

  it('says it in Chinese and Japanese', async () => {
    const request = { tool_type: 'ping', dest_ips: '' }
    expect(await output(request, server.admin, 'zh')).toContain('请输入地址')
    expect(await output(request, server.admin, 'ja')).toContain('アドレス')
  })

  it('passes no option to a program, and skips what is no address', async () => {
    const text = await output({
      tool_type: 'nmap',
      dest_ips: '-oG,/tmp/castellan-injected,$(id),2130706433,0x7f000001,127.1',
    })
    for (const part of ['-oG', '/tmp/castellan-injected', '$(id)', '2130706433', '0x7f000001', '127.1'])
      expect(text).toContain(`${part}: skipped, neither an address`)
    expect(text).toContain('0 of 0 succeeded')
  })

  it('reaches no metadata service, and the server itself only for system administrators', async () => {
    const meta = { tool_type: 'telnet', dest_ips: '169.254.169.254,::ffff:169.254.169.254,fe80::1', dest_port: 80 }
    const text = await output(meta)
    expect(text.match(/link-local addresses are not allowed/g)).toHaveLength(3)
    const member = await orgAdmin('tool-admin')
    const own = await output(
      { tool_type: 'telnet', dest_ips: '127.0.0.1,localhost,::1,::ffff:127.0.0.1', dest_port: port },
      member,
    )
    expect(own.match(/only system administrators may examine the server itself/g)).toHaveLength(4)
    expect(own).not.toContain('220 hello')
    expect(await output({ tool_type: 'tcpdump' }, member)).toContain('Only system administrators may capture packets')
  })

  it('runs one tool of a user at a time, and is free again when its client leaves', async () => {
    const first = await open()
    first.ask({ tool_type: 'telnet', dest_ips: '127.0.0.1', dest_port: port })
    await expect.poll(() => first.state.text).toContain('Connecting')
    const request = { tool_type: 'telnet', dest_ips: '127.0.0.1', dest_port: 1 }
    expect(await output(request)).toContain('Another tool of yours is still running')
    first.socket.close()
    await first.closed
    await expect.poll(() => output(request)).toContain('Port 1 of 127.0.0.1 is closed')
  })

  it('names a program that is not installed, with the command that installs it', async () => {
    const { PATH } = process.env
    // The folders for administrators stay, where traceroute is on Debian.
    process.env.PATH = '/nonexistent'
    try {
      expect(await output({ tool_type: 'nmap', dest_ips: '127.0.0.1' })).toContain('apt-get install nmap')
      expect(await output({ tool_type: 'nmap', dest_ips: '' }), 'what was sent comes first').toContain(
        'Enter an address',
      )
    } finally {
      process.env.PATH = PATH
    }
  })
})

describeWith(['ping', 'nmap', 'traceroute', 'linux'], 'the programs of the network tools', () => {
  it('ping answers line by line', async () => {
    const text = await output({ tool_type: 'ping', dest_ips: '127.0.0.1-2' })
    expect(text).toContain('2 addresses')
    expect(text).toMatch(/icmp_seq=1 /)
    expect(text).toContain('2 of 2 succeeded')
  })

  it('nmap finds an open port', async () => {
    const text = await output({ tool_type: 'nmap', dest_ips: '127.0.0.1', dest_ports: [String(port), 1] })
    expect(text).toMatch(new RegExp(`${port}/tcp +open`))
    expect(text).toMatch(/1\/tcp +closed/)
  })

  it('traceroute shows the hops', async () => {
    expect(await output({ tool_type: 'traceroute', dest_ips: '127.0.0.1' })).toMatch(/^ 1 {2}127\.0\.0\.1/m)
  })

  it('a program ends with its client', async () => {
    const { ask, state, socket, closed } = await open()
    ask({ tool_type: 'ping', dest_ips: '127.0.0.1-200' })
    await expect.poll(() => state.text).toMatch(/icmp_seq=1 /)
    socket.close()
    await closed
    await expect.poll(() => output({ tool_type: 'telnet', dest_ips: '127.0.0.1', dest_port: 1 })).toContain('is closed')
  })
})

describeWith(['tcpdump', 'root'], 'the capture', () => {
  it('shows headers that match a filter, and never their content', async () => {
    const { ask, state, socket, closed } = await open()
    ask({ tool_type: 'tcpdump', interfaces: ['lo'], dest_ips: '127.0.0.1', dest_ports: [String(port)] })
    await expect.poll(() => state.text).toMatch(/listening on lo/)
    await output({ tool_type: 'telnet', dest_ips: '127.0.0.1', dest_port: port }, await orgAdminOfServer())
    await expect.poll(() => state.text).toMatch(new RegExp(`> 127\\.0\\.0\\.1\\.${port}`))
    expect(state.text).not.toContain('220 hello')
    socket.close()
    await closed
  })
})

/** Another system administrator: each user runs one tool at a time. */
const orgAdminOfServer = async () => server.as(await server.person('second-admin', { system: [roleIds.systemAdmin] }))

describe('targets and ports', () => {
  it.each([
    ['10.0.0.1, 10.0.0.2', ['10.0.0.1', '10.0.0.2']],
    ['10.0.0.1-3', ['10.0.0.1', '10.0.0.2', '10.0.0.3']],
    ['10.0.0.254-10.0.1.1', ['10.0.0.254', '10.0.0.255', '10.0.1.0', '10.0.1.1']],
    ['10.0.0.0/30', ['10.0.0.1', '10.0.0.2']],
    ['2001:db8::1', ['2001:db8::1']],
  ])('%s is understood', async (text, addresses) => {
    expect((await targetsIn(text, true)).targets.map(({ address }) => address)).toEqual(addresses)
  })

  it('ports are numbers, texts and ranges', () => {
    expect(portsIn([22, '80,443', '8000-8100'])).toEqual(['22', '80', '443', '8000-8100'])
    expect(() => portsIn('0')).toThrow()
    expect(() => portsIn({ toString: () => '22' })).toThrow()
    expect(() => portsIn(Array.from({ length: 101 }, (_, index) => index + 1))).toThrow()
  })
})
