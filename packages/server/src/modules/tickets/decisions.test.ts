import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import { ApiError, type Client } from '@castellan/testing/client'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

const base = '/api/v1/tickets/'
const verbs = ['approve', 'reject', 'close'] as const
type Verb = (typeof verbs)[number]

interface Ticket {
  id: string
  state: { value: string }
  status: { value: string }
  process_map: { state: string; processor: string }[]
}

describe('decisions of many people about one ticket', () => {
  let server: TestServer
  let applicant: Client
  /** People asked at the first level, at the second one, and at both. */
  let people: Client[]
  let host: string

  beforeAll(async () => {
    server = await startServer()
    const person = (name: string) => server.person(name, { system: [roleIds.user], org: [roleIds.orgUser] })
    applicant = await server.as(await person('asks'), defaultOrgId)
    const ids = await Promise.all(['first', 'second', 'both'].map(person))
    const [first, second, both] = ids
    people = await Promise.all(ids.map((id) => server.as(id, defaultOrgId)))
    host = (
      await server.admin.collection('assets/hosts').create({
        name: 'decided',
        address: '10.0.0.1',
        platform: { pk: 1 },
        protocols: [{ name: 'ssh', port: 22 }],
      })
    ).id
    const [flow] = await server.admin.request<{ id: string }[]>('GET', `${base}flows/`)
    const chosen = (assignees: unknown[]) => ({ strategy: 'custom_user', assignees })
    await server.admin.request('PUT', `${base}flows/${flow?.id}/`, {
      type: 'apply_asset',
      approval_level: 2,
      rules: [chosen([first, both]), chosen([second, both])],
    })
  })
  afterAll(() => server.close())

  const rights = {
    apply_actions: ['connect'],
    apply_accounts: ['@ALL'],
    apply_date_start: new Date(Date.now() - 3_600_000).toISOString(),
    apply_date_expired: new Date(Date.now() + 3_600_000).toISOString(),
  }
  let made = 0
  const open = () =>
    applicant.request<Ticket>('POST', `${base}apply-asset-tickets/open/`, {
      ...rights,
      title: `decided ${++made}`,
      org_id: defaultOrgId,
      apply_assets: [host],
      apply_nodes: [],
    })
  /** Whether it was taken; a refusal is one with a reason. */
  const decide = async ({ id }: Ticket, verb: Verb, who: number): Promise<boolean> => {
    const by = verb === 'close' ? applicant : (people[who] as Client)
    const body = verb === 'approve' ? { ...rights, title: 'decided', org_id: defaultOrgId, apply_assets: [host] } : {}
    try {
      await by.request('PUT', `${base}apply-asset-tickets/${id}/${verb}/`, body)
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      expect([400, 403]).toContain(error.status)
      return false
    }
  }
  const isGranted = (id: string) =>
    server.admin.request('GET', `/api/v1/perms/asset-permissions/${id}/`).then(
      () => true,
      () => false,
    )

  it('are in the operate log by name, with the ticket and who asked', async () => {
    const [approved, rejected, closed] = [await open(), await open(), await open()]
    expect(await decide(approved, 'approve', 0)).toBe(true)
    expect(await decide(rejected, 'reject', 2)).toBe(true)
    expect(await decide(closed, 'close', 0)).toBe(true)
    const log = await server.admin.collection('audits/operate-logs').all({ resource_type: 'Apply Asset Ticket' })
    const logged = log.map(({ action, resource }) => `${(action as { value: string }).value} ${resource}`)
    expect(logged.toSorted()).toEqual(['approve decided 1', 'close decided 3', 'reject decided 2'])
    const detail = await server.admin.request<{ diff: { field: string; after: string }[] }>(
      'GET',
      `/api/v1/audits/operate-logs/${log.find(({ resource }) => resource === 'decided 2')?.id}/?type=action_detail`,
    )
    expect(Object.fromEntries(detail.diff.map(({ field, after }) => [field, after]))).toMatchObject({
      ID: rejected.id,
      Title: 'decided 2',
      Applicant: expect.stringContaining('asks'),
    })
  })

  it('never decide a level twice, and grant after an approval of each level only', async () => {
    const one = fc.record({ verb: fc.constantFrom<Verb>('approve', 'approve', 'reject', 'close'), who: fc.nat(2) })
    // Those of a group decide at the same time, the groups after each other.
    const groups = fc.array(fc.array(one, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 })
    let granted = 0
    await fc.assert(
      fc.asyncProperty(groups, async (sequence) => {
        const ticket = await open()
        const taken: Verb[] = []
        for (const group of sequence) {
          const outcomes = await Promise.all(group.map(({ verb, who }) => decide(ticket, verb, who)))
          taken.push(...group.flatMap(({ verb }, at) => (outcomes[at] ? [verb] : [])))
          const now = await applicant.request<Ticket>('GET', `${base}tickets/${ticket.id}/`)
          const decided = now.process_map.filter(({ state }) => state !== 'pending')
          expect(decided).toHaveLength(taken.length)
          expect(taken.filter((verb) => verb !== 'approve').length).toBeLessThanOrEqual(1)
          const approved = now.state.value === 'approved'
          expect(approved).toBe(taken.length === 2 && taken.every((verb) => verb === 'approve'))
          expect(now.status.value === 'closed').toBe(approved || taken.some((verb) => verb !== 'approve'))
          expect(await isGranted(ticket.id)).toBe(approved)
          if (approved) granted += 1
          // The opening and every decision, none of them twice.
          const history = await applicant.request<object[]>('GET', `${base}comments/?ticket_id=${ticket.id}`)
          expect(history).toHaveLength(1 + taken.length)
        }
      }),
      // One that is certainly granted, and many more.
      { numRuns: 25, endOnFailure: true, examples: [[[[{ verb: 'approve', who: 0 }], [{ verb: 'approve', who: 1 }]]]] },
    )
    expect(granted).toBeGreaterThan(0)
  })
})
