import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import type { Client } from '@castellan/testing/client'
import { type MailServer, startMailServer } from '@castellan/testing/mail-server'
import { describeWith, itWith } from '@castellan/testing/parts'
import { startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { readTable } from '../../../kernel/files/table-files.ts'
import { attachedTo, unlocked } from '../../../testing/archives.ts'
import { startServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
let mails: MailServer
beforeAll(async () => {
  server = await startServer({ worker: true })
  // Who is asked to confirm is in `authentication/step-up.test.ts`.
  await server.confirmations(false)
  mails = await startMailServer()
  await server.changeSettings('email', mails.settings)
})
afterAll(async () => {
  await server.close()
  await mails?.[Symbol.asyncDispose]()
})

const plans = '/api/v1/accounts/account-backup-plans/'
const executions = '/api/v1/accounts/account-backup-plan-executions/'

interface Execution {
  is_success: boolean
  reason: string
  trigger: { value: string }
  snapshot: Record<string, unknown>
}

let count = 0
const make = async (path: string, body: object, client = server.admin) =>
  (await client.request<{ id: string }>('POST', path, { name: `made-${count++}`, ...body })).id
const plan = (body: object, client?: Client) => make(plans, { types: ['linux'], is_periodic: false, ...body }, client)
/** A member of the organization; with a password for files, if one is given. */
async function recipient(filePassword?: string): Promise<{ id: string; email: string }> {
  const id = await server.person(`receiver-${count++}`, { system: [roleIds.user], org: [roleIds.orgUser] })
  const { email } = await server.admin.request<{ email: string }>('GET', `/api/v1/users/users/${id}/`)
  if (filePassword) {
    const basic = { secret_key: filePassword, secret_key_again: filePassword }
    await (await server.as(id)).request('PATCH', '/api/v1/users/preference/?category=lina', { basic })
  }
  return { id, email }
}
const start = async (id: string, client = server.admin) =>
  (await client.request<{ task: string }>('POST', executions, { plan: id })).task
async function ended(id: string): Promise<Execution> {
  await expect
    .poll(async () => (await server.admin.request<Execution>('GET', `${executions}${id}/`)).reason, {
      timeout: 30_000,
      interval: 50,
    })
    .not.toBe('')
  return server.admin.request<Execution>('GET', `${executions}${id}/`)
}
const run = async (id: string) => ended(await start(id))
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: { status: number; body: Record<string, unknown> }) => ({
      status: error.status,
      fields: Object.keys(error.body),
    }),
  )

/** Secrets that files, spreadsheets and their readers are known to change. */
const secrets = [
  'p&amp;ss <1>',
  ' both ends ',
  '“quoted”',
  '[1, 2]',
  '=1+1',
  '漢字🔑x',
  '_x0041_',
  '{"a": 1}',
  'a\r\nb',
]

async function accounts(): Promise<{ host: string; ids: string[] }> {
  const host = await make('/api/v1/assets/hosts/', { address: '127.0.0.9', platform: 1 })
  const ids: string[] = []
  for (const [index, secret] of secrets.entries())
    ids.push(
      await make('/api/v1/accounts/accounts/', {
        asset: host,
        name: `kept-${index}`,
        username: `user${index}`,
        secret_type: 'password',
        secret,
        ...(ids[0] ? { su_from: ids[0] } : {}),
      }),
    )
  return { host, ids }
}

const attached = (to: string) => attachedTo(mails, to)

const secretsIn = (rows: string[][]): Map<string, string> => {
  const [header = []] = rows
  const [name, secret] = [header.findIndex((one) => /^\*?Name$/.test(one)), header.indexOf('Secret')]
  return new Map(rows.slice(1).map((cells) => [cells[name] ?? '', cells[secret] ?? '']))
}

/** Imports an archive as it was mailed, as the console does: converted first, then created. */
async function restore(archive: Buffer, password: string, language = 'en'): Promise<void> {
  const path = '/api/v1/accounts/accounts/render-to-json/'
  const answer = await fetch(server.url + path, {
    method: 'POST',
    body: new Uint8Array(archive),
    headers: {
      ...server.admin.proof('POST', path),
      'content-type': 'text/xlsx',
      'accept-language': language,
      'x-file-password': encodeURIComponent(password),
    },
  })
  const { data } = (await answer.json()) as { data: { name: string }[] }
  for (const row of data.filter(({ name }) => name.startsWith('kept-')))
    await server.admin.request('POST', '/api/v1/accounts/accounts/', row)
}

