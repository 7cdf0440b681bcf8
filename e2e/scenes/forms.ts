/** Forms: half filled in, with errors, and what they open to choose from. */
import { routes } from '@castellan/contract/routes'
import type { Locator } from 'playwright-core'
import type { Scene, Stage } from './stage.ts'

/** Opens a form and asks to create what it says nothing about yet. */
async function createNothing(stage: Stage, address: string): Promise<void> {
  await stage.open(address)
  await stage.button('create').click()
  await stage.page.locator('.field.bad').first().waitFor()
}

const withErrors = [
  'UserCreate',
  'UserGroupCreate',
  'HostCreate',
  'AssetPermissionCreate',
  'CommandFilterAclCreate',
  'CommandGroupCreate',
  'AssetAclCreate',
  'ConnectMethodAclCreate',
  'OrganizationCreate',
] as const

/** The assets of a new permission, chosen in the dialog that opens for them. */
async function chooseAssets(stage: Stage): Promise<Locator> {
  await stage.open('/console/perms/asset-permissions/create')
  await stage.field('assets').getByRole('combobox').click()
  const dialog = stage.page.locator('.pick-dialog')
  await dialog.locator('.list-body :is(tbody tr, .m-card)').first().waitFor()
  return dialog
}

export const formScenes: readonly Scene[] = [
  {
    name: 'form-errors',
    kind: true,
    looks: ['phone'],
    asked: { without: ['region'] },
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
    asked: { without: ['region'] },
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
    asked: { without: ['region'] },
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
  ...withErrors.map(
    (name): Scene => ({
      name: `errors-${name}`,
      looks: ['desk'],
      show: (stage) => createNothing(stage, routes[name].path),
    }),
  ),
  {
    name: 'errors-RoleCreate',
    looks: ['desk'],
    show: (stage) => createNothing(stage, `${routes.RoleCreate.path}?scope=org`),
  },
  {
    name: 'role-rights',
    looks: ['desk'],
    asked: { within: '.form-shell' },
    async show(stage) {
      const role = await stage.of(routes.RoleUpdate.path, 'rbac/org-roles', { name: 'Operators' })
      await stage.open(`${role}?scope=org`)
      await stage.page.getByPlaceholder(stage.word('rightsFind')).fill('add_commandgroup')
      const right = stage.page
        .locator('.rights .ant-tree-treenode')
        .filter({ has: stage.page.getByTitle('acls.add_commandgroup', { exact: true }) })
      // What it needs is ticked with it, and stays.
      await right.locator('.ant-tree-checkbox').click()
      await right.locator('.ant-tree-checkbox').click()
    },
  },
  {
    name: 'asset-picker-chosen',
    looks: ['desk'],
    asked: { within: '.pick-dialog' },
    async show(stage) {
      const dialog = await chooseAssets(stage)
      await stage.tick(2)
      await dialog.getByRole('combobox', { name: stage.word('filter') }).fill('host-00001')
      await stage.page.keyboard.press('Enter')
      await dialog.locator('.list-body').getByText('host-000010').first().waitFor()
    },
  },
  {
    name: 'asset-picker-node',
    looks: ['phone'],
    asked: { within: '.pick-dialog' },
    async show(stage) {
      const dialog = await chooseAssets(stage)
      const nodes = dialog.getByRole('button', { name: new RegExp(`^${stage.word('nodes')}`) })
      await nodes.click()
      await dialog.getByRole('treeitem').nth(1).locator('[title]').first().click()
      await dialog.getByRole('tree').waitFor({ state: 'hidden' })
      await dialog.locator('.list-body .m-card').first().waitFor()
      await stage.tick(1)
    },
  },
]
