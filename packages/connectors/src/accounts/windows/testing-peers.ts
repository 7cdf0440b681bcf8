import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import ssh2 from 'ssh2'
import { rc4 } from './ntlm/ciphers.ts'
import { responseKey } from './ntlm/messages.ts'
import { hmacMd5, NtlmSealing } from './ntlm/sealing.ts'
import { encryptedType, openEnvelope, sealEnvelope } from './winrm/encryption.ts'

/**
 * What Windows answers, on real sockets: no Windows runs in the tests. The peers check the bytes that they get, and
 * obey the scripts by what these are to do, not by running them.
 */
export interface FakeWindows {
  administrator: { username: string; password: string }
  users: Map<string, { password: string; groups: string[]; enabled: boolean }>
  /** Each command with the script, the values and the secret that it got. */
  received: { command: string; script: string; values: Record<string, unknown>; secret: string }[]
  /** What every script answers instead of what it did, as `code:text`. */
  answer?: string | undefined
  /** What a script answers, as `code:text`; for scripts that are not about users. A promise is waited for. */
  obey?: ((script: string, values: Record<string, unknown>) => string | Promise<string> | undefined) | undefined
  /** Printed instead of any answer. */
  output?: string | undefined
}

export const fakeWindows = (): FakeWindows => ({
  administrator: { username: 'Administrator', password: 'Pa"ss wörd 密' },
  users: new Map(),
  received: [],
})

const text = (line = '') => Buffer.from(line, 'base64').toString('utf8')

/** What a command prints that got this on standard input. */
async function obey(windows: FakeWindows, command: string, input: string): Promise<string> {
  const [script, json, secret] = input.split('\r\n').map(text) as [string, string, string]
  const values = JSON.parse(json) as Record<string, unknown> & { nonce: string; username: string; groups: string[] }
  windows.received.push({ command, script, values, secret })
  const said = (code: string, words = '') =>
    `#< noise\r\n${values.nonce}:${code}:${Buffer.from(words).toString('base64')}\r\n`
  if (windows.output !== undefined) return windows.output
  const answer = windows.answer ?? (await windows.obey?.(script, values))
  if (answer !== undefined) {
    const [code = '', ...words] = answer.split(':')
    return said(code, words.join(':'))
  }
  const user = windows.users.get(values.username)
  if (script.includes('Set-LocalUser')) {
    if (!user && values.create !== true) return said('account_missing', 'no such user')
    windows.users.set(values.username, { password: secret, groups: values.groups, enabled: true })
  } else if (script.includes('Remove-LocalUser')) windows.users.delete(values.username)
  else return said('ok', JSON.stringify([...windows.users.keys()].map((username) => ({ username, lastLogin: 1000 }))))
  return said('ok')
}

const passwordOf = ({ administrator, users }: FakeWindows, username: string) =>
  username === administrator.username ? administrator.password : users.get(username)?.password

export interface Peer {
  port: number
  close(): Promise<void>
}

