/** States without a URL of their own: dialogs, menus, sign-in pages. Each is opened as a user would. */

import { consoleMessages } from '@castellan/contract/messages/console'
import { routes } from '@castellan/contract/routes'
import type { Language } from '@castellan/testing/browser'
import type { Locator, Page } from 'playwright-core'
import type { Look } from './accessibility.ts'

/** The console in one language: its words, and the controls they stand on. */
export class Stage {
  readonly page: Page
  readonly url: string
  readonly language: Language
  constructor(page: Page, url: string, language: Language) {
    this.page = page
    this.url = url
    this.language = language
  }
  word(key: keyof typeof consoleMessages): string {
    return consoleMessages[key][this.language]
  }
  button(key: keyof typeof consoleMessages, within: Page | Locator = this.page): Locator {
    return within.getByRole('button', { name: this.word(key), exact: true }).first()
  }
  dialog(): Locator {
    return this.page.getByRole('dialog').last()
  }
  async open(address: string): Promise<void> {
    await this.page.goto('about:blank')
    await this.page.goto(`${this.url}/ui/#${address}`)
    await this.page.locator('main:not(:has(.ant-skeleton, [aria-busy=true])):has(h1)').waitFor()
  }
  /** The id of an asset that the signed-in user may use. */
  async ownAsset(): Promise<string> {
    const answer = await this.page.request.get(`${this.url}/api/v1/perms/users/self/assets/?limit=1`)
    const { results } = (await answer.json()) as { results: { id: string }[] }
    return results[0]?.id ?? ''
  }
  async tick(count: number): Promise<void> {
    const boxes = this.page.locator('.list-body :is(td .box, .m-card .ant-checkbox-input)')
    for (let at = 0; at < count; at++) await boxes.nth(at).check()
  }
  /** Opens a row's menu and chooses the entry. */
  async choose(key: keyof typeof consoleMessages): Promise<void> {
    await this.page.locator('.list-body .dots').first().click()
    await this.page.getByRole('menuitem', { name: this.word(key), exact: true }).click()
  }
}

export interface Scene {
  name: string
  /** Needs the room of a desk. */
  desk?: boolean
  /** Where axe looks at it. */
  looks?: readonly Look['place'][]
  /** One of each kind is looked at in every run; of the others, a share. */
  kind?: true
  show(stage: Stage): Promise<unknown>
  /** Puts back what the others need, when its picture is taken. */
  after?(stage: Stage): Promise<unknown>
}

const usersRead = '**/api/v1/users/users/?*'
const keysRead = '**/api/v1/authentication/access-keys/?*'
const groupsRead = '**/api/v1/users/groups/?*'
const profileRead = '**/api/v1/users/profile/**'

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

/** Opens the explanation of who may do what and why, for a user and an asset. */
async function askForReasons(stage: Stage): Promise<void> {
  await stage.open('/console/assets/assets')
  await stage.page.locator('.list-body .name-cell a').first().click()
  await stage.button('accessWhy').click()
  await stage.dialog().getByRole('combobox').first().click()
  await stage.page.locator('.ant-select-item-option').first().click()
  await stage.page.waitForTimeout(600)
}

