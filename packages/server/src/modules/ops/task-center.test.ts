import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineTestJob } from '../../testing/jobs.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ worker: true })
})
afterAll(() => server.close())

interface Task {
  id: string
  name: string
  meta: { comment: string; queue: string }
  summary: { total: number; success: number }
  state: string
  date_last_publish: string | null
  is_periodic: boolean
  enabled: boolean
  date_next: string | null
}
interface Run {
  id: string
  name: string
  is_finished: boolean
  is_success: boolean
}

const base = '/api/v1/ops/'
const get = <T>(path: string, client = server.admin) => client.request<T>('GET', base + path)
const taskNamed = async (name: string) => {
  const found = (await get<Task[]>('tasks/')).find((task) => task.name === name)
  if (!found) throw new Error(`No task ${name}`)
  return found
}
const finished = (id: string) =>
  expect.poll(async () => (await get<Run>(`task-executions/${id}/`)).is_finished, { timeout: 15_000 }).toBe(true)

const works = defineTestJob<object>({ name: 'test.works', delivery: 'idempotent', run: async () => undefined })
const fails = defineTestJob<object>({
  name: 'test.breaks',
  delivery: 'idempotent',
  retries: 0,
  run: async () => {
    throw new Error('no')
  },
})
const start = async (kind: typeof works, more: object = {}) => {
  const id = await server.context().enqueue(kind, {}, { orgId: defaultOrgId, ...more })
  await finished(id)
  return id
}

describe('kinds of background tasks', () => {
  it('are listed with title, schedule, next run, and how their runs ended', async () => {
    await start(works)
    await start(works)
    expect(await taskNamed('test.works')).toMatchObject({
      summary: { total: 2, success: 2 },
      state: 'green',
      date_last_publish: expect.any(String),
      is_periodic: false,
      date_next: null,
    })
    expect(await taskNamed('audits.sweep-logs')).toMatchObject({
      meta: { comment: 'Delete old logs', queue: 'celery' },
      is_periodic: true,
      enabled: true,
      date_next: expect.any(String),
    })
    const { id } = await taskNamed('test.works')
    expect(await get<Task>(`tasks/${id}/`)).toMatchObject({ id, name: 'test.works' })
    const sweeps = (await get<Task[]>('tasks/')).filter(({ meta }) => meta.comment.startsWith('Delete old'))
    expect(await get<object>('tasks/?search=Delete old&limit=2')).toMatchObject({
      count: sweeps.length,
      results: [{}, {}],
    })
  })

  it('are red after a failure, yellow for five more runs, then green', async () => {
    await start(fails as typeof works)
    expect((await taskNamed('test.breaks')).state).toBe('red')
    const colors = []
    // The same kind, as if its next runs had succeeded.
    for (let run = 0; run < 5; run++) {
      const id = await start(works)
      await server.context().rawDb.updateTable('kernel_job').set({ name: 'test.breaks' }).where('id', '=', id).execute()
      colors.push((await taskNamed('test.breaks')).state)
    }
    expect(colors).toEqual(['yellow', 'yellow', 'yellow', 'yellow', 'green'])
  })

  it('have titles', async () => {
    for (const task of await get<Task[]>('tasks/'))
      if (!/^(test|crash)\./.test(task.name)) expect(task.meta.comment, task.name).not.toBe(task.name)
  })

  it('run now, if they run by schedule', async () => {
    const { id } = await taskNamed('audits.sweep-logs')
    const { task_id } = await server.admin.request<{ task_id: string }>('POST', `${base}tasks/${id}/run/`)
    await finished(task_id)
    const runs = await get<Run[]>(`task-executions/?task_id=${id}`)
    expect(runs[0]).toMatchObject({ id: task_id, name: 'audits.sweep-logs', is_success: true })
    const again = await server.admin.request<{ task_id: string }>('POST', `${base}task-executions/?from=${task_id}`)
    await finished(again.task_id)
    const other = await taskNamed('test.works')
    await expect(server.admin.request('POST', `${base}tasks/${other.id}/run/`)).rejects.toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('does not run by schedule') },
    })
  })

  it('are switched off and stay off, in the operate log', async () => {
    interface Period {
      id: string
      name: string
      enabled: boolean
      date_next: string | null
    }
    const row = (await get<Period[]>('celery/period-tasks/')).find(({ name }) => name === 'perms.expiry_warnings')
    const path = `${base}celery/period-tasks/${row?.id}/`
    const off = await server.admin.request<Period>('PATCH', path, { enabled: false })
    expect(off).toMatchObject({ enabled: false, date_next: null })
    const { seedSchedules } = await import('../../kernel/jobs/schedules.ts')
    await seedSchedules(server.application.services)
    expect(await server.admin.request('GET', path)).toMatchObject({ enabled: false, date_next: null })
    expect(await server.admin.request('PATCH', path, { enabled: true })).toMatchObject({
      date_next: expect.any(String),
    })
    await expect(server.admin.request('PATCH', path, { enabled: 'x' })).rejects.toMatchObject({ status: 400 })
    const log = await server.admin.request<{ resource: string }[]>(
      'GET',
      '/api/v1/audits/operate-logs/?resource_type=Task',
    )
    expect(log[0]?.resource).toBe('Warn of expiring asset permissions')
  })
})

