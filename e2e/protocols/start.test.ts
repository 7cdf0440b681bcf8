import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ApiError, anonymous, signIn } from '@castellan/testing/client'
import { type Product, type ProgramName, startProduct } from '@castellan/testing/product'
import { isRunning } from '@castellan/testing/running'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const pidsOf = async (product: Product) => {
  const { pid, programs } = await product.status()
  return [pid, ...Object.values(programs).map((program) => program.pid ?? 0)]
}
const health = (product: Product) => fetch(`${product.url}/api/health/`).then((answer) => answer.status)

describe('a first start', () => {
  let product: Product
  beforeAll(async () => {
    product = await startProduct({ adminPassword: null })
  })
  afterAll(() => product?.stop())
  const password = () => readFileSync(join(product.dataDir, 'first-password'), 'utf8').trim()

  it('prints where it serves and the first password, which only this user can read', () => {
    expect(product.output()).toContain(product.url)
    expect(product.output()).toContain(`ssh -p ${product.sshPort}`)
    expect(product.output()).toContain(password())
    expect(password().length).toBeGreaterThanOrEqual(12)
    for (const file of [
      'first-password',
      'bootstrap-token',
      'master.key',
      'castellan.db',
      'castellan.db-wal',
      'logs/server.log',
    ]) {
      expect(statSync(join(product.dataDir, file)).mode & 0o077, file).toBe(0)
    }
  })

  it('wants the first password changed before anything else', async () => {
    const answer = await anonymous(product.url)
      .request('POST', '/api/v1/authentication/auth/', { username: 'admin', password: password() })
      .catch((reason: unknown) => (reason instanceof ApiError ? reason.body : reason))
    expect(answer).toMatchObject({ error: 'password_need_update' })
  })

  it('prints the password no second time', async () => {
    await product.halt()
    const before = product.output().length
    await product.start()
    expect(product.output().slice(before)).not.toContain(password())
  })
})

describe('a running product', () => {
  let product: Product
  beforeAll(async () => {
    product = await startProduct()
  })
  afterAll(() => product?.stop())

  it('takes the password given by the environment, which need not be changed', async () => {
    const client = await signIn(product.url, 'admin', product.adminPassword)
    expect(await client.request('GET', '/api/v1/users/profile/')).toMatchObject({ username: 'admin' })
  })

  it.each<ProgramName>(['worker', 'gateway', 'server'])(
    'goes on when %s is killed, which comes back by itself',
    async (killed) => {
      const client = await signIn(product.url, 'admin', product.adminPassword)
      const group = await client.collection('users/groups').create({ name: `before ${killed} was killed` })
      const before = (await product.status()).programs
      await product.kill(killed)
      await product.ready()
      const after = (await product.status()).programs
      for (const name of ['server', 'worker', 'gateway'] as const) {
        if (name === killed) expect(after[name].pid).not.toBe(before[name].pid)
        else expect(after[name]).toEqual(before[name])
      }
      expect(await client.collection('users/groups').get(group.id)).toMatchObject({ name: group.name })
    },
  )

  it('has its data folder for itself', async () => {
    await expect(startProduct({ dataDir: product.dataDir })).rejects.toThrow('is in use by a running instance')
    expect(await health(product)).toBe(200)
  })

  it('says that a port is taken', async () => {
    await expect(startProduct({ httpPort: Number(new URL(product.url).port) })).rejects.toThrow(
      'set CASTELLAN_HTTP_PORT to another port',
    )
  })

  it('leaves nothing running when it is stopped, and starts again on what it had', async () => {
    const pids = await pidsOf(product)
    const { gateway, worker, server } = (await product.status()).programs
    const ended = new Set<number | undefined>()
    const watching = setInterval(() => {
      for (const { pid } of [gateway, worker, server]) if (pid && !isRunning(pid)) ended.add(pid)
    }, 2)
    await product.halt()
    clearInterval(watching)
    expect(pids.filter(isRunning)).toEqual([])
    // Recordings need the server, and are not kept waiting by jobs.
    expect([...ended].slice(0, 2)).toEqual([gateway.pid, worker.pid])
    await product.start()
    expect(await health(product)).toBe(200)
  })

  it('leaves nothing running when its supervisor is killed', async () => {
    const [supervisor = 0, ...programs] = await pidsOf(product)
    process.kill(supervisor, 'SIGKILL')
    await vi.waitFor(() => expect(programs.filter(isRunning)).toEqual([]), 20_000)
    await product.start()
    expect(await health(product)).toBe(200)
  })
})

describe('a start that cannot work', () => {
  it('says why: passwords in the clear', async () => {
    await expect(startProduct({ env: { CASTELLAN_HTTP_HOST: '0.0.0.0' } })).rejects.toThrow('in the clear')
  })

  it('says why: a data folder that is a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'castellan-'))
    writeFileSync(join(folder, 'file'), '')
    await expect(startProduct({ env: { CASTELLAN_DATA_DIR: join(folder, 'file') } })).rejects.toThrow('cannot be used')
    rmSync(folder, { recursive: true })
  })

  it('says why: values of the environment that cannot serve', async () => {
    const wrong = {
      DATABASE_URL: 'mysql://x',
      CASTELLAN_TRUSTED_PROXIES: 'proxy',
      CASTELLAN_SSH_PORT_FORWARDING: 'far',
    }
    for (const [name, value] of Object.entries(wrong)) {
      const start = startProduct({ env: { [name]: value } })
      await expect(start).rejects.toThrow(new RegExp(`^(?!.*does not stay up).*${name}`, 's'))
    }
  })

  it('says why: a database of a newer version, and one that is damaged', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'castellan-'))
    const product = await startProduct({ dataDir })
    await product.stop()
    const file = join(dataDir, 'castellan.db')
    const database = new DatabaseSync(file)
    database.exec("insert into kernel_migration values ('29991231000000-of-tomorrow')")
    database.close()
    await expect(startProduct({ dataDir })).rejects.toThrow('newer version of Castellan')
    writeFileSync(file, 'no database at all'.repeat(1000))
    await expect(startProduct({ dataDir })).rejects.toThrow('is damaged')
    rmSync(dataDir, { recursive: true })
  })

  it('says why: a database that does not answer', async () => {
    await expect(startProduct({ env: { DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/nothing' } })).rejects.toThrow(
      /server does not stay up.*Check DATABASE_URL/s,
    )
  })
})
