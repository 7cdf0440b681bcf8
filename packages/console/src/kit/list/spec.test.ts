import { describe, expect, it } from 'vitest'
import type { DetailSpec } from '../detail/DetailPage.tsx'
import type { FormSpec } from '../form/spec.ts'
import { complete, inside, type ListSpec } from './spec.ts'

type Group = Readonly<{ id: string; name: string; users: readonly string[] }>

const shared = { url: '/api/v1/users/groups/', path: '/groups', resource: 'users.usergroup', noun: 'group' } as const

describe('declarations for rows with a type', () => {
  it('know the fields of their rows, and serve wherever rows of any type are shown', () => {
    const list: ListSpec<Group> = {
      ...shared,
      id: 'UserGroupList',
      columns: { shown: ['name', 'users'], cells: { users: { render: (row) => row.users.length } } },
      row: { secondary: 'name', link: (row) => row.name },
      actions: { row: [{ key: 'all', label: (row) => row.name, run: (row, { rows }) => [row, ...rows] }] },
    }
    const form: FormSpec<Group> = {
      ...shared,
      groups: [{ key: 'basic', title: 'groupBasic', fields: ['name', 'users', '*'] }],
      saved: { to: (group) => group.name },
    }
    const detail: DetailSpec<Group> = { ...shared, facts: ['name', { name: 'users', render: (row) => row.users[0] }] }
    const anywhere: [ListSpec, FormSpec, DetailSpec] = [list, form, detail]
    expect(anywhere).toEqual([list, form, detail])
  })

  it('do not compile with a misspelt field', () => {
    // @ts-expect-error: a group has no field `nmae`
    const columns: ListSpec<Group>['columns'] = { shown: ['nmae'] }
    // @ts-expect-error: nor one of a nested object
    const groups: FormSpec<Group>['groups'] = [{ key: 'basic', title: 'groupBasic', fields: ['usres.0'] }]
    // @ts-expect-error: nor a fact
    const facts: DetailSpec<Group>['facts'] = ['usres']
    expect([columns, groups, facts]).toHaveLength(3)
  })
})

describe('a complete declaration', () => {
  const list: ListSpec = { ...shared, id: 'UserGroupList', columns: { shown: ['name'] } }

  it('has every group', () => {
    expect(complete(list)).toMatchObject({ row: {}, actions: {}, bulk: {}, search: {}, selectable: true })
    expect(complete({ ...list, row: { secondary: 'comment' } }).row).toEqual({ secondary: 'comment' })
  })

  it('cannot be selected from where it declares no bulk actions', () => {
    expect(complete({ ...list, ...inside })).toMatchObject({
      bulk: {},
      selectable: false,
      search: { inAddress: false },
    })
  })
})
