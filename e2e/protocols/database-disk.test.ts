import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiError, type Client, signIn } from '@castellan/testing/client'
import { describeWith } from '@castellan/testing/parts'
import { type Postgres, startPostgres } from '@castellan/testing/postgres'
import { type Product, startProduct } from '@castellan/testing/product'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { smallDisk } from '../small-disk.ts'

const patience = { timeout: 30_000, interval: 500 }

describeWith(['postgresql', 'mount'], 'a full disk under PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-full-'))
  const place = join(folder, 'disk')
  const disk = smallDisk(place, 400)
  let postgres: Postgres
  let product: Product
  let admin: Client

  beforeAll(async () => {
    // The database's programs run as somebody else.
    for (const path of [folder, place]) chmodSync(path, 0o755)
    postgres = await startPostgres(place)
    product = await startProduct({ env: { DATABASE_URL: postgres.createDatabase() } })
    admin = await signIn(product.url, 'admin', product.adminPassword)
    // A program that is still starting ends without its database, and is started again: that is not what is tested here.
    await vi.waitFor(() => expect(product.log('worker')).toContain('"serving"'), patience)
  })
  afterAll(async () => {
    await product?.stop()
    await postgres?.stop()
    disk?.unmount()
    rmSync(folder, { recursive: true, force: true })
  })

  const groups = () => admin.collection('users/groups')
  let made = 0
  const store = () => groups().create({ name: `group ${made++}`, comment: 'x'.repeat(131_072) })
  /** The answer of a change that was refused; undefined when it was stored. */
  const refused = (change: Promise<unknown>) =>
    change.then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof ApiError) return error
        throw error
      },
    )
  const restarts = async () => Object.values((await product.status()).programs).map(({ restarts }) => restarts)

  describe('as long as it lasts', () => {
    it('refuses changes as not possible at the moment, and ends no program', async () => {
      disk?.fill()
      let refusal: ApiError | undefined
      for (let tries = 0; tries < 1200 && !refusal; tries++) refusal = await refused(store())
      expect(refusal).toMatchObject({ status: 503, body: { code: 'service_unavailable', detail: expect.any(String) } })
      for (let tries = 0; tries < 5; tries++) {
        const again = await refused(store())
        expect([undefined, 503]).toContain(again?.status)
        const read = await refused(groups().page())
        expect([undefined, 503]).toContain(read?.status)
      }
      expect(await restarts()).toEqual([0, 0, 0])
    })

    it('is over when there is room again: everything that was stored is there, and more can be', async () => {
      disk?.makeRoom()
      // A database that found no room for its own journal has ended, and is started by whoever keeps it.
      await postgres.halt()
      await postgres.start()
      await vi.waitFor(async () => expect(await refused(store())).toBeUndefined(), patience)
      const health = await fetch(`${product.url}/api/health/`)
      expect(health.status).toBe(200)
      const { count } = await groups().page({ search: 'group' })
      expect(count).toBeGreaterThan(0)
      expect(await restarts()).toEqual([0, 0, 0])
    })
  })
})
