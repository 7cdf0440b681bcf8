import { execFileSync } from 'node:child_process'
import { createServer, type Server, type Socket } from 'node:net'
import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import { permissionByCode } from '@castellan/contract/permissions'
import type { AnyRow, Client } from '@castellan/testing/client'
import { makeHost } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { batches } from '../../../db/batches.ts'
import { startServer, type TestServer } from '../../../testing/server.ts'
import { runJob } from './kinds.ts'

/** What is under way ends like a session when it would not be allowed to begin any more. */
let server: TestServer
let sshd: RealSshd
/** A host that accepts connections and says nothing: a transfer to it lasts. */
let silent: Server
const reached = new Set<Socket>()

const ops = '/api/v1/ops/'

interface Case {
  id: string
  client: Client
  host: AnyRow
  quiet: AnyRow
  permission: AnyRow
  mark: string
}

let count = 0
async function newCase(): Promise<Case> {
  const name = `watched${++count}`
  const host = await makeHost(server.admin, sshd, name)
  const { port } = silent.address() as { port: number }
  const quiet = await makeHost(server.admin, sshd, `${name} silent`, {
    protocols: [{ name: 'ssh', port }],
  })
  const id = await server.person(name, { org: [roleIds.orgUser] })
  const permission = await server.admin.collection('perms/asset-permissions').create({
    ...{ name, users: [id], assets: [host.id, quiet.id], accounts: ['@ALL'], protocols: ['all'], actions: ['all'] },
  })
  return { id, client: await server.as(id), host, quiet, permission, mark: `5${process.pid}${count}` }
}

const job = ({ host }: Case, more: object) => ({
  ...{ name: `job ${crypto.randomUUID()}`, assets: [host.id], runas: sshd.username, is_periodic: false, instant: true },
  ...more,
})
const begun = async ({ client }: Case, path: string, body: object) =>
  (await client.request<{ task_id: string }>('POST', `${ops}${path}`, body)).task_id

async function upload({ client }: Case): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob(['x']), 'one')
  const path = `${ops}file-uploads/`
  const headers = { ...client.proof('POST', path), connection: 'close' }
  const answer = await fetch(`${server.url}${path}`, { method: 'POST', body: form, headers })
  return ((await answer.json()) as { id: string }).id
}

/** Everything of a kind that runs long; each returns its execution. */
const kinds: Record<string, (one: Case) => Promise<string>> = {
  command: (one) => begun(one, 'jobs/', job(one, { args: `sleep ${one.mark}0` })),
  schedule: async (one) => {
    const args = `sleep ${one.mark}1`
    const saved = await one.client.request<AnyRow>('POST', `${ops}jobs/`, job(one, { args, instant: false }))
    return server.context(defaultOrgId).enqueue(runJob, { job: String(saved.id) }, { creator: one.id })
  },
  playbook: async (one) => {
    const { id } = await one.client.request<AnyRow>('POST', `${ops}playbooks/`, { name: 'long' })
    const content = `- hosts: all\n  gather_facts: false\n  tasks:\n    - raw: sleep ${one.mark}2\n`
    await one.client.request('PATCH', `${ops}playbook/${id}/file/`, { key: 'main.yml', content })
    return begun(one, 'jobs/', job(one, { type: 'playbook', playbook: id, args: '' }))
  },
  transfer: async (one) =>
    begun(one, 'file-transfers/upload/', {
      ...{ assets: [one.quiet.id], runas: sshd.username, files: [await upload(one)], folder: '/tmp' },
    }),
}
const sleeping = (mark: string) => execFileSync('ps', ['axww', '-o', 'args']).toString().includes(`sleep ${mark}`)

