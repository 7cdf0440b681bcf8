import { expect, it } from 'vitest'
import { planSite } from './site.ts'

const size = { seed: 7, nodes: 400, hosts: 1000, users: 50, groups: 10, permissions: 200 }

it('plans the same site for the same seed, and a different one for another', () => {
  expect(planSite(size)).toEqual(planSite(size))
  expect(planSite({ ...size, seed: 8 })).not.toEqual(planSite(size))
})

it('plans trees to depth 8, hosts in one to three nodes, and every kind of permission', () => {
  const plan = planSite(size)
  const depths = plan.nodes.map((path) => path.split('/').length - 2)
  expect(Math.max(...depths)).toBe(8)
  expect(new Set(plan.nodes).size).toBe(size.nodes)
  expect(new Set(plan.hosts.map((host) => host.nodes.length))).toEqual(new Set([1, 2, 3]))
  const used = new Set(plan.hosts.flatMap((host) => host.nodes))
  expect(plan.nodes.every((path) => used.has(path))).toBe(true)
  for (const kind of ['users', 'groups', 'nodes', 'hosts'] as const) {
    expect(plan.permissions.some((one) => one[kind].length > 0)).toBe(true)
  }
  expect(plan.permissions.some((one) => one.until < 0)).toBe(true)
  expect(plan.permissions.some((one) => one.from > 0)).toBe(true)
  expect(plan.permissions.some((one) => !one.active)).toBe(true)
})

it('plans without hosts, nodes or users', () => {
  const plan = planSite({ seed: 1, nodes: 0, hosts: 2, users: 0, groups: 0, permissions: 1 })
  expect(plan.hosts.map((host) => host.nodes)).toEqual([['/Default'], ['/Default']])
})
