/** Lists: what is chosen, filtered, opened over them, and what they say when there is nothing. */
import { routes } from '@castellan/contract/routes'
import type { Scene, Stage } from './stage.ts'

const usersRead = '**/api/v1/users/users/?*'
const users = routes.UserList.path
const rows =
  'name,username,email\nAnna Adler,anna,anna@example.com\nBen Berg,,no address\nMarta Kowalczyk,marta,m@example.com\n'

async function giveFile(stage: Stage): Promise<void> {
  await stage.open(users)
  await stage.button('import').click()
  const buffer = Buffer.from(rows)
  await stage.dialog().locator('input[type=file]').setInputFiles({ name: 'users.csv', mimeType: 'text/csv', buffer })
  await stage.dialog().getByText('Anna Adler').waitFor()
}

export const listScenes: readonly Scene[] = [
  {
    name: 'list-selected',
    kind: true,
    looks: ['phone'],
    asked: { without: ['region'] },
    async show(stage) {
      await stage.open(users)
      await stage.tick(3)
    },
  },
  {
    name: 'list-filters',
    async show(stage) {
      await stage.open(`${users}?search=person&is_active=true`)
      await stage.page.locator('.filter-bar input').click()
    },
  },
  {
    name: 'list-no-hits',
    show: (stage) => stage.open(`${users}?search=nobody-is-called-this`),
  },
  {
    name: 'list-failed',
    async show(stage) {
      await stage.page.route(usersRead, (route) => route.fulfill({ status: 500, body: 'x' }))
      await stage.open(users)
      await stage.page.unroute(usersRead)
    },
  },
  {
    name: 'list-loading',
    async show(stage) {
      await stage.page.route(usersRead, () => {})
      await stage.page.goto('about:blank')
      await stage.page.goto(`${stage.url}/ui/#${users}`)
      await stage.page.locator('[aria-busy=true]').first().waitFor()
    },
  },
  {
    name: 'list-menu',
    looks: ['desk'],
    asked: { within: '.ant-dropdown', also: ['target-size'] },
    async show(stage) {
      await stage.open(users)
      await stage.page.locator('.list-body .dots').nth(3).click()
      await stage.page.locator('.ant-dropdown').waitFor()
    },
  },
  {
    name: 'list-hover',
    desk: true,
    async show(stage) {
      await stage.open('/console/assets/assets')
      await stage.page.locator('tbody tr').nth(4).hover()
    },
  },
  {
    name: 'dates',
    looks: ['desk'],
    asked: { within: '.ant-picker-dropdown', also: ['target-size'] },
    async show(stage) {
      await stage.open('/audit/logs/operate-logs')
      await stage.page.locator('.ant-picker input').first().click()
      await stage.page.locator('.ant-picker-dropdown').waitFor()
    },
  },
  {
    name: 'columns',
    looks: ['desk'],
    asked: { within: '.ant-modal', also: ['target-size'] },
    desk: true,
    async show(stage) {
      await stage.open(users)
      await stage.button('columns').click()
      await stage.dialog().waitFor()
    },
  },
  {
    name: 'export',
    looks: ['desk'],
    asked: { within: '.ant-modal', also: ['target-size'] },
    async show(stage) {
      await stage.open(users)
      await stage.button('export').click()
      await stage.dialog().waitFor()
    },
  },
  {
    name: 'import-choose',
    looks: ['desk'],
    asked: { within: '.ant-modal', also: ['target-size'] },
    desk: true,
    async show(stage) {
      await stage.open(users)
      await stage.button('import').click()
      await stage.dialog().waitFor()
    },
  },
  { name: 'import-preview', desk: true, show: giveFile },
  {
    name: 'import-failed',
    desk: true,
    async show(stage) {
      await giveFile(stage)
      await stage.button('import', stage.dialog()).click()
      await stage.button('importContinue', stage.dialog()).waitFor()
    },
  },
  {
    name: 'batch-update',
    looks: ['desk'],
    asked: { within: '.ant-modal', also: ['target-size'] },
    async show(stage) {
      await stage.open(users)
      await stage.tick(3)
      await stage.button('updateSelected').click()
      await stage.dialog().waitFor()
    },
  },
  {
    name: 'delete-many',
    looks: ['desk'],
    asked: { within: '.ant-modal', also: ['target-size'] },
    async show(stage) {
      await stage.open('/console/users/groups')
      await stage.tick(2)
      await stage.button('delete').click()
      await stage.dialog().waitFor()
    },
  },
  {
    name: 'delete-one',
    async show(stage) {
      await stage.open('/console/users/groups')
      await stage.choose('delete')
    },
  },
  {
    name: 'change',
    async show(stage) {
      await stage.open('/audit/logs/operate-logs')
      await stage.page.locator('.list-body .name-cell :is(a, button), .list-body .name-cell').first().click()
      await stage.button('diffView').click()
      await stage.dialog().waitFor()
    },
  },
  {
    name: 'filters',
    looks: ['desk'],
    asked: { within: '.filter-bar', also: ['target-size'] },
    show: (stage) => stage.open('/console/users/groups?order=name&search=group&comment=x'),
  },
]
