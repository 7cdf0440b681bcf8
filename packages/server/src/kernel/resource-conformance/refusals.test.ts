import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

/** The error for a body that cannot be accepted: the field names in the contract's shape. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const said = [expect.any(String)]
const everybody = { type: 'all' }
const filter = (what: object) => ({ name: 'rule', users: everybody, assets: everybody, accounts: ['*'], ...what })
const host = (what: object) => ({ name: 'host', address: '10.0.0.1', platform: 1, ...what })

/** An object that String() and Number() fail to convert. */
const dumb = { toString: 1, valueOf: 1 }
const notAnId = ['“{"toString":1,"valueOf":1}” is not a valid UUID.']

type Case = [method: string, path: string, body: unknown, refusal: unknown]
const cases: Record<string, Case[]> = {
  'a body of nothing': [
    ['POST', 'users/groups/', null, { non_field_errors: said }],
    ['PATCH', 'users/groups/', null, { non_field_errors: said }],
  ],
  'a type of asset that is half named': [
    ['GET', 'assets/categories/constraints/', undefined, { category: said, type: said }],
    ['GET', 'assets/categories/constraints/?category=host', undefined, { type: said }],
  ],
  'an account inside an asset': [['POST', 'assets/hosts/', host({ accounts: [{ name: 'x' }] }), [{ username: said }]]],
  'a protocol without a port': [
    [
      'POST',
      'assets/platforms/',
      { name: 'p', category: 'host', type: 'linux', protocols: [{ name: 'ssh', port: 22 }, { name: 'rdp' }] },
      { protocols: [{}, { port: ['This field is required.'] }] },
    ],
  ],
  'accounts for many assets': [
    ['POST', 'accounts/accounts/bulk/', {}, { username: said, assets: said }],
    ['POST', 'accounts/accounts/bulk/', { username: 'x' }, { assets: said }],
  ],
  'a secret nobody can make up': [
    [
      'POST',
      'accounts/account-templates/',
      { name: 't', secret_strategy: 'random', secret_type: 'token' },
      { secret_strategy: said },
    ],
  ],
  'whom a rule is for': [
    ['POST', 'acls/command-filter-acls/', filter({ users: { type: 'some' } }), { users: said }],
    ['POST', 'acls/command-filter-acls/', filter({ users: { ids: [] } }), { users: said }],
    ['POST', 'acls/command-filter-acls/', filter({ users: { type: 'ids' } }), { users: said }],
    ['POST', 'acls/command-filter-acls/', filter({ users: { type: 'ids', ids: ['x'] } }), { users: said }],
    ['POST', 'acls/command-filter-acls/', filter({ assets: { type: 'attrs' } }), { assets: said }],
    [
      'POST',
      'acls/command-filter-acls/',
      filter({ assets: { type: 'attrs', attrs: [{ name: 'x' }] } }),
      { assets: said },
    ],
  ],
  'when a rule applies': [
    ['POST', 'acls/login-asset-acls/', filter({ rules: [] }), { rules: { non_field_errors: said } }],
    ['POST', 'acls/login-asset-acls/', filter({ rules: { ip_group: 'x' } }), { rules: { ip_group: said } }],
  ],
  'an object in the place of a text or of a number': [
    ['POST', 'users/groups/', { name: 'x', id: dumb }, { id: notAnId }],
    ['PATCH', 'users/groups/', [{ id: dumb }], [{ id: notAnId }]],
    ['POST', 'users/groups/', { name: 'x', users: [[]] }, { users: ['Expected an id but got “object”.'] }],
    ['POST', 'users/users/invite/', { users: [dumb], org_roles: [] }, { users: expect.anything() }],
    ['POST', 'rbac/system-roles/', { name: 'x', scope: 'system', permissions: [dumb] }, { permissions: said }],
    ['POST', 'assets/hosts/', host({ platform: dumb }), { platform: expect.any(String) }],
    ['POST', 'assets/hosts/', host({ protocols: [{ name: 'ssh', port: [22] }] }), { protocols: [{ port: said }] }],
    [
      'POST',
      'assets/platforms/',
      {
        name: 'p',
        category: 'host',
        type: 'linux',
        protocols: [
          { name: 'ssh', port: 22, required: dumb },
          { name: 'x', port: [5] },
        ],
      },
      { protocols: [{ required: said }, { port: said }] },
    ],
    ['PATCH', 'users/groups/', [{ id: 'x', name: dumb }], [{ id: said }]],
    ['POST', 'assets/nodes/', { full_value: dumb }, { full_value: said }],
    [
      'POST',
      'acls/command-filter-acls/',
      filter({ users: { type: 'attrs', attrs: [{ name: 'name', value: dumb }] } }),
      { users: said },
    ],
  ],
  'a message without words': [
    ['POST', 'notifications/site-messages/send/', {}, { subject: said, message: said }],
    ['POST', 'notifications/site-messages/send/', { subject: 's', message: ' ' }, { message: said }],
  ],
}

describe('an error', () => {
  it.each(Object.entries(cases))('of %s names every wrong field', async (_what, some) => {
    for (const [method, path, body, refusal] of some) {
      const address = `/api/v1/${path}`
      const answer = await fetch(server.url + address, {
        method,
        headers: {
          ...server.admin.proof(method, address),
          'accept-language': 'en',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      expect([path, body, answer.status, await answer.json()]).toEqual([path, body, 400, refusal])
    }
  })
})
