import { expect, it } from 'vitest'
import type { DetailSpec } from './detail/DetailPage.tsx'
import type { FormSpec } from './form/spec.ts'
import type { ListSpec } from './list/spec.ts'
import type { WireForm, WireRow } from './wire.ts'

const url = '/api/v1/users/groups/'
const shared = { url, path: '/groups', resource: 'users.usergroup', noun: 'group' } as const

type Group = WireRow<typeof url, 'amount'>
type GroupForm = WireForm<typeof url, 'everybody'>

it('serve wherever rows of any type are shown, with a number as id too', () => {
  const list: ListSpec<Group> = {
    ...shared,
    id: 'UserGroupList',
    columns: { shown: ['name'], extra: ['amount'], cells: { users: { render: (row) => row.users.length } } },
    bulk: { fields: ['comment'], fieldSpecs: { comment: {} } },
  }
  const form: FormSpec<GroupForm> = {
    ...shared,
    groups: [{ key: 'basic', title: 'groupBasic', fields: ['everybody'] }],
  }
  const platform: DetailSpec<WireRow<'/api/v1/assets/platforms/'>> = {
    ...shared,
    title: (row) => row.id,
    facts: ['su_enabled'],
  }
  const anywhere: [ListSpec, FormSpec, DetailSpec] = [list, form, platform]
  expect(anywhere).toEqual([list, form, platform])
})

it('do not compile with a name that is not on the wire', () => {
  // @ts-expect-error: a misspelt column
  const columns: ListSpec<Group>['columns'] = { shown: ['nmae'] }
  // @ts-expect-error: a value that groups do not have
  const title: DetailSpec<Group>['title'] = (row) => String(row.number)
  // @ts-expect-error: a misspelt field of the form
  const fields: FormSpec<GroupForm>['fields'] = { coment: {} }
  // @ts-expect-error: a misspelt field of the changes of selected rows
  const bulk: ListSpec<Group>['bulk'] = { fields: ['coment'] }
  // @ts-expect-error: a fact of another collection
  const facts: DetailSpec<Group>['facts'] = ['su_enabled']
  // @ts-expect-error: an address without a collection
  const nowhere: WireRow<'/api/v1/users/gruops/'> | undefined = undefined
  expect([columns, title, fields, bulk, facts, nowhere]).toHaveLength(6)
})

it('have the fields of each of several collections', () => {
  type Asset = WireRow<'/api/v1/assets/databases/' | '/api/v1/assets/webs/'>
  const columns: ListSpec<Asset>['columns'] = { shown: ['name', 'db_name', 'autofill'] }
  // @ts-expect-error: only custom assets have it
  const others: ListSpec<Asset>['columns'] = { shown: ['custom_info'] }
  expect([columns, others]).toHaveLength(2)
})
