import { openWindow, signInWindow } from '@castellan/testing/browser'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { type OpenConsole, openConsole } from '@castellan/testing/console'
import { makePerson } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

const password = 'Templates-and-more-1'
const templates = 'accounts/account-templates'

describeWith(['chromium'], 'account templates and virtual accounts in the console', () => {
  let opened: OpenConsole
  let page: Page
  let admin: Client
  let host: AnyRow
  let template: AnyRow

  beforeAll(async () => {
    opened = await openConsole({
      prepare: async (client) => {
        const [platform] = await client.collection('assets/platforms').all({ name: 'Linux' })
        const one = { address: '192.0.2.1', platform: platform?.id, protocols: [{ name: 'ssh', port: 22 }] }
        const accounts = [
          { name: 'entry', username: 'entry', secret_type: 'password', secret: 'Entry-1' },
          { name: 'root', username: 'root', secret_type: 'password', secret: 'Root-1' },
        ]
        host = await client.collection('assets/hosts').create({ ...one, name: 'anvil', accounts })
      },
    })
    ;({ page, admin } = opened)
  })
  afterAll(async () => {
    expect(opened?.faults ?? []).toEqual([])
    await opened?.[Symbol.asyncDispose]()
  })
  beforeEach(() => opened.tidy())

  const visit = async (path: string, where = page) => {
    await opened.visit(`/console/accounts/${path}`, where)
    await where.getByRole('heading', { level: 1 }).first().waitFor()
  }
  const field = (name: string) => page.locator(`fieldset[data-field="${name}"]`)
  const input = (name: string) => field(name).locator('input, textarea').first()
  const button = (name: string, where = page) => where.getByRole('button', { name, exact: true })
  const rows = (where = page) => where.locator('tbody tr[data-row-key]')
  const choose = (name: string, option: string) => field(name).getByText(option, { exact: true }).click()
  const pick = async (name: string, option: string) => {
    await field(name).locator('.ant-select').click()
    await page.locator('.ant-select-item-option').filter({ hasText: option }).click()
  }
  const accountsOf = async () =>
    (await admin.collection<AnyRow>('accounts/accounts').all({ source_id: template.id })).map(
      ({ username, version }) => [username, version],
    )

  it('a template is created by its form, which shows what the secret type allows', async () => {
    await visit('account-template')
    await button('Create account template').first().click()
    await input('name').fill('Deployment')
    await input('username').fill('deploy')
    await field('secret').waitFor()
    await choose('secret_strategy', 'Random generation')
    await field('password_rules').waitFor()
    expect(await field('secret').count()).toBe(0)
    await pick('secret_type', 'Token')
    await field('token').waitFor()
    expect(await field('secret_strategy').count()).toBe(0)
    expect(await field('auto_push').getByRole('switch').isDisabled()).toBe(true)
    await pick('secret_type', 'Password')
    await input('secret').fill('Of-the-template-1')
    await button('Create').click()
    await page.getByRole('link', { name: 'Deployment', exact: true }).first().waitFor()
    const [made] = await admin.collection<AnyRow>(templates).all({ name: 'Deployment' })
    expect(made).toMatchObject({
      username: 'deploy',
      secret_type: { value: 'password' },
      secret_strategy: { value: 'specific' },
    })
    template = made as AnyRow
    const body = { assets: [host.id], template: template.id }
    const [result] = await admin.request<AnyRow[]>('POST', '/api/v1/accounts/accounts/bulk/', body)
    expect(result).toMatchObject({ state: 'created' })
  })

  it('an update keeps the secret and what the form does not show, and leads to the accounts', async () => {
    await admin.collection(templates).change(template.id, { push_params: { push_account_posix: { sudo: '/bin/id' } } })
    await visit(`account-template/${template.id}/update`)
    await input('username').fill('release')
    await button('Save').click()
    await page.getByRole('link', { name: 'Deployment', exact: true }).first().waitFor()
    expect(await admin.collection(templates).get(template.id)).toMatchObject({
      username: 'release',
      push_params: { push_account_posix: { sudo: '/bin/id' } },
    })
    expect(await accountsOf()).toEqual([['deploy', 1]])
    await visit(`account-template/${template.id}/update`)
    await button('Show and synchronize').click()
    await page.waitForURL(/account-template\/[\da-f-]+\?activeTab=Account/)
  })

  it('synchronizing gives the accounts the values of the template', async () => {
    await rows().filter({ hasText: 'anvil' }).waitFor()
    const [log] = await Promise.all([page.context().waitForEvent('page'), button('Synchronize').click()])
    await log.locator('.xterm-rows').getByText('Done: 1 updated, 0 failed').waitFor()
    await log.close()
    expect(await accountsOf()).toEqual([['release', 2]])
  })

  it('a role that may only view templates is offered nothing else', async () => {
    const codes = ['rbac.view_console', 'accounts.view_accounttemplate']
    const permissions = (
      await admin
        .collection<{ id: string; codename: string; content_type: { app_label: string } }>('rbac/permissions')
        .all()
    ).filter(({ codename, content_type }) => codes.includes(`${content_type.app_label}.${codename}`))
    const body = { name: 'of templates', scope: 'org', permissions: permissions.map(({ id }) => id) }
    const role = await admin.collection<AnyRow>('rbac/org-roles').create(body)
    await makePerson(admin, 'viewer', password, { org_roles: [role.id] })
    const viewer = await signIn(opened.product.url, 'viewer', password)
    await viewer.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
    const other = await openWindow(opened.browser)
    await signInWindow(other.page, opened.product.url, 'viewer', password)
    await visit('account-template', other.page)
    await rows(other.page).first().waitFor()
    expect(await button('Create account template', other.page).count()).toBe(0)
    await visit(`account-template/${template.id}`, other.page)
    await other.page.locator('[data-field=username]').first().waitFor()
    for (const name of ['View secret', 'Update', 'Delete'])
      expect([name, await button(name, other.page).count()]).toEqual([name, 0])
    expect(await other.page.locator('[data-tab=Account]').count()).toBe(0)
    expect(await other.page.getByRole('switch').isDisabled()).toBe(true)
    await other.context.close()
  })

  it('the secret of a template is asked for as such, with a confirmation', async () => {
    await visit(`account-template/${template.id}?activeTab=Detail`)
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().includes('-secrets/')),
      button('View secret').click(),
    ])
    expect([new URL(answer.url()).pathname, answer.status()]).toEqual([
      `/api/v1/accounts/account-template-secrets/${template.id}/`,
      412,
    ])
  })

  it('virtual accounts are a tab of the accounts, and only the one of the user can be changed', async () => {
    await visit('virtual-accounts')
    await page.waitForURL(/console\/accounts\/accounts/)
    await visit('accounts?activeTab=VirtualAccountList')
    await rows().nth(2).waitFor()
    expect(
      await rows()
        .getByRole('button', { name: /Actions/ })
        .count(),
    ).toBe(1)
    const [mine] = await admin.collection<AnyRow>('accounts/virtual-accounts').all({ alias: '@USER' })
    await visit(`virtual-accounts/${mine?.id}/update`)
    // The server keeps no passwords of sign-ins until a setting allows it.
    expect(await field('secret_from_login').getByRole('switch').isDisabled()).toBe(true)
    const path = `/api/v1/accounts/virtual-accounts/${mine?.id}/`
    const sent = { id: mine?.id, secret_from_login: false }
    expect(await admin.request('PUT', path, sent)).toMatchObject({ alias: '@USER', secret_from_login: false })
    const [typed] = await admin.collection<AnyRow>('accounts/virtual-accounts').all({ alias: '@INPUT' })
    await visit(`virtual-accounts/${typed?.id}`)
    await page.locator('[data-field=comment]').waitFor()
    expect(await button('Update').count()).toBe(0)
  })

  it('an account is updated on its page, and gets the account it is switched from', async () => {
    const [root] = await admin.collection<AnyRow>('accounts/accounts').all({ asset: host.id, username: 'root' })
    await visit(`accounts/${root?.id}?activeTab=Detail`)
    const section = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Switch from' }) })
    await section.locator('.ant-select').click()
    await page.locator('.ant-select-item-option').filter({ hasText: 'entry(entry)' }).click()
    await section.getByText('entry(entry)').first().waitFor()
    await button('Update').click()
    const dialog = page.getByRole('dialog', { name: 'Update account: root' })
    await dialog.locator('[data-field=su_from]').getByText('entry(entry)').waitFor()
    await dialog.locator('[data-field=name] input').fill('superuser')
    await button('Save').click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('heading', { name: /superuser/ }).waitFor()
    expect(await admin.collection<AnyRow>('accounts/accounts').get(String(root?.id))).toMatchObject({
      name: 'superuser',
      su_from: { name: 'entry' },
      version: 1,
    })
  })
})