async function storedSecrets(host: string): Promise<Map<string, string>> {
  const { services } = server.application
  const rows = await services.database.reader
    .selectFrom('accounts_account')
    .select(['name', 'secret'])
    .where('asset_id', '=', host)
    .execute()
  const { Sealed } = await import('../../../kernel/security/secrets.ts')
  const open = (text: unknown) => services.vault.open(new Sealed(String(text), 'accounts_account.secret'))
  return new Map(rows.map(({ name, secret }) => [String(name), open(secret)]))
}

const expected = new Map(secrets.map((secret, index) => [`kept-${index}`, secret]))

describeWith('msoffcrypto', 'a backup', () => {
  it('by mail opens with the recipient’s password, and an import restores every secret', async () => {
    const { host, ids } = await accounts()
    const password = 'Zip#pass 12'
    const receiver = await recipient(password)
    const { is_success, reason, snapshot } = await run(await plan({ recipients_part_one: [receiver.id] }))
    expect({ is_success, reason }).toEqual({ is_success: true, reason: '-' })
    expect(JSON.stringify(snapshot)).not.toContain('password":"')
    const zip = attached(receiver.email) as Buffer
    const book = await unlocked(zip, password)
    expect(new Map([...secretsIn(await readTable('xlsx', book, 'en'))].filter(([name]) => expected.has(name)))).toEqual(
      expected,
    )
    for (const id of [...ids].reverse()) await server.admin.request('DELETE', `/api/v1/accounts/accounts/${id}/`)
    // Written in English, read by somebody who uses the console in Chinese.
    await restore(zip, password, 'zh')
    expect(await storedSecrets(host)).toEqual(expected)
    const { su_from } = await server.admin.request<{ su_from: { id: string } }>(
      'GET',
      `/api/v1/accounts/accounts/${ids[1]}/`,
    )
    expect(su_from.id, 'ids are restored too').toBe(ids[0])
    for (const id of [...ids].reverse()) await server.admin.request('DELETE', `/api/v1/accounts/accounts/${id}/`)
    await server.admin.request('DELETE', `/api/v1/assets/hosts/${host}/`)
  })

  it('in two halves holds no whole secret in either, and both together hold all of them', async () => {
    const { host } = await accounts()
    const [one, two] = [await recipient('First#pass1'), await recipient('Second#pass2')]
    const { is_success } = await run(await plan({ recipients_part_one: [one.id], recipients_part_two: [two.id] }))
    expect(is_success).toBe(true)
    const read = async (who: { email: string }, password: string) =>
      secretsIn(await readTable('xlsx', await unlocked(attached(who.email) as Buffer, password), 'en'))
    const [first, second] = [await read(one, 'First#pass1'), await read(two, 'Second#pass2')]
    for (const [name, secret] of expected) {
      const middle = Math.floor([...secret].length / 2)
      const [left, right] = [[...(first.get(name) ?? '')], [...(second.get(name) ?? '')]]
      expect(left.slice(middle).join('')).toBe('*'.repeat(left.length - middle))
      expect(right.slice(0, middle).join('')).toBe('*'.repeat(middle))
      expect([...left.slice(0, middle), ...right.slice(middle)].join('')).toBe(secret)
    }
    expect((await refusal(plan({ recipients_part_one: [one.id], recipients_part_two: [one.id] })))?.fields).toEqual([
      'recipients_part_two',
    ])
    await server.admin.request('DELETE', `/api/v1/assets/hosts/${host}/`)
  })

  itWith(
    ['sshd', 'ssh-keygen', 'sftp-server'],
    'reaches an SFTP storage under its final name only, and never one with another host key',
    async () => {
      const sshd = await startSshd()
      onTestFinished(() => sshd.stop())
      const { host } = await accounts()
      const meta = {
        SFTP_HOST: sshd.host,
        SFTP_PORT: sshd.port,
        SFTP_USERNAME: sshd.username,
        STP_SECRET_TYPE: 'ssh_key',
        STP_PRIVATE_KEY: sshd.privateKey,
        SFTP_ROOT_PATH: sshd.home,
      }
      const storages = '/api/v1/terminal/replay-storages/'
      const storage = await make(storages, { type: 'sftp', meta })
      const shown = await server.admin.request<{ meta: object }>('GET', `${storages}${storage}/`)
      expect(JSON.stringify(shown)).not.toContain('PRIVATE KEY')
      const test = () => server.admin.request('GET', `${storages}${storage}/test-connective/`)
      expect(await test()).toMatchObject({ is_valid: true })
      const body = { backup_type: 'object_storage', obj_recipients_part_one: [storage] }
      expect((await refusal(plan(body)))?.fields).toEqual(['zip_encrypt_password'])
      const id = await plan({ ...body, name: '../../etc/evil', zip_encrypt_password: 'Storage#1' })
      expect(await run(id)).toMatchObject({ is_success: true, reason: '-' })
      const place = join(sshd.home, 'account_backup')
      const files = readdirSync(place)
      expect(files).toEqual([expect.stringMatching(/^______etc_evil-\d{8}-\d{6}-\d+\.zip$/)])
      const rows = await readTable('xlsx', await unlocked(readFileSync(join(place, files[0] ?? '')), 'Storage#1'), 'en')
      expect(secretsIn(rows).get('kept-0')).toBe(secrets[0])

      const refused = await refusal(
        server.admin.request('PATCH', `${storages}${storage}/`, { meta: { SFTP_PORT: 23 } }),
      )
      expect(refused, 'the key is not sent elsewhere').toMatchObject({ status: 400, fields: ['meta'] })
      await sshd.changeHostKey()
      const failed = await run(id)
      expect(failed).toMatchObject({ is_success: false, reason: expect.stringMatching(/host key of .* has changed/) })
      expect(readdirSync(place)).toEqual(files)
      await server.admin.request('PATCH', `${storages}${storage}/`, {
        meta: { SFTP_HOST_KEY: '', STP_PRIVATE_KEY: sshd.privateKey },
      })
      expect(await test()).toMatchObject({ is_valid: true })
      await server.admin.request('PATCH', `${storages}${storage}/`, {
        meta: { SFTP_ROOT_PATH: '/proc/nowhere', STP_PRIVATE_KEY: sshd.privateKey },
      })
      expect(await run(id)).toMatchObject({ is_success: false, reason: expect.stringContaining('/proc/nowhere') })
      await server.admin.request('DELETE', `/api/v1/assets/hosts/${host}/`)
    },
  )
})