describe('whose runs are seen', () => {
  it('members see their own, administrators of an organization its own, system administrators all', async () => {
    const { id: other } = await server.admin.request<{ id: string }>('POST', '/api/v1/orgs/orgs/', {
      name: 'elsewhere',
    })
    const member = await server.person('run-member', { org: [roleIds.orgUser] })
    const mine = await start(works, { creator: member })
    const ours = await start(works)
    const theirs = await start(works, { orgId: other })
    const systems = await server.context().enqueue(works, {}, {})
    await finished(systems)
    const everything = [mine, ours, theirs, systems]
    const seen = async (client = server.admin) => {
      const ids = (await get<Run[]>('task-executions/?name=test.works', client)).map((run) => run.id)
      for (const id of everything) {
        const single = await get<Run>(`task-executions/${id}/`, client).then(
          () => true,
          () => false,
        )
        expect(single, id).toBe(ids.includes(id))
      }
      return everything.map((id) => ids.includes(id))
    }
    expect(await seen(await server.as(member))).toEqual([true, false, false, false])
    const orgAdmin = await server.as(await server.person('run-admin', { org: [roleIds.orgAdmin] }))
    expect((await seen(orgAdmin)).slice(0, 3)).toEqual([true, true, false])
    const auditor = await server.as(await server.person('run-auditor', { system: [roleIds.systemAuditor] }))
    expect(await seen(auditor)).toEqual([true, true, true, true])
    expect(await seen()).toEqual([true, true, true, true])
  })

  it('nobody else starts, switches or counts tasks', async () => {
    const { id } = await taskNamed('audits.sweep-logs')
    const member = await server.as(await server.person('task-member', { org: [roleIds.orgUser] }))
    await expect(get('tasks/', member)).rejects.toMatchObject({ status: 403 })
    const orgAdmin = await server.as(await server.person('task-admin', { org: [roleIds.orgAdmin] }))
    // The schedule of the system has no runs in an organization.
    expect(await get<Task>(`tasks/${id}/`, orgAdmin)).toMatchObject({ summary: { total: 0, success: 0 } })
    for (const [method, path] of [
      ['POST', `tasks/${id}/run/`],
      ['POST', 'task-executions/?from=x'],
      ['GET', 'celery/period-tasks/'],
    ] as const)
      await expect(orgAdmin.request(method, base + path)).rejects.toMatchObject({ status: 403 })
  })

  it('what does not exist is said', async () => {
    for (const path of ['tasks/nonsense/', 'task-executions/?task_id=nonsense', 'celery/period-tasks/7/'])
      await expect(get(path)).rejects.toMatchObject({ status: 404 })
    await expect(server.admin.request('POST', `${base}task-executions/`)).rejects.toMatchObject({ status: 400 })
    await expect(server.admin.request('POST', `${base}task-executions/?from=7`)).rejects.toMatchObject({ status: 404 })
  })
})