async function rule(path: string, more: object): Promise<() => Promise<unknown>> {
  const collection = server.admin.collection(path)
  const row = await collection.create({
    ...{ name: `rule ${crypto.randomUUID()}`, action: 'reject', priority: 50, users: { type: 'all' } },
    ...{ assets: { type: 'all' }, accounts: ['*'], ...more },
  })
  return () => collection.delete(row.id)
}
const patch = (path: string, id: unknown, body: object) => server.admin.request('PATCH', `/api/v1/${path}/${id}/`, body)
const accountsOf = async (one: Case) => [
  ...(await server.admin.collection('accounts/accounts').all({ asset: one.host.id })),
  ...(await server.admin.collection('accounts/accounts').all({ asset: one.quiet.id })),
]
type Ends = (one: Case) => Promise<unknown>
const changes: Record<string, Ends> = {
  'a rule rejects the account': ({ id }) =>
    rule('acls/login-asset-acls', {
      users: { type: 'ids', ids: [id] },
      rules: { ip_group: ['*'], time_period: [] },
    }),
  'the permission is withdrawn': ({ permission }) =>
    server.admin.collection('perms/asset-permissions').delete(permission.id),
  'the permission expires, while nobody does anything': ({ permission }) =>
    patch('perms/asset-permissions', permission.id, { date_expired: new Date(Date.now() + 1500).toISOString() }),
  'the permission has no upload and no connection any more': ({ permission }) =>
    patch('perms/asset-permissions', permission.id, { actions: ['download'] }),
  'the user is disabled': ({ id }) => patch('users/users', id, { is_active: false }),
  'the user expires': ({ id }) => patch('users/users', id, { date_expired: new Date(Date.now() - 1000).toISOString() }),
  'the user may run no jobs any more': async ({ id }) => {
    const role = await server.admin.collection('rbac/org-roles').create({
      ...{ name: 'one right too few', scope: 'org', permissions: [permissionByCode('ops.view_job')?.id] },
    })
    await patch('users/users', id, { org_roles: [role.id] })
  },
  'the account is disabled': async (one) => {
    for (const { id } of await accountsOf(one)) await patch('accounts/accounts', id, { is_active: false })
  },
  'the account is deleted': async (one) => {
    for (const { id } of await accountsOf(one)) await server.admin.collection('accounts/accounts').delete(id)
  },
  'the asset is disabled': async ({ host, quiet }) => {
    for (const { id } of [host, quiet]) await patch('assets/hosts', id, { is_active: false })
  },
}

const parts = ['sshd', 'ssh', 'ssh-keygen', 'ansible', 'root', 'mount'] as const
describeWith(parts, 'what runs on a host', () => {
  beforeAll(async () => {
    silent = createServer((socket) => {
      reached.add(socket)
      // Unread, it would not notice that the other side has gone.
      socket.resume()
      socket.on('error', () => undefined).on('close', () => reached.delete(socket))
    })
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    server = await startServer({ worker: true })
    sshd = await startSshd()
  })
  afterAll(async () => {
    await server?.close()
    await sshd?.stop()
    for (const socket of reached) socket.destroy()
    silent?.close()
  })

  const rowOf = (id: string) =>
    server
      .context()
      .acrossOrganizations.selectFrom('ops_jobexecution')
      .select(['status', 'summary', 'date_finished'])
      .where('id', '=', id)
      .executeTakeFirst()
  async function endsBy(change: Ends, names: readonly string[]): Promise<Case> {
    const one = await newCase()
    const ids = await Promise.all(names.map((name) => kinds[name]?.(one) as Promise<string>))
    const isUnderWay = () =>
      names.every((name, at) => (name === 'transfer' ? reached.size > 0 : sleeping(`${one.mark}${at}`)))
    await expect.poll(isUnderWay, { timeout: 20_000, interval: 50 }).toBe(true)
    await change(one)
    for (const [at, id] of ids.entries()) {
      await expect
        .poll(async () => (await rowOf(id))?.date_finished !== null, { timeout: 20_000, interval: 50 })
        .toBe(true)
      const row = await rowOf(id)
      const { ok, ...why } = JSON.parse(String(row?.summary))
      expect([names[at], row?.status, ok]).toEqual([names[at], 'failed', []])
      const log = await server
        .context()
        .rawDb.selectFrom('kernel_job_log')
        .select('text')
        .where('job_id', '=', id)
        .execute()
      const text = log.map((part) => part.text).join('')
      expect([names[at], JSON.stringify(why), text]).toEqual([
        names[at],
        expect.stringContaining('Ended while it was running.'),
        expect.stringContaining('Ended while it was running.'),
      ])
    }
    await expect.poll(() => sleeping(one.mark) || reached.size > 0, { timeout: 10_000, interval: 50 }).toBe(false)
    return one
  }

  it.each(Object.entries(changes).slice(0, 2))('ends when %s, whatever it is', async (_name, change) => {
    // One user never has all slots of a worker.
    await endsBy(change, ['command', 'schedule', 'playbook'])
    await endsBy(change, ['transfer'])
  })

  // As many at a time as one worker runs.
  it.each([...batches(Object.entries(changes).slice(2), 4)])('ends by every other change, too', async (...some) => {
    await Promise.all(some.map(([, change]) => endsBy(change, ['command'])))
  })

  it('ends when a command filter rejects it now, or the filter changes', async () => {
    const filter = async (content: string) => {
      const groups = server.admin.collection('acls/command-groups')
      const { id } = await groups.create({ name: `group ${content}`, type: 'command', content })
      return id
    }
    const late = await filter('never-typed')
    const ends: (() => Promise<unknown>)[] = []
    await endsBy(
      async ({ id, mark }) => {
        ends.push(await rule('acls/command-filter-acls', { users: { type: 'ids', ids: [id] }, command_groups: [late] }))
        await patch('acls/command-groups', late, { content: `sleep ${mark}0\nsleep ${mark}1` })
      },
      ['command', 'schedule', 'playbook'],
    )
    for (const end of ends) await end()
  })
})
