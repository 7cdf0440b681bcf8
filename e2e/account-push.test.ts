import { execFileSync } from 'node:child_process'
import type { AnyRow, Client } from '@castellan/testing/client'
import { type OpenConsole, openConsole } from '@castellan/testing/console'
import { describeWith } from '@castellan/testing/parts'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

const patience = { timeout: 20_000, interval: 100 }

describeWith(['chromium', 'sshd', 'ssh-keygen', 'root'], 'pushing accounts in the console', () => {
  let opened: OpenConsole
  let page: Page
  let admin: Client
  let sshd: RealSshd
  let host: AnyRow
  let username: string

  beforeAll(async () => {
    sshd = await startSshd({ config: ['PermitRootLogin yes'] })
    ;({ username } = sshd.addAccount())
    execFileSync('userdel', ['-rf', username], { stdio: 'ignore' })
    opened = await openConsole({
      prepare: async (client) => {
        host = await client.collection('assets/hosts').create({
          name: 'crane',
          address: sshd.host,
          platform: 1,
          protocols: [{ name: 'ssh', port: sshd.port }],
          accounts: [{ username: 'root', secret_type: 'ssh_key', secret: sshd.privateKey, privileged: true }],
        })
      },
    })
    ;({ page, admin } = opened)
  })
  afterAll(async () => {
    expect(opened?.faults ?? []).toEqual([])
    await opened?.[Symbol.asyncDispose]()
    await sshd?.stop()
  })

  const visit = async (path: string) => {
    await opened.visit(`/console/${path}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  }
  const action = (name: string) => page.locator('.row.quick').filter({ hasText: name }).getByRole('button')
  async function logOf(press: () => Promise<unknown>, last: string): Promise<void> {
    const [log] = await Promise.all([page.context().waitForEvent('page'), press()])
    await log.locator('.xterm-rows').getByText(last).waitFor()
    await log.getByText('Finished', { exact: true }).waitFor()
    await log.close()
  }
  const accounts = () => admin.collection<AnyRow>('accounts/accounts').all({ asset: host.id, username })
  /** What the machine says about the account, or nothing. */
  const onMachine = () => {
    try {
      return execFileSync('getent', ['passwd', username], { encoding: 'utf8' })
    } catch {
      return ''
    }
  }

  it('an account is added with its asset, and set up there with the parameters of the method', async () => {
    await visit(`assets/assets/${host.id}?activeTab=Account`)
    await page.getByRole('button', { name: 'Add account' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add account' })
    await dialog.getByRole('textbox', { name: 'Username' }).fill(username)
    await dialog.getByLabel('Secret', { exact: true }).last().fill('Pushed-Secret-1')
    await dialog.locator('[data-group=other] .fold').click()
    expect(await dialog.locator('[data-field=params]').count()).toBe(0)
    await dialog.locator('[data-field=push_now]').getByRole('switch').click()
    await dialog.locator('[data-field=params]').getByRole('button').click()
    const params = page.getByRole('dialog', { name: /Settings/ })
    await params.locator('[data-field="push_account_posix.shell"] input').fill('/bin/sh')
    await params.getByRole('button', { name: 'Apply' }).click()
    await dialog.getByRole('button', { name: 'Add account' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await vi.waitFor(async () => expect(await accounts()).toMatchObject([{ connectivity: { value: 'ok' } }]), patience)
    expect(onMachine()).toMatch(/:\/bin\/sh$/m)
  })

  it('it is removed from its asset after a confirmation, and pushed there again', async () => {
    const [account] = await accounts()
    await visit(`accounts/accounts/${account?.id}?activeTab=Detail`)
    const question = page.getByRole('dialog', { name: 'Remove from asset' })
    await action('Remove from asset').click()
    await question.getByRole('button', { name: 'Remove from asset' }).waitFor()
    await logOf(() => question.getByRole('button', { name: 'Remove from asset' }).click(), 'removed from the asset')
    expect(onMachine()).toBe('')
    expect(await accounts()).toHaveLength(1)

    await action('Push account').click()
    const params = page.getByRole('dialog', { name: /Settings/ })
    await params.locator('[data-field="push_account_posix.shell"] input').fill('/bin/bash')
    await logOf(() => params.getByRole('button', { name: 'Push' }).click(), 'the new secret works')
    expect(onMachine()).toMatch(/:\/bin\/bash$/m)
  })

  it('an account in the form of a new asset is set up there when the asset is saved', async () => {
    execFileSync('userdel', ['-rf', username], { stdio: 'ignore' })
    const root = { name: 'root of all', username: 'root', secret_type: 'ssh_key', privileged: true }
    await admin.collection('accounts/account-templates').create({ ...root, secret: sshd.privateKey })
    await visit('assets/hosts/create?platform=1')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('derrick')
    await page.getByRole('textbox', { name: 'Address', exact: true }).fill(sshd.host)
    await page.getByRole('spinbutton', { name: 'Port of ssh' }).fill(String(sshd.port))
    await page.getByRole('button', { name: 'From template' }).click()
    const templates = page.getByRole('dialog', { name: 'Account templates' })
    await templates.getByText('root of all').click()
    await templates.getByRole('button', { name: 'Confirm (1)' }).click()
    await page.getByRole('button', { name: 'Add account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add account' })
    await dialog.getByRole('textbox', { name: 'Username' }).fill(username)
    await dialog.getByLabel('Secret', { exact: true }).last().fill('Pushed-Secret-3')
    await dialog.locator('[data-field=push_now]').getByRole('switch').click()
    await dialog.locator('[data-field=params]').getByRole('button').click()
    const params = page.getByRole('dialog', { name: /Settings/ })
    await params.locator('[data-field="push_account_posix.shell"] input').fill('/bin/dash')
    await params.getByRole('button', { name: 'Apply' }).click()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('pushed when saved', { exact: false }).waitFor()
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.method() === 'POST' && request.url().includes('/assets/hosts/')),
      page.getByRole('button', { name: 'Create', exact: true }).click(),
    ])
    expect(sent.postDataJSON().accounts).toContainEqual(
      expect.objectContaining({
        username,
        push_now: true,
        params: { push_account_posix: expect.objectContaining({ shell: '/bin/dash' }) },
      }),
    )
    await page.waitForURL(/assets\/assets/)
    await vi.waitFor(() => expect(onMachine()).toMatch(/:\/bin\/dash$/m), patience)
    const [made] = await admin.collection<AnyRow>('assets/hosts').all({ name: 'derrick' })
    const found = () => admin.collection<AnyRow>('accounts/accounts').all({ asset: String(made?.id), username })
    await vi.waitFor(async () => expect(await found()).toMatchObject([{ connectivity: { value: 'ok' } }]), patience)
  })

  it('many assets get one account, and the dialog says what each of them got', async () => {
    await visit('accounts/accounts?activeTab=AccountList')
    await page.getByRole('button', { name: 'Add account' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add account' })
    await dialog.getByRole('combobox', { name: 'Assets' }).click()
    const picker = page.getByRole('dialog', { name: 'Assets' })
    await picker.getByRole('row', { name: /crane/ }).getByRole('checkbox').check()
    await picker.getByRole('button', { name: 'Confirm (1)' }).click()
    await dialog.getByRole('textbox', { name: 'Username', exact: true }).fill(username)
    await dialog.getByRole('textbox', { name: 'Switch from (username)' }).waitFor()
    await dialog.getByLabel('Secret', { exact: true }).last().fill('Pushed-Secret-2')
    await dialog.locator('[data-group=other] .fold').click()
    await dialog.locator('[data-field=push_now]').getByRole('switch').waitFor()
    await dialog.getByRole('button', { name: 'Add account' }).click()
    const results = page.getByRole('dialog', { name: 'Results' })
    await results.getByText('crane', { exact: false }).waitFor()
    await results.getByText('Failed', { exact: true }).first().waitFor()
  })
})
