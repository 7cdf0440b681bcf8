import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectModules, defineModule } from '../../kernel/module/module.ts'
import { insertRow } from '../../kernel/resource/repository.ts'
import type { PasswordBackend } from '../../kernel/security/sign-in.ts'
import { modules } from '../../modules.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { replaceRoles } from '../rbac/index.ts'
import { createServiceAccount, setPassword, user } from '../users/index.ts'
import { importUsers } from './ldap/import.ts'

const named = (text: string) => ({ en: text, zh: text, ja: text })

/** A directory that takes every name in every spelling, and says it as it was typed. */
const careless: PasswordBackend = {
  name: 'careless',
  label: named('Careless'),
  loggedAs: 'LDAP',
  kind: 'password',
  isEnabled: () => true,
  authenticate: async (_ctx, { username, password }) =>
    password === 'of the directory' ? { source: 'ldap', username: username.trim() } : undefined,
}

let server: TestServer
beforeAll(async () => {
  connectModules([...modules, defineModule({ app: 'names', identity: { backends: [careless] } })])
  server = await startServer()
})
afterAll(async () => {
  await server.close()
  connectModules(modules)
})

const password = 'Own-1-password'
const body = (username: string, values: object = {}) => ({
  ...{ name: username, username, email: `of-${Buffer.from(username).toString('hex')}@example.com` },
  ...{ password_strategy: 'custom', password, need_update_password: false, ...values },
})
const create = (username: string, values: object = {}) =>
  server.admin.collection('users/users').create(body(username, values))

