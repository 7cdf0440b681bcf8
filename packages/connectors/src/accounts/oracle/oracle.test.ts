import { accountTarget, passwordChange, passwordLogin, startPeer } from '@castellan/testing/account-target'
import { describe, expect, it } from 'vitest'
import { oracle } from './oracle.ts'
import { refuseRedirect } from './redirect.ts'

const by = passwordLogin('system', 'a secret of ours')

/** A packet of the listener. */
function packet(kind: number, content: Buffer): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt16BE(8 + content.length, 0)
  header[4] = kind
  return Buffer.concat([header, content])
}

const counted = (text: string, before = Buffer.alloc(0)) => {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(Buffer.byteLength(text))
  return Buffer.concat([before, length, Buffer.from(text)])
}

const refusal = (number: number) =>
  packet(
    4,
    counted(
      `(DESCRIPTION=(TMP=)(VSNNUM=0)(ERR=${number})(ERROR_STACK=(ERROR=(CODE=${number})(EMFI=4))))`,
      Buffer.alloc(2),
    ),
  )

describe('users of Oracle, by its client library and a scripted listener', () => {
  it('say that the listener does not know the service', async () => {
    await using listener = await startPeer((socket) => void socket.once('data', () => socket.end(refusal(12514))))
    const target = accountTarget(listener.port, { database: 'shop' })
    await expect(oracle.verify(target, by)).rejects.toMatchObject({ code: 'unsupported' })
  })

  it('are not looked for at another address that the listener names', async () => {
    let reached = 0
    await using other = await startPeer(() => void reached++)
    await using listener = await startPeer((socket) =>
      socket.once('data', () =>
        socket.write(packet(5, counted(`(ADDRESS=(PROTOCOL=TCP)(HOST=127.0.0.1)(PORT=${other.port}))`))),
      ),
    )
    const target = accountTarget(listener.port, { database: 'shop' })
    await expect(oracle.verify(target, by)).rejects.toMatchObject({ code: 'unsupported' })
    expect(reached).toBe(0)
  })

  it('find a redirect in any packet before the sign-in, however it arrives', () => {
    const resend = packet(11, Buffer.alloc(0))
    const bytes = Buffer.concat([resend, packet(4, Buffer.alloc(5)), packet(5, Buffer.alloc(20))])
    for (const length of [1, 3, 8, bytes.length]) {
      const inspect = refuseRedirect()
      const refused = []
      for (let at = 0; at < bytes.length; at += length) refused.push(inspect(bytes.subarray(at, at + length)))
      expect(refused.some((one) => one?.code === 'unsupported')).toBe(true)
    }
    const inspect = refuseRedirect()
    // What follows has lengths of another form, and no redirects.
    expect(inspect(Buffer.concat([packet(2, Buffer.alloc(20)), packet(5, Buffer.alloc(20))]))).toBeUndefined()
  })

  it('are not looked for under a service that would be more than a name', async () => {
    for (const database of ['', 'shop)(HOST=10.0.0.1', 'a b', 'shop?wallet_location=/', '//x'])
      await expect(oracle.verify(accountTarget(1, { database }), by)).rejects.toMatchObject({ code: 'unsupported' })
  })

  it('get no name or password that ends its quotes', async () => {
    const target = accountTarget(1, { database: 'shop' })
    const set = (username: string, secret: string) => oracle.change(target, by, passwordChange(username, secret, true))
    await expect(set('a" IDENTIFIED BY x --', 'x')).rejects.toMatchObject({ code: 'bad_name' })
    await expect(set('app', 'x" PROFILE y')).rejects.toMatchObject({ code: 'secret_rejected' })
  })
})
