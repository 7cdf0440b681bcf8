import { randomUUID } from 'node:crypto'
import { defaultOrgId } from '@castellan/contract/ids'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineTestJob } from '../../testing/jobs.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { render } from '../module/errors.ts'
import { crontabProblem, intervalProblem, nextRuns, periodicProblems, timingFrom } from './crontab.ts'
import { queueDue, removeSchedule, schedulesOf, seedSchedules, setSchedule } from './schedules.ts'

let servers: TestServer[]
beforeAll(async () => {
  const first = await startServer()
  servers = [first, await startServer({ beside: first })]
})
afterAll(async () => {
  for (const server of servers.toReversed()) await server.close()
})

const first = () => servers[0] as TestServer
const services = () => first().application.services
const reader = () => services().database.reader
const hour = 3_600_000
const rotation = defineTestJob<{ plan: string }>({
  name: 'test.rotation',
  delivery: 'idempotent',
  run: async () => undefined,
})
const owner = (id: string) => ({ type: 'users.usergroup', id })
const group = async () =>
  (await first().admin.request<{ id: string }>('POST', '/api/v1/users/groups/', { name: `g-${randomUUID()}` })).id
const rowOf = (id: string) =>
  reader().selectFrom('kernel_schedule').selectAll().where('owner_id', '=', id).executeTakeFirst()
const jobsOf = async (id: string) =>
  reader()
    .selectFrom('kernel_job')
    .selectAll()
    .where('schedule_id', '=', (await rowOf(id))?.id)
    .execute()
const set = (id: string, spec: object = {}) =>
  first()
    .context(defaultOrgId)
    .transaction((ctx) =>
      setSchedule(ctx, owner(id), {
        job: rotation,
        payload: { plan: id },
        enabled: true,
        intervalSeconds: 3600,
        ...spec,
      }),
    )
const makeDue = (id: string, date_next: number) =>
  services().database.writer.updateTable('kernel_schedule').set({ date_next }).where('owner_id', '=', id).execute()

describe('the schedule of a row', () => {
  it('is written with it or not at all, and leaves with it', async () => {
    const id = await group()
    await first()
      .context()
      .transaction(async (ctx) => {
        await setSchedule(ctx, owner(id), { job: rotation, payload: { plan: id }, enabled: true, crontab: '0 2 * * *' })
        throw new Error('rolled back')
      })
      .catch(() => undefined)
    expect(await rowOf(id)).toBeUndefined()
    await set(id)
    expect(await rowOf(id)).toMatchObject({ job_name: 'test.rotation', org_id: defaultOrgId })
    await first().admin.request('DELETE', `/api/v1/users/groups/${id}/`)
    expect(await rowOf(id)).toBeUndefined()
  })

  it('leaves at its next run when its row went in a way that told nobody', async () => {
    const id = await group()
    await set(id)
    await services().database.writer.deleteFrom('users_usergroup').where('id', '=', id).execute()
    await makeDue(id, Date.now() - 1)
    await queueDue(services())
    expect(await rowOf(id)).toBeUndefined()
    expect(
      await reader()
        .selectFrom('kernel_job')
        .selectAll()
        .where('payload', '=', JSON.stringify({ plan: id }))
        .execute(),
    ).toEqual([])
  })

  it('runs for who it was made for, in its organization, and knows its last and next run', async () => {
    const id = await group()
    await set(id, { creator: 'somebody' })
    await makeDue(id, Date.now() - 1)
    await queueDue(services())
    expect(await jobsOf(id)).toMatchObject([
      { created_by: 'somebody', org_id: defaultOrgId, payload: JSON.stringify({ plan: id }) },
    ])
    const known = (await schedulesOf(first().context(), 'users.usergroup', [id])).get(id)
    expect(known?.last).toBeGreaterThan(Date.now() - 60_000)
    expect(known?.next).toBeGreaterThan(Date.now())
  })

  it('is claimed once, however many workers look at the same moment', async () => {
    const id = await group()
    await set(id)
    await makeDue(id, Date.now() - 1)
    await Promise.all([...servers, ...servers].map(({ application }) => queueDue(application.services)))
    expect(await jobsOf(id)).toHaveLength(1)
  })

  it('makes up for runs that were missed by one, and not while the last one still waits', async () => {
    const id = await group()
    await set(id)
    await makeDue(id, Date.now() - 5 * hour)
    await queueDue(services())
    expect(await jobsOf(id)).toHaveLength(1)
    expect(Number((await rowOf(id))?.date_next)).toBeGreaterThan(Date.now())
    await makeDue(id, Date.now() - 1)
    await queueDue(services())
    expect(await jobsOf(id)).toHaveLength(1)
  })

  it('keeps the rhythm of an interval', async () => {
    const id = await group()
    await set(id)
    const due = Date.now() - 1000
    await makeDue(id, due)
    await queueDue(services())
    expect(Number((await rowOf(id))?.date_next)).toBe(due + hour)
  })

  it('computes its next run anew when its times change, and has none while it is off', async () => {
    const id = await group()
    await set(id)
    const next = Number((await rowOf(id))?.date_next)
    await set(id, { payload: { plan: 'other' } })
    expect(Number((await rowOf(id))?.date_next)).toBe(next)
    await set(id, { crontab: '0 0 1 1 *', zone: 'Asia/Tokyo' })
    expect(new Date(Number((await rowOf(id))?.date_next)).toISOString()).toMatch(/-12-31T15:00:00.000Z$/)
    await set(id, { enabled: false })
    expect((await rowOf(id))?.date_next).toBeNull()
    await first()
      .context()
      .transaction((ctx) => removeSchedule(ctx, 'users.usergroup', [id]))
    expect(await rowOf(id)).toBeUndefined()
  })
})

