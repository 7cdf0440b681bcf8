/** Assets, domains, the cloud, and who may use them. */
import { routes } from '@castellan/contract/routes'
import type { Scene, Stage } from './stage.ts'

/** Opens the explanation of who may do what and why, for a user and an asset. */
async function askForReasons(stage: Stage): Promise<void> {
  await stage.open('/console/assets/assets')
  await stage.page.locator('.list-body .name-cell a').first().click()
  await stage.button('accessWhy').click()
  await stage.dialog().getByRole('combobox').first().click()
  await stage.page.locator('.ant-select-item-option').first().click()
  await stage.page.locator('.access-answer').waitFor()
}

/** Chooses a node in the tree of a list, which folds to a line where there is no room beside the list. */
async function chooseInFolded(stage: Stage): Promise<void> {
  await stage.open('/console/assets/assets')
  const tree = stage.page.locator('aside.tree')
  await tree.getByRole('button', { name: new RegExp(`^${stage.word('nodes')}`) }).click()
  await tree.getByRole('treeitem').nth(1).locator('[title]').first().click()
  await tree.getByRole('tree').waitFor({ state: 'hidden' })
  await stage.button('nodesAll').waitFor()
}

const desk = { width: 1440, height: 900 }

export const assetScenes: readonly Scene[] = [
  {
    name: 'reasons',
    kind: true,
    looks: ['phone'],
    asked: { without: ['region'] },
    show: askForReasons,
  },
  { name: 'findings', show: (stage) => stage.open('/console/perms/asset-permissions?activeTab=PermissionFindings') },
  { name: 'tree-folded', looks: ['laptop', 'phone'], asked: { within: 'aside.tree' }, show: chooseInFolded },
  {
    name: 'tree-folded-tablet',
    looks: ['desk'],
    asked: { within: 'aside.tree' },
    async show(stage) {
      await stage.page.setViewportSize({ width: 800, height: 844 })
      await chooseInFolded(stage)
    },
    after: (stage) => stage.page.setViewportSize(desk),
  },
  {
    name: 'domain-assets',
    looks: ['desk'],
    async show(stage) {
      await stage.open(routes.DomainCreate.path)
      await stage.field('assets').getByRole('combobox').click()
      // No gateway can be chosen.
      await stage
        .dialog()
        .getByRole('combobox', { name: stage.word('filter') })
        .fill('yard-gw-1')
      await stage.page.keyboard.press('Enter')
      await stage.dialog().locator('tbody :disabled').first().waitFor()
    },
  },
  {
    name: 'gateway-of-domain',
    looks: ['desk'],
    async show(stage) {
      const domain = await stage.of(routes.DomainDetail.path, 'assets/domains', { name: 'Yard' })
      await stage.open(`${domain}?activeTab=GatewayList`)
      await stage.button('gatewayCreate').click()
      await stage.field('name').getByRole('textbox').fill('ferry')
      await stage.field('address').getByRole('textbox').fill('127.0.0.1')
      await stage.field('protocols').getByRole('spinbutton').first().fill('2222')
    },
  },
  {
    name: 'gateway-times',
    looks: ['desk'],
    async show(stage) {
      const times = [
        { id: '1', name: 'ferry', milliseconds: 4, is_used: true },
        { id: '2', name: 'detour', milliseconds: 172, is_used: false },
        { id: '3', name: 'sunken', milliseconds: null, is_used: false, reason: 'the connection was refused' },
      ]
      const tested = { address: '127.0.0.1', is_active: true, reason: '', date_tested: new Date().toISOString() }
      await stage.answer(
        '**/gateway-times/',
        times.map((time) => ({ ...tested, ...time })),
      )
      await stage.open(await stage.of(routes.DomainDetail.path, 'assets/domains', { name: 'Yard' }))
      await stage.page.getByText(stage.word('gatewayUsed')).waitFor()
    },
  },
  {
    name: 'cloud-account-again',
    looks: ['desk'],
    async show(stage) {
      const account = await stage.of(routes.AccountUpdate.path, 'xpack/cloud/accounts', { name: 'Cluster' })
      await stage.open(account)
      await stage.field('attrs.api_endpoint').getByRole('textbox').fill('https://127.0.0.1:6444')
      await stage.button('save').click()
      await stage.page.locator('.field.bad').first().waitFor()
    },
  },
  {
    name: 'cloud-strategy',
    looks: ['desk'],
    async show(stage) {
      await stage.open(routes.CloudStrategyCreate.path)
      await stage.field('name').getByRole('textbox').fill('Ships')
      const rules = stage.field('strategy_rules')
      await stage.button('addRow', rules).click()
      await rules.getByRole('radio').nth(0).check()
      await rules.getByRole('textbox').last().fill('ship-')
      const actions = stage.field('strategy_actions')
      const action = (at: number) => actions.locator('.repeat-row').nth(at).getByRole('combobox')
      await stage.pick(rules.getByRole('combobox').first(), /./)
      await stage.button('addRow', actions).click()
      await stage.chooseNode(action(0).last(), '/Default/Imported')
      await stage.button('addRow', actions).click()
      await stage.pick(action(1).first(), /^(Platform|平台|プラットフォーム)$/)
      await stage.pick(action(1).nth(1), /^Unix$/)
      await actions.getByRole('spinbutton').first().fill('2222')
    },
  },
  {
    name: 'sync-task',
    looks: ['desk'],
    async show(stage) {
      await stage.open(routes.SyncInstanceTaskCreate.path)
      await stage.field('name').getByRole('textbox').fill('Fleet')
    },
  },
  {
    name: 'sync-preview',
    looks: ['desk'],
    asked: { without: ['region'] },
    async show(stage) {
      await stage.open(await stage.of(routes.SyncInstanceTaskDetail.path, 'xpack/cloud/sync-instance-tasks'))
      await stage.button('syncPreview').click()
      await stage.dialog().locator('[data-chart=sync-preview]').waitFor()
    },
  },
]
