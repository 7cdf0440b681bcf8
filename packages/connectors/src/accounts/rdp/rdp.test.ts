import { execFileSync } from 'node:child_process'
import { randomBytes, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { describeWith } from '@castellan/testing/parts'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { byPassword, passwordFor, targetOn } from '../testing-target.ts'
import { authenticated, challengeMessage, type FakeWindows, fakeWindows } from '../windows/testing-peers.ts'
import { rdp } from './index.ts'
import { bindingOf, decodeTsRequest, encodeTsRequest, publicKeyOf } from './ts-request.ts'

interface PeerOptions {
  windows?: FakeWindows
  version?: number
  errorCode?: number
  /** The connection confirm, in hexadecimal; the one with CredSSP otherwise. */
  confirm?: string
  /** Leads the TLS of a client on to itself, without knowing a password. */
  isImpostor?: boolean
  /** Another certificate than the one of the connection is proved, as by somebody in between. */
  provedKey?: Buffer
  hangs?: boolean
}

/** The beginning of RDP on a real socket, up to the point where the password itself would be sent. */
describeWith('openssl', 'RDP with network level authentication', () => {
  let key: string
  let cert: string
  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'castellan-rdp-'))
    const files = ['-keyout', join(folder, 'key'), '-out', join(folder, 'cert')]
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=windows', ...files],
      { stdio: 'ignore' },
    )
    key = readFileSync(join(folder, 'key'), 'utf8')
    cert = readFileSync(join(folder, 'cert'), 'utf8')
    rmSync(folder, { recursive: true })
  })

  const closing: (() => void)[] = []
  afterEach(() => {
    for (const close of closing.splice(0)) close()
  })

  function serve(socket: Socket, options: PeerOptions): void {
    const { windows = fakeWindows(), version = 6, errorCode, isImpostor, hangs } = options
    const { confirm = '030000130ed000000000000200080002000000' } = options
    socket.on('error', () => undefined)
    socket.once('data', (request: Buffer) => {
      if (hangs) return
      expect(request.toString('hex')).toBe('030000130ee000000000000100080003000000')
      socket.write(Buffer.from(confirm, 'hex'))
      const secure = new TLSSocket(socket, { isServer: true, key, cert })
      secure.on('error', () => undefined)
      let known: { negotiate: Buffer; challenge: Buffer } | undefined
      secure.on('data', (bytes: Buffer) => {
        const { token = Buffer.alloc(0), publicKey = Buffer.alloc(0), nonce = Buffer.alloc(0) } = decodeTsRequest(bytes)
        if (!known) {
          known = { negotiate: token, challenge: challengeMessage(randomBytes(8)) }
          return void secure.write(encodeTsRequest({ version, token: known.challenge }))
        }
        const user = authenticated(windows, known, token, isImpostor)
        if (errorCode !== undefined || !user)
          return void secure.write(encodeTsRequest({ version, errorCode: errorCode ?? 0xc000006d }))
        const own = options.provedKey ?? publicKeyOf(new X509Certificate(cert))
        const proof = user.sealing.open({ signature: publicKey.subarray(0, 16), sealed: publicKey.subarray(16) })
        const isOwn = proof?.equals(version < 5 ? own : bindingOf('Client-To-Server', nonce, own))
        if (!isOwn && !isImpostor) return void secure.destroy()
        const increased = Buffer.from(own)
        increased[0] = ((increased[0] ?? 0) + 1) & 0xff
        const { signature, sealed } = user.sealing.seal(
          version < 5 ? increased : bindingOf('Server-To-Client', nonce, own),
        )
        secure.write(encodeTsRequest({ version, publicKey: Buffer.concat([signature, sealed]) }))
      })
    })
  }
  async function peer(options: PeerOptions = {}) {
    const server = createServer((socket) => {
      closing.push(() => socket.destroy())
      serve(socket, options)
    })
    closing.push(() => server.close())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
    return targetOn((server.address() as AddressInfo).port, { protocol: 'rdp' })
  }
  const { username, password } = fakeWindows().administrator
  const right = byPassword(username, password)

  it.each([2, 6])('proves a password to version %i without sending it', async (version) => {
    await rdp.verify(await peer({ version }), right)
    await expect(rdp.verify(await peer({ version }), byPassword(username, 'wrong'))).rejects.toMatchObject({
      code: 'auth_failed',
    })
    await expect(rdp.verify(await peer({ version }), byPassword('nobody', password))).rejects.toMatchObject({
      code: 'auth_failed',
    })
  })

  it.each([
    [0xc000006d, 'auth_failed'],
    [0xc0000071, 'secret_expired'],
    [0xc0000224, 'secret_expired'],
    [0xc0000072, 'denied'],
    [0xc0000234, 'denied'],
    [0x12345678, 'denied'],
  ])('says why Windows refuses: %i', async (errorCode, code) => {
    await expect(rdp.verify(await peer({ errorCode }), right)).rejects.toMatchObject({ code })
  })

  it('believes no target that does not know the password, and nobody in between', async () => {
    await expect(rdp.verify(await peer({ isImpostor: true }), right)).rejects.toMatchObject({ code: 'bad_answer' })
    // Whether the password is wrong is not known then.
    await expect(rdp.verify(await peer({ provedKey: Buffer.from('another') }), right)).rejects.toThrow(/closed/)
  })

  it.each([
    ['without it', '030000130ed000000000000200080001000000', 'unsupported'],
    ['that refuses it', '030000130ed000000000000300080002000000', 'unsupported'],
    ['of an old kind', '0300000b06d00000000000', 'unsupported'],
    ['that speaks something else', '485454502f312e3120343030', 'bad_answer'],
  ])('is missing on a target %s', async (_what, confirm, code) => {
    await expect(rdp.verify(await peer({ confirm }), right)).rejects.toMatchObject({ code })
  })

  it('ends at once when it is given up', async () => {
    const ending = new AbortController()
    const { port } = await peer({ hangs: true })
    const work = rdp.verify(targetOn(port, { signal: ending.signal }), right)
    setImmediate(() => ending.abort(new Error('given up')))
    await expect(work).rejects.toThrow('given up')
  })

  it('takes passwords only, and changes none', async () => {
    const target = await peer()
    await expect(rdp.verify(target, { ...right, secretType: 'ssh_key' })).rejects.toMatchObject({ code: 'unsupported' })
    await expect(rdp.change(target, right, passwordFor('ann', 'x'))).rejects.toMatchObject({ code: 'unsupported' })
  })
})