/** OpenSSH of Windows, with a host key of its own. `port`: the one to listen on, if not any. */
export async function sshPeer(windows: FakeWindows, port = 0): Promise<Peer> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const hostKey = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })).export({
    type: 'pkcs1',
    format: 'pem',
  })
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    client.on('error', () => undefined)
    client.on('authentication', (context) => {
      if (context.method === 'password' && context.password === passwordOf(windows, context.username)) context.accept()
      else context.reject(['password'])
    })
    client.on('session', (accept) => {
      accept().on('exec', (open, _reject, { command }) => {
        const channel = open()
        let input = ''
        channel.on('data', (chunk: Buffer) => {
          input += chunk.toString('utf8')
        })
        channel.on('end', () => {
          void obey(windows, command, input).then((printed) => {
            channel.write(printed)
            channel.exit(0)
            channel.end()
          })
        })
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

export interface WinRmOptions {
  schemes?: readonly ('Negotiate' | 'NTLM' | 'Basic')[]
  tls?: { key: string; cert: string }
  /** Signs in anybody whose NTLM message is well formed, without knowing a password. */
  isImpostor?: boolean
  /** Answers in the clear, as somebody between both would. */
  inTheClear?: boolean
}

const soap = (body: string) =>
  `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:w="w" xmlns:rsp="rsp"><s:Body>${body}</s:Body></s:Envelope>`
const fault = (code: string, words: string) =>
  soap(
    `<s:Fault><s:Code><s:Subcode><s:Value>w:${code}</s:Value></s:Subcode></s:Code><s:Reason><s:Text xml:lang="en-US">${words}</s:Text></s:Reason></s:Fault>`,
  )

/** What the connections of one peer know: NTLM signs in a connection. */
export interface Connection {
  negotiate: Buffer
  challenge: Buffer
  sealing?: NtlmSealing
  username?: string
}

/** The second message of NTLM, with the time, so that the third has an integrity code. */
export function challengeMessage(serverChallenge: Buffer): Buffer {
  const pair = (kind: number, value: Buffer) => {
    const head = Buffer.alloc(4)
    head.writeUInt16LE(kind)
    head.writeUInt16LE(value.length, 2)
    return Buffer.concat([head, value])
  }
  const time = Buffer.alloc(8)
  time.writeBigUInt64LE((BigInt(Date.now()) + 11_644_473_600_000n) * 10_000n)
  const pairs = Buffer.concat([pair(2, Buffer.from('HOST', 'utf16le')), pair(7, time), pair(0, Buffer.alloc(0))])
  const head = Buffer.alloc(56)
  head.write('NTLMSSP\0', 'latin1')
  head.writeUInt32LE(2, 8)
  head.writeUInt32LE(0xe28a8235, 20)
  serverChallenge.copy(head, 24)
  head.writeUInt16LE(pairs.length, 40)
  head.writeUInt32LE(56, 44)
  return Buffer.concat([head, pairs])
}

/** The user of the third message, when its proof, its key and its integrity code are right. */
export function authenticated(
  windows: FakeWindows,
  { negotiate, challenge }: Connection,
  message: Buffer,
  isImpostor = false,
) {
  const field = (at: number) => {
    const begin = message.readUInt32LE(at + 4)
    return message.subarray(begin, begin + message.readUInt16LE(at))
  }
  const username = field(36).toString('utf16le')
  const password = isImpostor ? 'unknown' : passwordOf(windows, username)
  if (password === undefined) return undefined
  const key = responseKey(username, field(28).toString('utf16le'), password)
  const answer = field(20)
  const proof = hmacMd5(key, challenge.subarray(24, 32), answer.subarray(16))
  if (!proof.equals(answer.subarray(0, 16)) && !isImpostor) return undefined
  const sessionKey = rc4(hmacMd5(key, proof))(field(52))
  const bare = Buffer.from(message)
  bare.fill(0, 72, 88)
  const isWhole = hmacMd5(sessionKey, negotiate, challenge, bare).equals(message.subarray(72, 88))
  return isWhole || isImpostor ? { username, sealing: new NtlmSealing(sessionKey, 'server') } : undefined
}

/** WinRM with its shell of WS-Management. */
export async function winRmPeer(windows: FakeWindows, options: WinRmOptions = {}): Promise<Peer> {
  const { schemes = ['Negotiate', 'Basic'], tls, isImpostor, inTheClear } = options
  const connections = new WeakMap<object, Connection>()
  const commands = new Map<string, { command: string; input: string; waits: number }>()

  async function act(username: string, envelope: string): Promise<{ status: number; body: string }> {
    if (envelope.includes('<i:Identify/>'))
      return { status: 200, body: soap('<wsmid:IdentifyResponse><wsmid:ProductVendor/></wsmid:IdentifyResponse>') }
    if (username !== windows.administrator.username)
      return { status: 500, body: fault('AccessDenied', 'Access is denied.') }
    const action = /<a:Action[^>]*>[^<]*\/(\w+)</.exec(envelope)?.[1]
    const id = /CommandId="([^"]+)"/.exec(envelope)?.[1] ?? ''
    const started = commands.get(id)
    if (action === 'Create')
      return { status: 200, body: soap('<rsp:Shell><rsp:ShellId>SHELL&amp;1</rsp:ShellId></rsp:Shell>') }
    if (!envelope.includes('Name="ShellId">SHELL&#38;1<'))
      return { status: 500, body: fault('InvalidSelectors', 'no shell') }
    if (action === 'Command') {
      const words = [...envelope.matchAll(/<rsp:(?:Command|Arguments)>([^<]*)</g)].map(([, word]) => word)
      const key = randomBytes(4).toString('hex')
      commands.set(key, { command: words.join(' '), input: '', waits: 0 })
      return {
        status: 200,
        body: soap(`<rsp:CommandResponse><rsp:CommandId>${key}</rsp:CommandId></rsp:CommandResponse>`),
      }
    }
    if (action === 'Send' && started) {
      started.input += text(/End="true">([^<]*)</.exec(envelope)?.[1])
      return { status: 200, body: soap('<rsp:SendResponse/>') }
    }
    if (action === 'Receive' && started) {
      if (started.waits++ === 0) return { status: 500, body: fault('TimedOut', 'Code 2150858793') }
      const printed = Buffer.from(await obey(windows, started.command, started.input)).toString('base64')
      const stream = (name: string, data: string) => `<rsp:Stream Name="${name}" CommandId="${id}">${data}</rsp:Stream>`
      const half = Math.ceil(printed.length / 8) * 4
      return {
        status: 200,
        body: soap(
          `<rsp:ReceiveResponse>${stream('stdout', printed.slice(0, half))}${stream('stderr', 'bm9pc2U=')}${stream('stdout', printed.slice(half))}<rsp:CommandState CommandId="${id}" State="http://schemas.microsoft.com/wbem/wsman/1/windows/shell/CommandState/Done"><rsp:ExitCode>0</rsp:ExitCode></rsp:CommandState></rsp:ReceiveResponse>`,
        ),
      }
    }
    return { status: 200, body: soap('') }
  }

  async function handle(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<unknown> {
    const refuse = (token = '') => {
      const offers = schemes.map((scheme) =>
        scheme === 'Basic' ? 'Basic realm="WSMAN"' : `${scheme}${token && ` ${token}`}`,
      )
      response.writeHead(401, { 'www-authenticate': offers }).end()
    }
    const [scheme = '', token = ''] = (request.headers.authorization ?? '').split(' ')
    const known = connections.get(request.socket)
    if (scheme === 'Basic' && schemes.includes('Basic')) {
      const [username = '', password = ''] = text(token).split(/:(.*)/s)
      if (password !== passwordOf(windows, username)) return refuse()
      const { status, body: answer } = await act(username, body.toString('utf8'))
      return response.writeHead(status, { 'content-type': 'application/soap+xml' }).end(answer)
    }
    if ((schemes as readonly string[]).includes(scheme)) {
      const message = Buffer.from(token, 'base64')
      if (message.readUInt32LE(8) === 1) {
        const challenge = challengeMessage(randomBytes(8))
        connections.set(request.socket, { negotiate: message, challenge })
        return refuse(challenge.toString('base64'))
      }
      const user = known && authenticated(windows, known, message, isImpostor)
      if (!user) return refuse()
      connections.set(request.socket, { ...known, ...user })
      return response.writeHead(200).end()
    }
    if (known?.username === undefined || !known.sealing) return refuse()
    const isSealed = request.headers['content-type'] === encryptedType
    const envelope = isSealed ? openEnvelope(known.sealing, body) : tls && body
    if (!envelope && !isImpostor) return response.writeHead(400).end()
    const { status, body: answer } = await act(known.username, String(envelope || '<i:Identify/>'))
    const plain = Buffer.from(answer)
    if (!isSealed || inTheClear)
      return response.writeHead(status, { 'content-type': 'application/soap+xml' }).end(plain)
    return response.writeHead(status, { 'content-type': encryptedType }).end(sealEnvelope(known.sealing, plain))
  }

  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => handle(request, Buffer.concat(chunks), response))
  }
  const server: Server = tls ? createTlsServer(tls, listener) : createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
