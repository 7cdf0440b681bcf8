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

/**
 * Collections whose forms still differ from what was recorded in a field, its type or whether it is demanded. It may only
 * become shorter.
 */
const different: readonly string[] = [
  '/api/v1/accounts/accounts/',
  '/api/v1/accounts/virtual-accounts/',
  '/api/v1/acls/connect-method-acls/',
  '/api/v1/assets/customs/',
  '/api/v1/assets/databases/',
  '/api/v1/assets/nodes/children/',
  '/api/v1/assets/nodes/children/tree/',
  '/api/v1/audits/ftp-logs/',
  '/api/v1/audits/user-sessions/',
  '/api/v1/authentication/super-connection-token/',
  '/api/v1/rbac/org-role-bindings/',
  '/api/v1/rbac/role-bindings/',
  '/api/v1/rbac/system-role-bindings/',
  '/api/v1/terminal/command-storages/',
  '/api/v1/terminal/replay-storages/',
  '/api/v1/terminal/sessions/',
  '/api/v1/terminal/status/',
  '/api/v1/terminal/tasks/',
  '/api/v1/terminal/terminals/',
]

/** The facts a form is built from. */
const decisive = /^[^.[]+(: (missing|not recorded)|\.(type|required|write_only): .*)$/

describe.runIf(recorded.size > 0)('what OPTIONS tells a form of a collection', () => {
  it('is what was recorded', async () => {
    const found: Record<string, string[]> = {}
    for (const [path, { actions }] of recorded) {
      if (/[{?]|render-to-json/.test(path) || !actions.POST || !actions.GET) continue
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
    expect(Object.keys(found), JSON.stringify(found, null, 2)).toEqual(different)
  })
})
