import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** A free loopback port below the range of outgoing connections, so that it stays free until it is used. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(10_000, 30_000)
    const free = await new Promise<boolean>((settle) => {
      const probe = createServer()
      probe.once('error', () => settle(false))
      probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => settle(true)))
    })
    if (free) return port
  }
  throw new Error('No free port was found.')
}