async function signIn(username: string, typed = password): Promise<string> {
  const answer = await fetch(`${server.url}/api/v1/authentication/auth/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: typed }),
  })
  const { user: who, error } = (await answer.json()) as { user?: { username: string }; error?: string }
  return who?.username ?? String(error)
}

/** Other spellings of a name of Latin letters with an `a`. */
const spellings = (name: string) => [
  name.toUpperCase(),
  ` ${name}`,
  name.replace('a', 'а'),
  [...name]
    .map((letter) => (/[!-~]/.test(letter) ? String.fromCodePoint(letter.charCodeAt(0) + 0xfee0) : letter))
    .join(''),
  name.replace('a', 'a\u200b'),
]

describe('a name in another spelling', () => {
  it('signs its user in, in any case', async () => {
    await create('Olga-Petrova')
    for (const spelled of ['olga-petrova', 'OLGA-PETROVA', ' Olga-Petrova'])
      expect([spelled, await signIn(spelled)]).toEqual([spelled, 'Olga-Petrova'])
    // Look-alikes are hers, too, and open nothing.
    for (const spelled of spellings('Olga-Petrova').slice(2))
      expect([spelled, await signIn(spelled)]).toEqual([spelled, 'password_failed'])
    expect(await signIn(body('Olga-Petrova').email.toUpperCase())).toBe('Olga-Petrova')
  })

  it('gives no further attempts, and tells nothing of a locked account', async () => {
    await create('maria')
    const all = ['maria', ...spellings('maria'), body('maria').email, body('maria').email.toUpperCase()]
    for (const spelled of all.slice(0, 7)) await signIn(spelled, 'wrong')
    for (const spelled of all) {
      expect([spelled, await signIn(spelled)]).toEqual([spelled, 'block_login'])
      expect([spelled, await signIn(spelled, 'wrong')]).toEqual([spelled, 'block_login'])
    }
  })

  it('gives none where nobody has the name', async () => {
    const all = ['natalya', ...spellings('natalya'), 'NATALYA ']
    for (const spelled of all) await signIn(spelled, 'wrong')
    for (const spelled of all) expect([spelled, await signIn(spelled, 'wrong')]).toEqual([spelled, 'block_login'])
  })

  it('is no other user of a source, nor the one who has it as address', async () => {
    await create('katya')
    for (const spelled of ['katya', ...spellings('katya'), body('katya').email]) {
      expect([spelled, await signIn(spelled, 'of the directory')]).toEqual([spelled, 'password_failed'])
      await server.admin.request('PATCH', `/api/v1/users/users/${await idOf('katya')}/unblock/`)
    }
    expect(await signIn('katya')).toBe('katya')
  })
})

const idOf = async (username: string) =>
  (await server.admin.request<{ id: string }[]>('GET', `/api/v1/users/users/?username=${username}`))[0]?.id

/** How a user comes into being, or gets another name. Each says whether it worked. */
const ways: Readonly<Record<string, (username: string, email: string) => Promise<boolean>>> = {
  'by the API': (username, email) => worked(create(username, { email })),
  'several at once': (username, email) =>
    worked(server.admin.collection('users/users').createMany([body(username, { email })])),
  'by another name': async (username) => {
    const { id } = await create(`before-${Math.random()}`)
    return worked(server.admin.collection('users/users').change(id, { username }))
  },
  'by another address': async (_username, email) => {
    const { id } = await create(`before-${Math.random()}`)
    return worked(server.admin.collection('users/users').change(id, { email }))
  },
  'at a first sign-in': async (username) => (await signIn(username, 'of the directory')) === username,
  'from the directory': async (username, email) => {
    const found = { dn: `cn=${username}`, username, name: username, email, groups: [], isActive: true }
    const imported = await importUsers(server.context(defaultOrgId), [found], [defaultOrgId], async () => true)
    return imported.created === 1
  },
}
const worked = (call: Promise<unknown>) =>
  call.then(
    () => true,
    (error: { status?: number }) => {
      expect(error.status).toBe(400)
      return false
    },
  )

describe.each(Object.keys(ways))('a user made %s', (way) => {
  const make = ways[way] as (typeof ways)[string]

  it('has a name, or an address, that is nobody’s in any spelling', async () => {
    const own = `sasha-${Math.random().toString(36).slice(2, 8)}`
    const address = `${own}@mail.example`
    await create(own, { email: address })
    const lookalikes = [...spellings(own).filter((one) => one.trim() === one && !one.includes('\u200b'))]
    for (const spelled of lookalikes)
      expect([spelled, await make(spelled, own.toUpperCase())]).toEqual([spelled, false])
    if (!way.includes('address')) expect(await make(address, `free-${own}@mail.example`)).toBe(false)
    expect(await make(`free-${own}`, `other-${own}@mail.example`)).toBe(true)
  })
})

it('gives one of two names that are the same to one of two who ask at once', async () => {
  const asked = await Promise.all(['Zoya', 'ZOYA', 'zoya', 'zоya'].map((name) => worked(create(name))))
  expect(asked.filter(Boolean)).toHaveLength(1)
})

it('is free again where its user was deleted, or has another one', async () => {
  const { id } = await create('Lidia')
  await server.admin.collection('users/users').change(id, { username: 'lidia-of-before' })
  const second = await create('LIDIA', { email: 'lidia@mail.example' })
  await server.admin.collection('users/users').delete(second.id)
  await create('lidia', { email: 'LIDIA@mail.example' })
  expect(await signIn('LIDIA')).toBe('lidia')
})

it('does not let a component be called like somebody', async () => {
  await create('irina')
  const account = (name: string) =>
    server.context().transaction((ctx) => createServiceAccount(ctx, { name, comment: '' }))
  await expect(account('IRINA')).rejects.toMatchObject({ status: 400 })
  const { name } = await account('Component-a')
  expect(await worked(create(name.toUpperCase()))).toBe(false)
})

it('leaves users of an earlier version as they are', async () => {
  await server.context().transaction(async (ctx) => {
    for (const username of ['Tanya', 'tanya', 'TANYA']) {
      const row = await insertRow(ctx, user, { ...{ name: username, username }, email: `${username}-x@example.com` })
      await setPassword(ctx, row, `Own-1-${username}`)
      await replaceRoles(ctx, [row.id], defaultOrgId, [roleIds.orgUser])
    }
  })
  // The next start lists them, and the one after it has nothing to do.
  for (const _start of ['first', 'second']) await (await startServer({ beside: server })).close()
  for (const username of ['Tanya', 'tanya', 'TANYA']) expect(await signIn(username, `Own-1-${username}`)).toBe(username)
  for (const username of ['Tanya', 'tanya', 'TANYA']) {
    const id = await idOf(username)
    await server.admin.request('PATCH', `/api/v1/users/users/${id}/`, { username, comment: 'kept' })
  }
  expect(await worked(create('tAnya'))).toBe(false)
})
