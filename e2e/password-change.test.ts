import { closeWindows, openWindow, sharedBrowser, signInWindow } from '@castellan/testing/browser'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { makePerson } from '@castellan/testing/granted-host'
import { startHangingTarget } from '@castellan/testing/hanging-target'
import { describeWith } from '@castellan/testing/parts'
import { type Product, startProduct } from '@castellan/testing/product'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

const password = 'Watching-plans-1'
const plans = 'accounts/change-secret-automations'
const executions = 'accounts/change-secret-executions'
const phone = { width: 390, height: 844 }

type Person = ReturnType<RealSshd['addAccount']>

describeWith(['chromium', 'sshd', 'ssh-keygen', 'root'], 'changing passwords in the console', () => {
  let product: Product
  let browser: Browser
  let page: Page
  let faults: string[]
  let admin: Client
  let sshd: RealSshd
  let broken: AnyRow
  /** One account for each host. */
  let people: [Person, Person]
  let execution: string

  beforeAll(async () => {
    // Secrets are shown after a second factor only, which is not what this is about.
    const env = { SECURITY_VIEW_AUTH_NEED_MFA: 'false' }
    ;[product, browser, sshd] = await Promise.all([
      startProduct({ env }),
      sharedBrowser(),
      startSshd({ config: ['PermitRootLogin yes'] }),
    ])
    admin = await signIn(product.url, 'admin', product.adminPassword)
    await admin.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
    people = [sshd.addAccount(), sshd.addAccount()]
    const root = { username: 'root', secret_type: 'ssh_key', secret: sshd.privateKey, privileged: true }
    const makeHost = (name: string, port: number, person: Person) =>
      admin.collection('assets/hosts').create({
        name,
        address: sshd.host,
        platform: 1,
        protocols: [{ name: 'ssh', port }],
        accounts: [root, { username: person.username, secret_type: 'password', secret: person.password }],
      })
    await makeHost('crane', sshd.port, people[0])
    broken = await makeHost('pilot', 1, people[1])
    ;({ page, faults } = await openWindow(browser, { newcomer: false }))
    page.setDefaultTimeout(15_000)
    await signInWindow(page, product.url, 'admin', product.adminPassword)
  })
  afterAll(async () => {
    expect(faults ?? []).toEqual([])
    if (browser) await closeWindows(browser)
    await product?.stop()
    await sshd?.stop()
  })

  const button = (name: string, where = page) => where.getByRole('button', { name, exact: true })
  const field = (name: string) => page.locator(`fieldset[data-field="${name}"]`)
  const rows = (where = page) => where.locator('tbody tr[data-row-key]')
  const share = (key: string) => page.locator(`[data-share=${key}] b`)
  const open = async (path: string, where = page) => {
    await where.goto('about:blank')
    await where.goto(`${product.url}/ui/#/console/accounts/account-change-secret${path}`)
    await where.getByRole('heading', { level: 1 }).first().waitFor()
  }
  /** Presses a button that starts something and opens the log in a window of its own; returns what the log says. */
  async function logOf(press: () => Promise<unknown>, last = 'Done:'): Promise<string> {
    const [log] = await Promise.all([page.context().waitForEvent('page'), press()])
    const lines = log.locator('.xterm-rows')
    await lines.getByText(last).waitFor()
    await log.getByText('Finished', { exact: true }).waitFor()
    const text = await lines.innerText()
    await log.close()
    return text
  }
  const inMenu = async (row: string, action: string) => {
    await rows()
      .filter({ hasText: row })
      .getByRole('button', { name: /Actions/ })
      .click()
    await page.getByRole('menuitem', { name: action }).click()
  }

  it('a plan is made by its form, which shows what the strategy and the type of secret need', async () => {
    await open('')
    await button('Create password change plan').first().click()
    await field('name').locator('input').fill('Every quarter')
    for (const { username } of people) {
      await field('accounts').locator('input').fill(`${username},`)
      await field('accounts').getByText(username, { exact: true }).waitFor()
    }
    await field('nodes').locator('.ant-select').click()
    await page.getByTitle('/Default', { exact: true }).click()
    await page.keyboard.press('Escape')
    await field('secret').waitFor()
    await button('Create').click()
    await field('secret').getByRole('alert').waitFor()
    await field('secret_type').getByText('SSH key').click()
    await field('ssh_key').waitFor()
    await field('ssh_key_change_strategy').waitFor()
    expect(await field('secret').count()).toBe(0)
    await field('secret_type').getByText('Password').click()
    await field('secret_strategy').getByText('Random generation').click()
    await field('password_rules').getByText('30', { exact: false }).waitFor()
    expect(await field('secret').count()).toBe(0)
    await field('params').getByRole('button').click()
    const params = page.getByRole('dialog')
    await params.locator('[data-field="change_secret_posix.groups"] input').fill('users')
    await params.getByRole('button', { name: 'Apply' }).click()
    await field('is_periodic').getByRole('switch').click()
    await button('Create').click()
    await page.getByRole('link', { name: 'Every quarter', exact: true }).first().waitFor()
    const [plan] = await admin.collection<AnyRow>(plans).all()
    expect(plan).toMatchObject({
      accounts: people.map(({ username }) => username),
      secret_strategy: { value: 'random' },
      secret_type: { value: 'password' },
      password_rules: { length: 30 },
      params: { change_secret_posix: { groups: 'users' } },
      is_periodic: false,
    })
  })

  it('its execution says which accounts have a new password, and why the others do not', async () => {
    await page.getByRole('link', { name: 'Every quarter', exact: true }).first().click()
    const log = await logOf(() => button('Run now').click())
    expect(log).toContain('Done: 1 succeeded, 1 failed, 0 skipped')
    ;[execution = ''] = (await admin.collection<AnyRow>(executions).all()).map(({ id }) => String(id))
    await open(`/executions/${execution}`)
    expect([await share('success').innerText(), await share('failed').innerText()]).toEqual(['1', '1'])
    await page.getByRole('tab', { name: 'Accounts' }).click()
    const failed = rows().filter({ hasText: 'pilot' })
    await failed.getByText('the connection was refused', { exact: false }).waitFor()
    await rows().filter({ hasText: 'crane' }).getByText('Succeeded').waitFor()
  })

  it('a record that failed is done again, and shows its passwords to those who may see them', async () => {
    await admin.collection('assets/hosts').change(broken.id, { protocols: [{ name: 'ssh', port: sshd.port }] })
    await logOf(() => inMenu('pilot', 'Retry'), 'OK, the new secret works')
    await rows().filter({ hasText: 'pilot' }).getByText('Succeeded').waitFor()
    await inMenu('pilot', 'View secret')
    const dialog = page.getByRole('dialog')
    const secretOf = async (name: string) => {
      await dialog.locator(`[data-field=${name}]`).getByRole('button', { name: 'Show' }).click()
      return dialog.locator(`[data-field=${name}] code`).innerText()
    }
    const made = await secretOf('new_secret')
    expect(made).toHaveLength(30)
    expect(await secretOf('old_secret')).toBe(people[1].password)
    const { username } = people[1]
    const [stored] = await admin.collection<AnyRow>('accounts/account-secrets').all({ username })
    expect(stored?.secret).toBe(made)
  })

  it('an execution that waits for a target is stopped, and says what it did not do', async () => {
    await using mute = await startHangingTarget('greeting')
    const accounts = ['one', 'two'].map((username) => ({ username, secret_type: 'password', secret: 'Before-1' }))
    const host = await admin.collection('assets/hosts').create({
      name: 'mute',
      address: '127.0.0.1',
      platform: 1,
      protocols: [{ name: 'ssh', port: mute.port }],
      accounts: [{ username: 'root', secret_type: 'password', secret: 'any', privileged: true }, ...accounts],
    })
    const plan = await admin.collection<AnyRow>(plans).create({
      name: 'Never ends',
      is_periodic: false,
      secret_type: 'password',
      secret_strategy: 'random',
      password_rules: { length: 20 },
      assets: [host.id],
      accounts: ['one', 'two'],
    })
    const { task } = await admin.request<{ task: string }>('POST', `/api/v1/${executions}/`, { automation: plan.id })
    await open(`/executions/${task}?activeTab=Detail`)
    await share('remaining').waitFor()
    await button('Stop').click()
    await page.getByRole('dialog', { name: 'Stop execution' }).getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped', { exact: true }).first().waitFor()
    expect(await button('Stop').count(), 'it has ended').toBe(0)
    expect([await share('success').innerText(), await share('canceled').innerText()]).toEqual(['0', '2'])
    await page.getByRole('tab', { name: 'Targets' }).click()
    await rows().getByText('Stopped').nth(1).waitFor()
    const secrets = await admin.collection<AnyRow>('accounts/account-secrets').all({ asset: String(host.id) })
    for (const username of ['one', 'two'])
      expect(secrets.find((row) => row.username === username)?.secret, 'nothing was changed').toBe('Before-1')
    const records = await admin.collection<AnyRow>('accounts/change-secret-records').all({ execution_id: task })
    expect(
      records.filter(({ in_doubt }) => in_doubt),
      'nothing was sent, so nothing is in doubt',
    ).toEqual([])
    await button('Retry failed').waitFor()
  })

  it('an auditor of plans sees them on a phone, and can start, stop or reveal nothing', async () => {
    const codes = [
      'rbac.view_console',
      'accounts.view_changesecretautomation',
      'accounts.view_changesecretexecution',
      'accounts.view_changesecretrecord',
    ]
    const all = await admin
      .collection<{ id: string; codename: string; content_type: { app_label: string } }>('rbac/permissions')
      .all()
    const permissions = all.filter(({ codename, content_type }) =>
      codes.includes(`${content_type.app_label}.${codename}`),
    )
    const role = { name: 'of plans', scope: 'org', permissions: permissions.map(({ id }) => id) }
    const { id } = await admin.collection<AnyRow>('rbac/org-roles').create(role)
    await makePerson(admin, 'viewer', password, { org_roles: [id] })
    const viewer = await signIn(product.url, 'viewer', password)
    await viewer.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
    const other = await openWindow(browser, phone)
    await signInWindow(other.page, product.url, 'viewer', password)
    await open(`/executions/${execution}?activeTab=ExecutionRecords`, other.page)
    await other.page.getByText('Succeeded', { exact: true }).first().waitFor()
    expect(await other.page.getByRole('button', { name: /Actions/ }).count()).toBe(0)
    for (const name of ['Retry failed', 'Stop']) expect(await button(name, other.page).count()).toBe(0)
    await open('?activeTab=AccountChangeSecretList', other.page)
    await other.page.getByText('Every quarter').waitFor()
    for (const name of ['Create password change plan', 'Run now'])
      expect(await button(name, other.page).count()).toBe(0)
    expect(other.faults).toEqual([])
    await other.context.close()
  })
})
