import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, signIn } from '@castellan/testing/client'
import { conversationsFolder } from '@castellan/testing/conversations'
import { type Product, startProduct } from '@castellan/testing/product'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Fields, recordedOptions, setDifferences } from './recorded-options.ts'

const folder = join(conversationsFolder() ?? '', '../options')
const recorded = existsSync(folder) ? recordedOptions(folder) : new Map<string, never>()

let product: Product
let admin: Client
beforeAll(async () => {
  product = await startProduct()
  admin = await signIn(product.url, 'admin', product.adminPassword)
})
afterAll(() => product?.stop())

describe.runIf(recorded.size > 0)('what OPTIONS tells of an address that stands', () => {
  it('is what was recorded', async () => {
    const lines: string[] = []
    for (const [path, { actions }] of recorded) {
      if (path.includes('{')) continue
      const answer = await admin
        .request<{ actions: Record<string, Fields> }>('OPTIONS', path)
        .catch((error: { status: number }) => error.status)
      if (typeof answer === 'number') continue
      for (const [method, fields] of Object.entries(actions))
        for (const line of setDifferences('', fields, answer.actions[method] ?? {}))
          lines.push(`${method} ${path} ${line}`)
    }
    expect(lines).toEqual([])
  })
})
