import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const path = '/api/v1/acls/command-groups/'
const create = (body: object) => server.admin.request<{ id: string }>('POST', path, body)

/** The error for an invalid regular expression. */
async function refused(language: string): Promise<unknown> {
  const answer = await fetch(server.url + path, {
    method: 'POST',
    headers: {
      ...server.admin.proof('POST', path),
      'accept-language': language,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'behind', type: 'regex', content: 'rm (?=-rf)' }),
  })
  expect(answer.status).toBe(400)
  return answer.json()
}

describe('a command group', () => {
  it('must be a valid regular expression, or is rejected with the invalid part', async () => {
    expect(await refused('en')).toEqual({ content: [expect.stringMatching(/RE2.*“\(\?=”.*Look-around/)] })
    expect(await refused('zh-hans')).toEqual({ content: [expect.stringContaining('环视')] })
    expect(await refused('ja')).toEqual({ content: [expect.stringContaining('先読み')] })
  })

  it('takes the same text as plain commands unless its type is regex', async () => {
    const { id } = await create({ name: 'plain', type: 'command', content: 'test (' })
    await expect(server.admin.request('PATCH', `${path}${id}/`, { type: 'regex' })).rejects.toMatchObject({
      status: 400,
      body: { content: [expect.stringContaining('(')] },
    })
    await server.admin.request('PATCH', `${path}${id}/`, { type: 'regex', content: '(?i)drop\\s+table' })
  })

  it('does not block on a pattern with catastrophic backtracking', async () => {
    const users = server.admin.collection('users/users')
    const name = `${'a'.repeat(100)}!`
    await users.create({ name, username: 'long', email: 'long@example.com', password_strategy: 'email' })
    const rule = { type: 'attrs', attrs: [{ name: 'name', match: 'regex', value: '(a+)+$' }] }
    expect(await users.all({ attr_rules: Buffer.from(JSON.stringify(rule)).toString('base64') })).toEqual([])
  })
})
