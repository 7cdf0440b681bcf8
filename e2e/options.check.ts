import { type AnyRow, type Client, type Page, signIn } from '@castellan/testing/client'
import { type Product, startProduct } from '@castellan/testing/product'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deliberate, withoutRows } from './deliberate-options.ts'
import { fill } from './filled-product.ts'
import { type Fields, orderDifference, type RecordedAddress, recordedHere, setDifferences } from './recorded-options.ts'

const recorded = recordedHere()
const base = '/api/v1/'

let product: Product
let admin: Client
beforeAll(async () => {
  // As the recorded server was: the addresses of secrets answer without a second factor.
  product = await startProduct({ env: { AUTH_TEMP_TOKEN: 'true', SECURITY_VIEW_AUTH_NEED_MFA: 'false' } })
  admin = await signIn(product.url, 'admin', product.adminPassword)
  await fill(product, admin)
})
afterAll(() => product?.stop())

type Metadata = { actions?: Record<string, Fields> }

/** The address itself; of `{pk}` that of the first row, and none where there is no row. */
async function concrete(path: string): Promise<string | undefined> {
  const [collection = '', rest] = path.split('{pk}')
  if (rest === undefined) return path
  const list = await admin.request<Page<AnyRow>>('GET', `${collection}?limit=1`)
  const first = list.results[0]
  return first && path.replace('{pk}', String(first.id ?? first.alias))
}

/** Every fact of every method that was recorded at an address and is another one here. */
async function differencesAt(path: string, { actions }: RecordedAddress): Promise<string[]> {
  const at = await concrete(path)
  if (!at) return ['NO ROW']
  const told = await admin
    .request<Metadata>('OPTIONS', at)
    .catch((error: { status?: number }) => `STATUS ${error.status}`)
  if (typeof told === 'string') return [told]
  return Object.entries(actions)
    .filter(([, fields]) => Object.keys(fields).length > 0)
    .flatMap(([method, wanted]) => {
      const actual = told.actions?.[method]
      if (!actual) return [`${method} ABSENT`]
      return [...setDifferences('', wanted, actual), ...orderDifference(wanted, actual)].map(
        (line) => `${method} ${line}`,
      )
    })
}

describe('what OPTIONS tells', () => {
  it('is what was recorded at every address, in every fact but those that differ on purpose', async () => {
    const [found, needed]: [Record<string, string[]>, Set<string>] = [{}, new Set()]
    let [compared, tolerated] = [0, 0]
    for (const [address, entry] of recorded) {
      const path = address.slice(base.length)
      if (Object.keys(entry.actions).length === 0 || withoutRows.includes(path)) continue
      const lines = await differencesAt(address, entry)
      compared++
      const wrong = lines.filter((line) => {
        const why = deliberate.find(({ at, facts }) => at.test(path) && facts.test(line))?.why
        if (why) needed.add(why)
        if (why) tolerated++
        return !why
      })
      if (wrong.length > 0) found[path] = wrong
    }
    expect(found).toEqual({})
    expect(compared).toBeGreaterThan(400)
    console.log(`${compared} addresses, ${tolerated} facts differ on purpose`)
    // A reason that explains nothing any more is taken off the list.
    expect(deliberate.map(({ why }) => why).filter((why) => !needed.has(why))).toEqual([])
  })
})
