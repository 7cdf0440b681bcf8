/** Sessions and the terminal. */
import { routes } from '@castellan/contract/routes'
import type { Scene } from './stage.ts'

export const sessionScenes: readonly Scene[] = [
  {
    name: 'session-terminate',
    async show(stage) {
      await stage.open(routes.SessionList.path)
      await stage.choose('terminate')
      await stage.dialog().waitFor()
    },
  },
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
      await stage.page.goto(`${stage.url}/luna/?login_to=${(await stage.first('perms/users/self/assets')).id}`)
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
]
