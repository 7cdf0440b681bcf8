import { defaultOrgId } from '@castellan/contract/ids'
import { closeWindows, openWindow, sharedBrowser, signInWindow } from '@castellan/testing/browser'
import { type AnyRow, type Client, confirmed, signIn } from '@castellan/testing/client'
import { makePerson } from '@castellan/testing/granted-host'
import { type MailServer, startMailServer } from '@castellan/testing/mail-server'
import { describeWith } from '@castellan/testing/parts'
import type { RunningProduct } from '@castellan/testing/product'
import { sharedProduct } from '@castellan/testing/shared-product'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

interface Flow extends AnyRow {
  type: { value: string }
  rules: { strategy: { value: string } }[]
}

const password = 'Decides-by-mail-1'
const patience = { timeout: 30_000, interval: 100 }

describeWith('chromium', 'the page that a mail about a ticket opens', () => {
  let product: RunningProduct
  let mail: MailServer
  let admin: Client
  let browser: Browser
  let applicant: Client
  let host: AnyRow
  let usual: Flow | undefined

  beforeAll(async () => {
    ;[product, mail, browser] = await Promise.all([sharedProduct(), startMailServer(), sharedBrowser()])
    admin = await signIn(product.url, 'admin', product.adminPassword)
    const sure = await confirmed(admin, product.adminPassword)
    await sure.request('PATCH', '/api/v1/settings/setting/?category=basic', { SITE_URL: product.url })
    await sure.request('PATCH', '/api/v1/settings/setting/?category=email', mail.settings)
    host = await admin.collection('assets/hosts').create({ name: 'wanted', address: '10.0.0.1', platform: 1 })
    await makePerson(admin, 'applies', password)
    const approver = await makePerson(admin, 'approves', password)
    await makePerson(admin, 'strange', password)
    applicant = await signIn(product.url, 'applies', password)
    const flows = await admin.request<Flow[]>('GET', '/api/v1/tickets/flows/')
    usual = flows.find(({ type }) => type.value === 'apply_asset')
    await decidedBy([{ strategy: 'custom_user', assignees: [approver.id] }])
  })
  /** Sets who decides, in this organization. */
  async function decidedBy(rules: object[]): Promise<void> {
    const [flow] = (await admin.request<Flow[]>('GET', '/api/v1/tickets/flows/')).filter(
      ({ type }) => type.value === 'apply_asset',
    )
    const body = { type: 'apply_asset', approval_level: rules.length, rules }
    await admin.request('PUT', `/api/v1/tickets/flows/${flow?.id}/`, body)
  }
  afterAll(async () => {
    // A flow cannot be deleted, and others share this product.
    await decidedBy(usual?.rules.map(({ strategy }) => ({ strategy: strategy.value })) ?? [])
    if (browser) await closeWindows(browser)
    await mail?.[Symbol.asyncDispose]()
  })

  async function apply(title: string): Promise<{ id: string; link: string }> {
    const { id } = await applicant.request<{ id: string }>('POST', '/api/v1/tickets/apply-asset-tickets/open/', {
      ...{ title, org_id: defaultOrgId, apply_assets: [host.id], apply_nodes: [], apply_accounts: ['@ALL'] },
      apply_actions: ['connect', 'upload', 'download', 'delete'],
      apply_date_start: new Date().toISOString(),
      apply_date_expired: new Date(Date.now() + 3_600_000).toISOString(),
    })
    const asked = await vi.waitFor(() => {
      const found = mail.received.findLast(
        ({ to, text }) => to.includes('approves@example.com') && text.includes(title),
      )
      if (!found) throw new Error('no mail yet')
      return found
    }, patience)
    return { id, link: /href="([^"]+)"/.exec(asked.text)?.[1]?.replaceAll('&amp;', '&') ?? '' }
  }
  const stateOf = async (id: string) =>
    ((await applicant.request<AnyRow>('GET', `/api/v1/tickets/tickets/${id}/`)).state as { value: string }).value
  async function signInOn(page: Page, username: string): Promise<void> {
    await page.getByLabel('Username or email').fill(username)
    await page.locator('input[type=password]').fill(password)
    await page.keyboard.press('Enter')
  }

  it('asks for a sign-in, fits a phone, and approves once', async () => {
    const { id, link } = await apply('from a phone')
    expect(link).toContain('/core/tickets/direct-approve/')
    const { context, page } = await openWindow(browser)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(link)
    await signInOn(page, 'approves')
    await page.getByRole('heading', { name: 'Approve this request?' }).waitFor()
    for (const shown of ['from a phone', 'applies(applies)', 'wanted(10.0.0.1)', '@ALL'])
      await page.getByText(shown, { exact: true }).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('The ticket was approved.').waitFor()
    expect(await stateOf(id)).toBe('approved')
    await admin.request('GET', `/api/v1/perms/asset-permissions/${id}/`)
    await page.goto(link)
    await page.getByText('has been used or has expired').waitFor()
    await context.close()
  })

  it('shows and allows nothing to whom it was forwarded, nor to another site', async () => {
    const { id, link } = await apply('forwarded')
    const { context, page } = await openWindow(browser)
    await page.goto(link)
    await signInOn(page, 'strange')
    await page.getByText('You are not an assignee').waitFor()
    expect(await page.getByText('forwarded').count()).toBe(0)
    const forged = await page.evaluate(
      (address) =>
        fetch(address, { method: 'POST', body: new URLSearchParams({ action: 'approve' }) }).then((a) => a.url),
      link,
    )
    expect(forged).not.toContain('direct-approve')
    const stranger = await signIn(product.url, 'strange', password)
    await stranger.request('POST', new URL(link).pathname, { action: 'approve' }).catch(() => undefined)
    const approver = await signIn(product.url, 'approves', password)
    await approver.request('POST', new URL(link).pathname, { action: 'approve' }).catch(() => undefined)
    expect(await stateOf(id)).toBe('pending')
    await context.close()
    const own = await openWindow(browser)
    await own.page.goto(link)
    await signInOn(own.page, 'approves')
    await own.page.getByRole('button', { name: 'Reject' }).click()
    await own.page.getByText('The ticket was rejected.').waitFor()
    expect(await stateOf(id)).toBe('rejected')
    await own.context.close()
  })

  it('is granted in part in the console', async () => {
    const { id } = await apply('in part')
    const { context, page, faults } = await openWindow(browser)
    await (await signIn(product.url, 'approves', password)).request('PATCH', '/api/v1/users/profile/', {
      is_first_login: false,
    })
    await signInWindow(page, product.url, 'approves', password)
    await page.goto(`${product.url}/ui/#/tickets/tickets/request-host-perm/${id}`)
    await page.getByRole('button', { name: 'Approve in part' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('[data-field=apply_actions]').getByText('Transfer').click()
    await dialog.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByText('Approved', { exact: true }).first().waitFor()
    const granted = await admin.request<AnyRow>('GET', `/api/v1/perms/asset-permissions/${id}/`)
    expect((granted.actions as { value: string }[]).map(({ value }) => value)).toEqual(['connect'])
    expect(faults).toEqual([])
    await context.close()
  })

  it('says that a ticket was decided meanwhile', async () => {
    const { id, link } = await apply('meanwhile')
    const { context, page } = await openWindow(browser)
    await page.goto(link)
    await signInOn(page, 'approves')
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    await applicant.request('PUT', `/api/v1/tickets/tickets/${id}/close/`)
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('already been decided or closed').waitFor()
    expect(await stateOf(id)).toBe('closed')
    await context.close()
  })
})
