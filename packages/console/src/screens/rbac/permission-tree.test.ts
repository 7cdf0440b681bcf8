import { describe, expect, it } from 'vitest'
import { follow, type Right } from './permission-tree.ts'

const leaf = (id: string, code: string): Right => ({
  id,
  code,
  name: code,
  leaf: true,
  locked: false,
  checked: false,
  children: [],
})
const leaves = [
  'users.view_user',
  'users.add_user',
  'users.match_user',
  'rbac.view_orgrole',
  'rbac.add_orgrolebinding',
  'rbac.view_orgrolebinding',
  'users.invite_user',
].map((code, i) => leaf(String(i), code))
const codes = (ids: ReadonlySet<string>) => leaves.filter((right) => ids.has(right.id)).map((right) => right.code)

describe('selecting permissions', () => {
  it('adds the view permission of the same model', () => {
    expect(codes(follow(leaves, new Set(), new Set(['1'])))).toEqual(['users.view_user', 'users.add_user'])
  })
  it('adds required permissions transitively', () => {
    expect(codes(follow(leaves, new Set(), new Set(['6'])))).toContain('rbac.view_orgrole')
    expect(codes(follow(leaves, new Set(), new Set(['6'])))).toContain('users.view_user')
  })
  it('removes the other permissions of a model with its view permission, except match', () => {
    const before = new Set(['0', '1', '2'])
    expect(codes(follow(leaves, before, new Set(['1', '2'])))).toEqual(['users.match_user'])
  })
  it('removes no other permission', () => {
    expect(codes(follow(leaves, new Set(['0', '1']), new Set(['0'])))).toEqual(['users.view_user'])
  })
})
