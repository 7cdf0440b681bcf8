import type { AnyRow, Client } from '@castellan/testing/client'
import { type OpenConsole, openConsole } from '@castellan/testing/console'
import { describeWith } from '@castellan/testing/parts'
import type { RunningProduct } from '@castellan/testing/product'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

const patience = { timeout: 20_000, interval: 100 }
const plans = 'accounts/gather-account-automations'
const executions = 'accounts/gather-account-executions'

describeWith(['chromium', 'sshd', 'ssh-keygen'], 'collecting accounts in the console', () => {
  let opened: OpenConsole
  let product: RunningProduct
  let page: Page
  let faults: string[]
  let admin: Client
  let sshd: RealSshd
  let broken: AnyRow

  beforeAll(async () => {
    sshd = await startSshd()
    opened = await openConsole({
      prepare: async (client) => {
        const node = await client.collection('assets/nodes').create({ value: 'Harbour' })
        const host = {
          address: sshd.host,
          platform: 1,
          nodes: [node.id],
          accounts: [{ username: sshd.username, secret_type: 'ssh_key', secret: sshd.privateKey, privileged: true }],
        }
        const hosts = client.collection('assets/hosts')
        await hosts.create({ ...host, name: 'crane', protocols: [{ name: 'ssh', port: sshd.port }] })
        broken = await hosts.create({ ...host, name: 'pilot', protocols: [{ name: 'ssh', port: 1 }] })
      },
    })
    ;({ product, admin, page, faults } = opened)
  })
  afterAll(async () => {
    expect(faults ?? []).toEqual([])
    await opened?.[Symbol.asyncDispose]()
    await sshd?.stop()
  })

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const open = async (path: string) => {
    await page.goto(`${product.url}/ui/#${path}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  }
  /** Presses a button that starts something and opens the log in a window of its own; returns what the log says. */
  async function logOf(press: () => Promise<unknown>): Promise<string> {
    const [log] = await Promise.all([page.context().waitForEvent('page'), press()])
    const lines = log.locator('.xterm-rows')
    await lines.getByText('Done:').waitFor()
    const text = await lines.innerText()
    await log.close()
    return text
  }
  const outcome = (key: string) => page.locator(`[data-share=${key}] b`)

  it('a plan is made by its form, which demands a time where it is to run by itself', async () => {
    await open('/console/accounts/account-gather?activeTab=AccountGatherTaskList')
    await button('Create collection plan').first().click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Every night')
    await page.getByRole('combobox', { name: 'Nodes', exact: true }).click()
    await page.getByTitle('/Default/Harbour').click()
    await page.keyboard.press('Escape')
    await page.getByRole('spinbutton', { name: 'Cycle run (hours)' }).fill('')
    await button('Create').click()
    await page.getByText('Enter a crontab or an interval.').waitFor()
    await page.getByRole('textbox', { name: 'Crontab', exact: true }).fill('0 2 * * *')
    await button('Create').click()
    await page.getByRole('link', { name: 'Every night', exact: true }).first().waitFor()
    const [plan] = await admin.collection<AnyRow>(plans).all()
    expect(plan).toMatchObject({ name: 'Every night', is_periodic: true, crontab: '0 2 * * *' })
    expect(plan?.nodes).toHaveLength(1)
  })

  it('its execution shows what happened to each asset, and does again what failed', async () => {
    await page.getByRole('link', { name: 'Every night', exact: true }).first().click()
    expect(await logOf(() => button('Run now').click())).toContain('Done: 1 succeeded, 1 failed, 0 skipped')
    await page.getByRole('tab', { name: 'Executions' }).click()
    await page.getByText('Partly failed').waitFor()
    const [first] = await admin.collection<AnyRow>(executions).all()
    await open(`/console/accounts/account-gather/executions/${first?.id}`)
    expect([await outcome('success').innerText(), await outcome('failed').innerText()]).toEqual(['1', '1'])
    await page.getByRole('tab', { name: 'Targets' }).click()
    await page.getByText('the connection was refused', { exact: false }).first().waitFor()
    await page.getByRole('tab', { name: 'Log' }).click()
    await page.locator('.embedded-log .xterm-rows').getByText('Done: 1 succeeded').waitFor()

    await admin.collection('assets/hosts').change(broken.id, { protocols: [{ name: 'ssh', port: sshd.port }] })
    expect(await logOf(() => button('Retry failed').click())).toContain('Done: 1 succeeded, 0 failed')
  })

  it('what was found is beside the tree, and becomes accounts where they are missing', async () => {
    await open('/console/accounts/account-gather')
    await page.getByRole('treeitem', { name: /pilot/ }).or(page.getByTitle('Harbour')).first().waitFor()
    const search = page.getByRole('combobox', { name: 'Filter' })
    await search.fill('root')
    await page.keyboard.press('Enter')
    await vi.waitFor(async () => expect(await page.locator('tbody tr[data-row-key]').count()).toBe(2), patience)
    await page.getByRole('checkbox', { name: 'Select all' }).first().check()
    await button('Add to accounts').click()
    await page.getByText('Added the accounts that were missing').waitFor()
    const accounts = await admin
      .collection<{ id: string; source: { value: string } }>('accounts/accounts')
      .all({ username: 'root' })
    expect(accounts.map(({ source }) => source.value)).toEqual(['collected', 'collected'])
  })
})
