/** Accounts: their secrets, plans, templates, and how they are set up on assets. */
import { routes } from '@castellan/contract/routes'
import type { Scene, Stage } from './stage.ts'

/** Fills in a new account that is pushed at once, and opens the settings of the method. */
async function pushNow(stage: Stage): Promise<void> {
  const dialog = stage.page.getByRole('dialog', { name: stage.word('accountAdd') })
  await stage.field('username', dialog).getByRole('textbox').fill('deploy')
  await dialog.locator('[data-group=secret] input[type=password]').first().fill('Pushed-Secret-1')
  if (await dialog.locator('[data-group=other] .fold').isVisible())
    await dialog.locator('[data-group=other] .fold').click()
  await stage.field('push_now', dialog).getByRole('switch').click()
  await stage.field('params', dialog).getByRole('button').click()
  await stage.field('push_account_posix.shell').locator('input').fill('/bin/sh')
}

/** The accounts of an execution: one has its new secret, the others could not be reached. */
async function openRecords(stage: Stage): Promise<void> {
  await stage.answer('**/change-secret-records/?*limit=*', ({ results, ...page }: { results: object[] }) => ({
    ...page,
    results: results.map((row, at) => (at === 0 ? { ...row, is_success: true, error: '', status: 'success' } : row)),
  }))
  const execution = await stage.of(routes.AccountChangeSecretExecutionDetail.path, 'accounts/change-secret-executions')
  await stage.open(`${execution}?activeTab=ExecutionRecords`)
  await stage.page.getByText(stage.word('outcomeSuccess'), { exact: true }).first().waitFor()
}

const secrets = '**/api/v1/accounts/account-secrets/**'