export const scenes: readonly Scene[] = [
  {
    name: 'list-selected',
    kind: true,
    looks: ['phone'],
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
    after: (stage) => stage.page.unroute(usersRead),
  },
  {
    name: 'list-menu',
    async show(stage) {
      await stage.open(users)
      await stage.page.locator('.list-body .dots').nth(3).click()
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
    async show(stage) {
      await stage.open('/audit/logs/operate-logs')
      await stage.page.locator('.ant-picker input').first().click()
    },
  },
  {
    name: 'columns',
    desk: true,
    async show(stage) {
      await stage.open(users)
      await stage.button('columns').click()
      await stage.dialog().waitFor()
    },
  },
  {
    name: 'export',
    async show(stage) {
      await stage.open(users)
      await stage.button('export').click()
      await stage.dialog().waitFor()
    },
  },
  {
    name: 'import-choose',
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
    async show(stage) {
      await stage.open(users)
      await stage.tick(3)
      await stage.button('updateSelected').click()
      await stage.dialog().waitFor()
    },
  },
  {
    name: 'delete-many',
    async show(stage) {
      await stage.open('/console/users/groups')
      await stage.tick(2)
      await stage.button('delete').click()
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
    name: 'form-errors',
    kind: true,
    looks: ['phone'],
    async show(stage) {
      await stage.open(routes.UserCreate.path)
      await stage.button('create').click()
    },
  },
  {
    name: 'form-leave',
    async show(stage) {
      await stage.open(routes.UserCreate.path)
      await stage.page.locator('.field input').first().fill('Somebody')
      await stage.page.locator('.page-head button, .page-head a').first().click()
    },
  },
  {
    name: 'form-select',
    async show(stage) {
      await stage.open('/console/perms/asset-permissions/create')
      await stage.page.locator('.field').getByRole('combobox').first().click()
    },
  },
  {
    name: 'rule-attributes',
    async show(stage) {
      await stage.open('/console/perms/login-asset-acls/create')
      await stage.page
        .getByRole('radio', { name: stage.word('byAttributes') })
        .first()
        .check()
      await stage.button('addAttribute').click()
    },
  },
  {
    name: 'rule-week',
    async show(stage) {
      await stage.open('/console/perms/login-asset-acls/create')
      await stage.page.locator('.week').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'asset-picker',
    kind: true,
    looks: ['phone'],
    async show(stage) {
      await stage.open('/console/perms/asset-permissions/create')
      await stage.page.locator('.field').getByRole('combobox').nth(2).click()
      await stage.dialog().locator('.list-body :is(tbody tr, .m-card)').first().waitFor()
    },
  },
  {
    name: 'account-of-host',
    kind: true,
    looks: ['phone'],
    async show(stage) {
      await stage.open('/console/assets/hosts/create')
      await stage.button('accountAdd').click()
    },
  },
  {
    name: 'protocol-settings',
    async show(stage) {
      await stage.open('/console/assets/hosts/create')
      await stage.page.locator('.field button:has(.lucide-settings-2)').first().click()
    },
  },
  { name: 'reasons', kind: true, looks: ['phone'], show: askForReasons },
  { name: 'findings', show: (stage) => stage.open('/console/perms/asset-permissions?activeTab=PermissionFindings') },
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
    name: 'palette',
    async show(stage) {
      await stage.open('/console/dashboard')
      await stage.page.keyboard.press('Control+k')
      await stage.page.keyboard.type('host-00001')
      await stage.dialog().getByText('host-000010').waitFor()
    },
  },
  {
    name: 'views',
    kind: true,
    looks: ['phone'],
    async show(stage) {
      await stage.open('/console/dashboard')
      await stage.page.locator('.topbar .switch').click()
    },
  },
  {
    name: 'account-menu',
    async show(stage) {
      await stage.open('/console/dashboard')
      await stage.page.locator('.topbar .avatar').last().click()
    },
  },
  {
    name: 'messages',
    async show(stage) {
      await stage.open('/console/dashboard')
      await stage.page.locator('.topbar button:has(.lucide-bell)').click()
      await stage.page.waitForTimeout(500)
    },
  },
  {
    name: 'menu',
    kind: true,
    looks: ['phone'],
    async show(stage) {
      await stage.open('/console/dashboard')
      const menu = stage.page.locator('.topbar button:has(.lucide-menu)')
      if (await menu.isVisible()) await menu.click()
    },
  },
  {
    name: 'session-terminate',
    async show(stage) {
      await stage.open(routes.SessionList.path)
      await stage.choose('terminate')
      await stage.dialog().waitFor()
    },
  },
  {
    name: 'api-key-made',
    async show(stage) {
      await stage.open(routes.ApiKey.path)
      await stage.button('apiKeyCreate').click()
      await stage.dialog().getByText(stage.word('apiKeyOnce')).waitFor()
    },
  },
  {
    name: 'confirm',
    async show(stage) {
      await stage.page.route(keysRead, (route) =>
        route.fulfill({ status: 412, json: { type: 'user_confirm_required', code: 'password' } }),
      )
      await stage.page.goto('about:blank')
      await stage.page.goto(`${stage.url}/ui/#${routes.ApiKey.path}`)
      await stage.dialog().locator('input').waitFor()
    },
    after: (stage) => stage.page.unroute(keysRead),
  },
  {
    name: 'signed-out',
    async show(stage) {
      await stage.open('/console/users/groups')
      await stage.page.route(groupsRead, (route) =>
        route.fulfill({ status: 401, json: { code: 'not_authenticated', detail: '' } }),
      )
      await stage.button('refresh').click()
      await stage.dialog().waitFor()
    },
    after: (stage) => stage.page.unroute(groupsRead),
  },
  {
    name: 'no-permission',
    async show(stage) {
      await stage.page.route(profileRead, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...(await response.json()), perms: ['rbac.view_console'] } })
      })
      await stage.page.goto('about:blank')
      await stage.page.goto(`${stage.url}/ui/#/console/users/groups`)
      await stage.page.getByText(stage.word('forbiddenTitle')).first().waitFor()
    },
    after: (stage) => stage.page.unroute(profileRead),
  },
  { name: 'tools', show: (stage) => stage.page.goto(`${stage.url}/core/download/`) },
  { name: 'no-such-address', show: (stage) => stage.page.goto(`${stage.url}/core/auth/nowhere/`) },
  {
    name: 'terminal',
    async show(stage) {
      await stage.page.goto(`${stage.url}/luna/`)
      await stage.page.getByRole('treeitem').first().waitFor()
    },
  },
  {
    name: 'terminal-connect',
    async show(stage) {
      await stage.page.goto(`${stage.url}/luna/?login_to=${await stage.ownAsset()}`)
      await stage.dialog().waitFor()
    },
  },
  {
    name: 'terminal-settings',
    desk: true,
    async show(stage) {
      await stage.page.goto(`${stage.url}/luna/`)
      await stage.page.locator('button:has(.lucide-settings)').first().click()
      await stage.dialog().waitFor()
    },
  },
  { name: 'not-found', show: (stage) => stage.page.goto(`${stage.url}/ui/#/404`) },
]
