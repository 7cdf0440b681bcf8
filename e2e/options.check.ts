import { type Client, signIn } from '@castellan/testing/client'
import { type Product, startProduct } from '@castellan/testing/product'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Fields, recordedHere, setDifferences } from './recorded-options.ts'

const recorded = recordedHere()

let product: Product
let admin: Client
beforeAll(async () => {
  product = await startProduct()
  admin = await signIn(product.url, 'admin', product.adminPassword)
})
afterAll(() => product?.stop())

/** Addresses that by intent do not take a method that was recorded. */
const without: Readonly<Record<string, readonly string[]>> = {
  // A component appears by registering.
  '/api/v1/terminal/terminals/': ['POST'],
  // Recorded texts of users are not rewritten.
  '/api/v1/terminal/commands/': ['PUT', 'PATCH'],
  // A favorite is nothing but its asset: there is nothing of it to change.
  '/api/v1/assets/favorite-assets/': ['PUT', 'PATCH'],
}
const isWithout = (path: string, method: string): boolean => without[path]?.includes(method) ?? false

/** Apps whose collections are compared in every fact that is no prose, method by method. */
const whole = /^\/api\/v1\/(accounts|acls|assets|terminal)\//
/** Parts of them that are built later, and calls that tell of something else than a collection. */
const apart = new RegExp(
  [
    'applet|backup|change-secret|db-listen|push-account|session-(join|sharing)|login-acls|login-asset/check',
    'account(-template)?-secrets|command-review|render-to-json|suggestions|sync-platform|ticket|my-sessions|join/validate',
    // Ids of platforms differ between installations.
    '[{]|[?]platform=',
  ].join('|'),
)
/** Differences on purpose. */
const intended = [
  // The license that an installation has brings more kinds of storage and assets, or we offer what we can really serve.
  /choices: /,
  // What only some answers of a v3 server carry.
  /^(spec_info|gathered_info): not recorded/,
  // The pinned key of a storage.
  /meta\.SFTP_HOST_KEY: not recorded/,
  // Gateways are filtered like the assets they are.
  /^gateways (id|address|platform|labels|protocols|category|type|is_active)\.filter/,
]

/** The facts a form is built from. */
const decisive = /^[^.[]+(: (missing|not recorded)|\.(type|required|write_only): .*)$/

describe('what OPTIONS tells a form of a collection', () => {
  it('is what was recorded', async () => {
    const found: Record<string, string[]> = {}
    for (const [path, { actions }] of recorded) {
      if (/[{?]|render-to-json/.test(path) || !actions.POST || !actions.GET || isWithout(path, 'POST')) continue
      const answer = await admin
        .request<{ actions: Record<string, Fields> }>('OPTIONS', path)
        .catch((error: { status: number }) => error.status)
      if (typeof answer === 'number') continue
      // What only some answers of a v3 server carry is no part of a form.
      const { spec_info: _spec, gathered_info: _gathered, ...fields } = answer.actions.POST ?? {}
      const { spec_info: _theirs, gathered_info: _also, ...wanted } = actions.POST
      const lines = setDifferences('', wanted, fields).filter((line) => decisive.test(line))
      if (lines.length > 0) found[path] = lines
    }
    expect(found).toEqual({})
  })

  it('is what was recorded in every fact for assets, accounts, rules and components', async () => {
    const found: Record<string, string[]> = {}
    let compared = 0
    for (const [path, { actions }] of recorded) {
      if (!whole.test(path) || apart.test(path) || Object.keys(actions).length === 0) continue
      const answer = await admin.request<{ actions: Record<string, Fields> }>('OPTIONS', path)
      const collection = path.split('/').at(-2)
      const lines = Object.entries(actions)
        .filter(([method, fields]) => Object.keys(fields).length > 0 && !isWithout(path, method))
        .flatMap(([method, fields]) =>
          setDifferences('', fields, answer.actions[method] ?? {})
            .filter((line) => !intended.some((rule) => rule.test(line) || rule.test(`${collection} ${line}`)))
            .map((line) => `${method} ${line}`),
        )
      compared++
      if (lines.length > 0) found[path] = lines
    }
    expect(found).toEqual({})
    expect(compared).toBeGreaterThan(40)
  })
})