export const accountScenes: readonly Scene[] = [
  {
    name: 'secret-earlier',
    looks: ['desk'],
    async show(stage) {
      const account = await stage.first('accounts/accounts', { username: 'deploy' })
      const earlier = [{ id: 1, version: 1, secret: 'First-1', history_date: account.date_created }]
      await stage.answer(secrets, { ...account, secret: 'Second-2' })
      await stage.answer('**/histories/', earlier)
      await stage.answer('**/histories/?*', { count: 1, results: earlier, next: null, previous: null })
      await stage.open(routes.AssetAccountDetail.path.replace(':id', account.id))
      await stage.button('secretView').click()
      await stage.field('histories', stage.dialog()).getByRole('button').click()
      await stage.button('show', stage.dialog().locator('[data-version]').first()).click()
      await stage.page.getByText('First-1', { exact: true }).waitFor()
    },
  },
  {
    name: 'change-secret-form',
    looks: ['desk'],
    async show(stage) {
      await stage.open(routes.AccountChangeSecretCreate.path)
      await stage.field('name').locator('input').fill('Every quarter')
      await stage.field('accounts').locator('input').fill('deploy,')
      await stage.chooseNode(stage.field('nodes').locator('.ant-select'), '/Default')
      await stage.page.keyboard.press('Escape')
      await stage.button('create').click()
      await stage.field('secret').getByRole('alert').waitFor()
      await stage.field('secret_strategy').getByRole('radio').nth(1).check()
      await stage.field('password_rules').waitFor()
      await stage.field('params').getByRole('button').click()
      await stage.field('change_secret_posix.groups').locator('input').fill('users')
      await stage.button('apply', stage.dialog()).click()
      await stage.field('change_secret_posix.groups').waitFor({ state: 'hidden' })
      await stage.field('is_periodic').getByRole('switch').click()
    },
  },
  {
    name: 'change-secret-records',
    looks: ['desk'],
    show: openRecords,
  },
  {
    name: 'change-secret-record',
    looks: ['desk'],
    async show(stage) {
      await stage.answer('**/change-secret-records/*/secret/', { new_secret: 'Second-2', old_secret: 'First-1' })
      await openRecords(stage)
      await stage.choose('secretView')
      for (const name of ['new_secret', 'old_secret'])
        await stage.button('show', stage.field(name, stage.dialog())).click()
      await stage.dialog().getByText('Second-2').waitFor()
    },
  },
  {
    name: 'execution-partly',
    looks: ['desk'],
    async show(stage) {
      const execution = await stage.first('accounts/gather-account-executions')
      await stage.answer(`**/gather-account-executions/${execution.id}/`, (row: { summary: object }) => ({
        ...row,
        summary: { ...row.summary, success: 1 },
      }))
      await stage.open(routes.AccountGatherExecutionDetail.path.replace(':id', execution.id))
      await stage.page.locator('[data-share=success]').waitFor()
    },
  },
  {
    name: 'execution-log',
    looks: ['desk'],
    async show(stage) {
      const path = routes.AccountGatherExecutionDetail.path
      await stage.open(await stage.of(path, 'accounts/gather-account-executions'))
      await stage.page.getByRole('tab', { name: stage.word('executionLog') }).click()
      await stage.page.locator('.embedded-log .xterm-rows').getByText('Done:').waitFor()
    },
  },
  {
    name: 'template-form',
    looks: ['desk'],
    async show(stage) {
      await stage.open(routes.AccountTemplateCreate.path)
      await stage.field('name').locator('input').fill('Deployment')
      await stage.field('username').locator('input').fill('deploy')
      await stage.field('secret_strategy').getByRole('radio').nth(1).check()
      await stage.field('password_rules').waitFor()
      const type = stage.field('secret_type').locator('.ant-select')
      await stage.pick(type, /Token|トークン/)
      await stage.field('token').waitFor()
      await stage.pick(type, /Password|密码|パスワード/)
      await stage.field('secret').waitFor()
    },
  },
  {
    name: 'account-pushed',
    looks: ['desk'],
    async show(stage) {
      const host = await stage.of(routes.AssetDetail.path, 'assets/hosts', { name: 'unreachable' })
      await stage.open(`${host}?activeTab=Account`)
      await stage.button('accountAdd').click()
      await pushNow(stage)
    },
  },
  {
    name: 'account-pushed-later',
    looks: ['desk'],
    async show(stage) {
      await stage.open(`${routes.HostCreate.path}?platform=1`)
      await stage.field('name').getByRole('textbox').fill('derrick')
      await stage.button('accountAdd').click()
      await pushNow(stage)
      await stage.button('apply', stage.dialog()).click()
      await stage.field('push_account_posix.shell').waitFor({ state: 'hidden' })
    },
  },
  {
    name: 'account-results',
    looks: ['desk'],
    async show(stage) {
      await stage.open('/console/accounts/accounts?activeTab=AccountList')
      await stage.button('accountAdd').click()
      const dialog = stage.page.getByRole('dialog', { name: stage.word('accountAdd') })
      await stage.field('assets', dialog).getByRole('combobox').click()
      const picker = stage.page.locator('.pick-dialog')
      await picker.getByRole('combobox', { name: stage.word('filter') }).fill('unreachable')
      await stage.page.keyboard.press('Enter')
      await picker
        .getByRole('row', { name: /unreachable/ })
        .getByRole('checkbox')
        .check()
      await picker.locator('.ant-modal-footer .ant-btn-primary').click()
      await stage.field('username', dialog).getByRole('textbox').fill('deploy')
      await dialog.locator('[data-group=secret] input[type=password]').first().fill('Pushed-Secret-2')
      await dialog.locator('[data-group=other] .fold').click()
      await stage.field('push_now', dialog).getByRole('switch').waitFor()
      // What describes the form is at the same address.
      await stage.answer('**/api/v1/accounts/accounts/bulk/', [
        { asset: 'crane(127.0.0.1)', state: 'created', error: '' },
        { asset: 'pilot(127.0.0.1)', state: 'error', error: 'Account already exists' },
      ])
      await stage.button('accountAdd', dialog).click()
      await stage.page
        .getByRole('dialog', { name: stage.word('outcomes') })
        .getByText('pilot')
        .waitFor()
    },
  },
]
