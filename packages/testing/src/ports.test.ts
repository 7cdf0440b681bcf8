import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { freePort } from './ports.ts'

const module = join(import.meta.dirname, 'ports.ts')

/** Ports that another process is given, while it lives. */
async function portsOfAnother(count: number): Promise<number[]> {
  const script = `
    import { freePort } from ${JSON.stringify(module)}
    const ports = []
    while (ports.length < ${count}) ports.push(await freePort())
    console.log(JSON.stringify(ports))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  return JSON.parse(stdout) as number[]
}

describe('a free port', () => {
  it('can be listened on, and is given to nobody twice', async () => {
    const ports = await Promise.all(Array.from({ length: 100 }, freePort))
    expect(new Set(ports).size).toBe(ports.length)
    const server = createServer()
    await new Promise<void>((listening) => server.listen(ports[0], '127.0.0.1', listening))
    await new Promise((closed) => server.close(closed))
    const others = await Promise.all([portsOfAnother(300), portsOfAnother(300)])
    const all = [...ports, ...others.flat()]
    expect(all.filter((port) => ports.includes(port))).toHaveLength(ports.length)
  })
})