describe('a backup', () => {
  it('names everybody who did not receive it', async () => {
    const { host } = await accounts()
    const [without, leaver, kept] = [await recipient(), await recipient('Leaver#1'), await recipient('Kept#1')]
    const id = await plan({ recipients_part_one: [without.id, leaver.id, kept.id] })
    await server.admin.request('PATCH', `/api/v1/users/users/${leaver.id}/`, { is_active: false })
    const { is_success, reason } = await run(id)
    expect(is_success).toBe(false)
    expect(reason).toContain('file encryption password')
    expect(reason).toContain('is disabled')
    expect(attached(without.email), 'a mail without the file').toBeUndefined()
    expect(attached(kept.email)?.length).toBeGreaterThan(1000)
    expect(mails.received.some(({ to }) => to.includes(leaver.email))).toBe(false)
    await server.admin.request('DELETE', `/api/v1/assets/hosts/${host}/`)
  })

  it('that sends nothing says why', async () => {
    const receiver = await recipient('Nothing#1')
    expect(await run(await plan({}))).toMatchObject({
      is_success: false,
      reason: expect.stringContaining('recipients'),
    })
    const empty = await plan({ types: [], recipients_part_one: [receiver.id] })
    expect(await run(empty)).toMatchObject({ is_success: false, reason: expect.stringContaining('types') })
    const none = await plan({ types: ['oracle'], recipients_part_one: [receiver.id] })
    expect(await run(none)).toMatchObject({ is_success: true, reason: '-' })
    expect(mails.received.some(({ to }) => to.includes(receiver.email))).toBe(false)
  })

  it('logs each account whose secret leaves', async () => {
    const { host } = await accounts()
    const receiver = await recipient('Logged#1')
    await run(await plan({ recipients_part_one: [receiver.id] }))
    const logs = await server.admin.request<{ resource: string }[]>(
      'GET',
      '/api/v1/audits/operate-logs/?action=view&resource_type=Account',
    )
    for (const name of expected.keys()) expect(logs.some(({ resource }) => resource.startsWith(name))).toBe(true)
    await server.admin.request('DELETE', `/api/v1/assets/hosts/${host}/`)
  })
})