describe('a kind of job that repeats', () => {
  it('has a schedule of its own from the start of a worker on, which a restart does not move', async () => {
    const name = `test.${randomUUID()}`
    defineTestJob<object>({ name, delivery: 'idempotent', every: 600_000, run: async () => undefined })
    await Promise.all(servers.map(({ application }) => seedSchedules(application.services)))
    const before = await rowOf(name)
    expect(before).toMatchObject({ owner_type: 'kernel.job', job_name: name })
    await seedSchedules(services())
    expect(await rowOf(name)).toEqual(before)
    // Missed while nothing ran: it is made up for a little later, so that components can report first.
    await makeDue(name, Date.now() - 5 * hour)
    const start = Date.now()
    await seedSchedules(services())
    expect(Number((await rowOf(name))?.date_next) - start).toBeGreaterThanOrEqual(60_000)
    // It repeats no more.
    defineTestJob<object>({ name, delivery: 'idempotent', run: async () => undefined })
    await seedSchedules(services())
    expect(await rowOf(name)).toBeUndefined()
  })
})

describe('a crontab', () => {
  const said = (crontab: string, language: 'en' | 'zh' | 'ja' = 'en') => {
    const problem = crontabProblem(crontab)
    return problem === undefined ? undefined : render(problem, language)
  }

  it.each(['* * * * *', '*/15 8-18 * * MON-FRI', '0 0 L * *', '0 2 29 2 *', ' 0  2 * * 7 ', '0,30 1 1-7 JAN,JUL *'])(
    'is good: %s',
    (crontab) => expect(said(crontab)).toBeUndefined(),
  )

  it.each([
    ['', 'exactly 5 parts'],
    ['0 2 * *', 'exactly 5 parts'],
    ['0 0 2 * * *', 'exactly 5 parts'],
    ['@daily', 'exactly 5 parts'],
    ['60 * * * *', 'The minute "60" is not valid'],
    ['? * * * *', 'The minute "?" is not valid'],
    ['0 24 * * *', 'The hour "24" is not valid'],
    ['0 0 32 * *', 'The day of the month "32" is not valid'],
    ['0 0 1 13 *', 'The month "13" is not valid'],
    ['0 0 * * 8', 'The weekday "8" is not valid'],
    ['*/0 * * * *', 'The minute "*/0" is not valid'],
    ['10-5 * * * *', 'The minute "10-5" is not valid'],
    ['a b c d e', 'The minute "a" is not valid'],
    [`${'9'.repeat(60)} * * * *`, `The minute "${'9'.repeat(40)}" is not valid`],
    ['0 0 31 2 *', 'never runs'],
  ])('is refused with what is wrong with it: %s', (crontab, text) => expect(said(crontab)).toContain(text))

  it('is refused in the language of whoever entered it', () => {
    expect(said('0 24 * * *', 'zh')).toContain('“时”的值“24”无效')
    expect(said('0 24 * * *', 'ja')).toContain('時「24」は無効です')
  })

  const runs = (crontab: string, after: string, zone = 'Europe/Berlin') =>
    nextRuns({ crontab, zone }, 3, Date.parse(after)).map((run) => new Date(run).toISOString())

  it('runs in its time zone when clocks are set ahead: a time that does not exist moves to the change', () => {
    expect(runs('30 2 * * *', '2026-03-28T00:00:00Z')).toEqual([
      '2026-03-28T01:30:00.000Z',
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ])
  })

  it('runs in its time zone when clocks are set back: once', () => {
    expect(runs('30 2 * * *', '2026-10-24T00:00:00Z')).toEqual([
      '2026-10-24T00:30:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ])
  })

  it('takes precedence over an interval, and an unknown zone is that of the installation', () => {
    expect(
      nextRuns({ crontab: '0 0 1 1 *', intervalSeconds: 60, zone: 'Nowhere/Land' }, 1, Date.parse('2026-06-01')),
    ).toHaveLength(1)
    expect(nextRuns({ intervalSeconds: 60 }, 2, 0)).toEqual([60_000, 120_000])
    expect(nextRuns({}, 2)).toEqual([])
  })
})

describe('an interval', () => {
  it('is a whole number of hours within the limits of the API', () => {
    expect([1, 24, 65_535].map(intervalProblem)).toEqual([undefined, undefined, undefined])
    for (const wrong of [0, -1, 65_536, 1.5, Number.NaN])
      expect(render(intervalProblem(wrong) ?? '', 'en')).toBe(
        'The interval must be a whole number of hours from 1 to 65535.',
      )
  })
})

describe('the fields of a periodic run', () => {
  const said = (fields: Parameters<typeof periodicProblems>[0]) =>
    Object.fromEntries(
      Object.entries(periodicProblems(fields)).map(([field, problem]) => [field, render(problem, 'en')]),
    )

  it('need a crontab or an interval, and each has to be good', () => {
    expect(said({ is_periodic: true, interval: 24 })).toEqual({})
    expect(said({ is_periodic: false })).toEqual({})
    expect(said({ is_periodic: true, crontab: '' })).toEqual({
      is_periodic: 'A periodic run needs a crontab or an interval.',
    })
    expect(Object.keys(said({ is_periodic: false, crontab: '1 2 3', interval: 0 }))).toEqual(['crontab', 'interval'])
  })

  it('give the times of a schedule: a crontab first', () => {
    expect(timingFrom({ is_periodic: true, crontab: '', interval: 2 })).toEqual({
      crontab: null,
      intervalSeconds: 7200,
    })
    expect(
      nextRuns({ ...timingFrom({ is_periodic: true, crontab: '0 0 1 1 *', interval: 1 }), zone: 'UTC' }, 1, 0),
    ).toEqual([Date.UTC(1971, 0, 1)])
  })
})
