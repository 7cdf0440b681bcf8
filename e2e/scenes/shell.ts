/** What surrounds the screens: search, menus, messages, questions who somebody is, and pages outside of the console. */
import { routes } from '@castellan/contract/routes'
import type { Scene } from './stage.ts'

const keysRead = '**/api/v1/authentication/access-keys/?*'
const groupsRead = '**/api/v1/users/groups/?*'
const profileRead = '**/api/v1/users/profile/**'

export const shellScenes: readonly Scene[] = [
  {
    name: 'palette',
    looks: ['desk'],
    asked: { within: '.ant-modal', also: ['target-size'] },
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
    asked: { without: ['region'] },
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
    looks: ['desk'],
    asked: { within: '.ant-drawer', also: ['target-size'] },
    async show(stage) {
      await stage.open('/console/dashboard')
      await stage.page.locator('.topbar button:has(.lucide-bell)').click()
      await stage.dialog().waitFor()
    },
  },
  {
    name: 'menu',
    kind: true,
    looks: ['phone'],
    asked: { without: ['region'] },
    async show(stage) {
      await stage.open('/console/dashboard')
      const menu = stage.page.locator('.topbar button:has(.lucide-menu)')
      if (await menu.isVisible()) await menu.click()
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
  },
  { name: 'tools', looks: ['desk'], show: (stage) => stage.page.goto(`${stage.url}/core/download/`) },
  { name: 'no-such-address', show: (stage) => stage.page.goto(`${stage.url}/core/auth/nowhere/`) },
  { name: 'not-found', show: (stage) => stage.page.goto(`${stage.url}/ui/#/404`) },
  {
    name: 'vault-on',
    looks: ['desk'],
    async show(stage) {
      await stage.open('/settings/features?activeTab=Vault')
      await stage.field('VAULT_ENABLED').getByRole('switch').click()
      await stage.field('VAULT_HCP_HOST').waitFor()
    },
  },
]