describe('plans', () => {
  /** Somebody with a role of their own that holds these permissions in the Default organization. */
  async function withCodes(...codes: string[]): Promise<Client> {
    const role = await make('/api/v1/rbac/org-roles/', { scope: 'org', permissions: [] })
    const all = await server.admin.request<{ id: number; codename: string; content_type: { app_label: string } }[]>(
      'GET',
      '/api/v1/rbac/permissions/',
    )
    const ids = all.filter(({ content_type, codename }) => codes.includes(`${content_type.app_label}.${codename}`))
    await server.admin.request('PATCH', `/api/v1/rbac/org-roles/${role}/`, { permissions: ids.map(({ id }) => id) })
    return server.as(await server.person('custom', { system: [roleIds.user], org: [role] }))
  }
  const change = ['add', 'change', 'view'].map((verb) => `accounts.${verb}_accountbackupautomation`)
  const start_ = ['accounts.add_accountbackupexecution', 'accounts.view_accountbackupexecution']

  it('hand no secrets to those who may not see them', async () => {
    const receiver = await recipient('Attack#1')
    const blind = await withCodes(...change, ...start_)
    expect(await refusal(plan({ recipients_part_one: [receiver.id] }, blind))).toMatchObject({ status: 403 })
    const id = await plan({ recipients_part_one: [receiver.id] })
    const patch = (body: object) => refusal(blind.request('PATCH', `${plans}${id}/`, body))
    for (const body of [
      { recipients_part_two: [receiver.id] },
      { recipients_part_one: [] },
      { types: ['mysql'] },
      { backup_type: 'object_storage' },
      { zip_encrypt_password: 'known' },
    ])
      expect(await patch(body)).toMatchObject({ status: 403 })
    expect(await patch({ comment: 'harmless' })).toBeUndefined()
    expect(await refusal(start(id, blind)), 'starting what somebody else decided is another permission').toBeUndefined()
    const sighted = await withCodes('accounts.view_accountsecret', ...change)
    expect(await refusal(start(id, sighted))).toMatchObject({ status: 403 })
    expect(await refusal(plan({ recipients_part_one: [receiver.id] }, sighted))).toBeUndefined()
  })

  it('take recipients of their own organization only, and storages of the right type', async () => {
    const org = await make('/api/v1/orgs/orgs/', {})
    const stranger = await server.person('stranger', { system: [roleIds.user], org: [roleIds.orgUser], orgId: org })
    expect((await refusal(plan({ recipients_part_one: [stranger] })))?.fields).toEqual(['recipients_part_one'])
    const storages = await server.admin.request<{ id: string; name: string }[]>(
      'GET',
      '/api/v1/terminal/replay-storages/',
    )
    const local = storages.find(({ name }) => name === 'default')?.id
    expect((await refusal(plan({ obj_recipients_part_one: [local] })))?.fields).toEqual(['obj_recipients_part_one'])
    const id = await plan({})
    const elsewhere = server.admin.in(org)
    expect(await refusal(elsewhere.request('GET', `${plans}${id}/`))).toMatchObject({ status: 404 })
    expect(await refusal(start(id, elsewhere))).toMatchObject({ status: 400, fields: ['plan'] })
    for (const body of [{}, { plan: '' }, { plan: 'x' }, { plan: {} }, { plan: defaultOrgId }])
      expect(await refusal(server.admin.request('POST', executions, body))).toMatchObject({
        status: 400,
        fields: ['plan'],
      })
  })

  it('that are run by a schedule need a time, and act in their organization', async () => {
    expect((await refusal(make(plans, { types: ['linux'] })))?.fields).toEqual(['is_periodic'])
    const id = await make(plans, { types: ['linux'], crontab: '0 3 * * *' })
    expect(await server.admin.request('GET', `${plans}${id}/`)).toMatchObject({
      periodic_display: 'Crontab ( 0 3 * * * )',
    })
  })
})
