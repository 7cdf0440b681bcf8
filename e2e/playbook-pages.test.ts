import { type OpenConsole, openConsole } from '@castellan/testing/console'
import { makeHost, permit } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

const patience = { timeout: 25_000, interval: 200 }

describeWith(['chromium', 'sshd', 'ssh-keygen', 'ssh', 'ansible', 'root', 'mount'], 'a playbook on its pages', () => {
  let opened: OpenConsole
  let page: Page
  let sshd: RealSshd
  let id: string
  const api = '/api/v1/ops/'

  beforeAll(async () => {
    sshd = await startSshd()
    const made: { id: string }[] = []
    opened = await openConsole({
      prepare: async (admin) => {
        const host = await makeHost(admin, sshd, 'played')
        made.push(host as never)
        const me = await admin.request<{ id: string; username: string }>('GET', '/api/v1/users/profile/')
        await permit(admin, me as never, [host])
      },
    })
    page = opened.page
    const { admin } = opened
    id = (await admin.request<{ id: string }>('POST', `${api}playbooks/`, { name: 'greeting' })).id
    await admin.request('POST', `${api}jobs/`, {
      ...{ name: 'greet', type: 'playbook', playbook: id, assets: made.map((host) => host.id), runas: sshd.username },
      ...{ runas_policy: 'skip', is_periodic: false, timeout: -1 },
    })
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
    await sshd?.stop()
  })

  it('says what is wrong with its files, and saves no file that is no YAML', async () => {
    await page.goto(`${opened.product.url}/ui/#/workbench/ops/playbook/${id}`)
    await page.locator('.playbook-problems').getByText('main.yml').waitFor()
    await page.locator('[data-tab=Workspace]').click()
    const editor = page.locator('.workspace .cm-content')
    await editor.fill('- hosts: all\n  tasks: [')
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .getByText(/Line \d+ is no valid YAML/)
      .first()
      .waitFor()
    const greeting =
      '- hosts: all\n  gather_facts: false\n  tasks:\n    - name: greet the host\n      command: echo good day\n'
    await editor.fill(greeting)
    await page.getByRole('button', { name: 'Save' }).click()
    const stored = () => opened.admin.request<{ content: string }>('GET', `${api}playbook/${id}/file/?key=main.yml`)
    await expect.poll(async () => (await stored()).content, patience).toBe(greeting)
    // The page asks before it is left as long as it does not know that the file is stored.
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).isDisabled(), patience).toBe(true)
  })

  it('from a private Git repository takes a key, and shows that there is one', async () => {
    const { id: fromGit } = await opened.admin.request<{ id: string }>('POST', `${api}playbooks/`, {
      ...{ name: 'from git', create_method: 'vcs', vcs_url: 'git@git.example.invalid:team/site.git' },
    })
    await page.goto(`${opened.product.url}/ui/#/workbench/ops/playbook/${fromGit}`)
    // The page of another playbook was left on its files.
    await page.getByRole('tab', { name: 'Overview' }).click()
    const section = page.locator('[data-part=repository-access]')
    await section.getByText('No key').waitFor()
    await section.getByRole('button', { name: 'Change access' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('textarea').fill('no key')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.locator('[data-field=key]').getByText('This is no RSA, ECDSA or Ed25519 private key').waitFor()
    expect(await page.getByText('Bad request').count()).toBe(0)
    await dialog.locator('textarea').fill(sshd.privateKey)
    // Without an answer nothing is stored, and the dialog stays with what was entered.
    await page.route('**/vcs-access/', (route) => route.abort(), { times: 1 })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('The server cannot be reached').waitFor()
    expect(opened.faults).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await section.getByText('SSH private key').waitFor()
    await section.getByText('Pinned when the repository is first read').waitFor()
    const stored = await opened.admin.request('GET', `${api}playbooks/${fromGit}/vcs-access/`)
    expect(stored).toMatchObject({ method: 'ssh_key', has_secret: true })
  })

  it('runs from the page of its job, and shows each task of each host', async () => {
    await page.goto(`${opened.product.url}/ui/#/workbench/ops/job`)
    await page.getByRole('link', { name: 'greet', exact: true }).click()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const host = page.locator('[data-host=played]')
    await expect.poll(() => host.getAttribute('data-status'), patience).toBe('success')
    await host.getByText('changed: greet the host').waitFor()
    await host.getByText('good day').waitFor()
    expect(opened.faults).toEqual([])
  })

  it('shows what the worker noted of it: commands and files, to its owner and to auditors', async () => {
    const { results } = await opened.admin.request<{ results: { id: string }[] }>(
      'GET',
      `${api}job-executions/?limit=1&offset=0`,
    )
    const evidence = page.locator('.evidence')
    const shown = async () => {
      await evidence.getByText('Commands carried to hosts').waitFor()
      await evidence.locator('summary', { hasText: 'exit 0' }).first().waitFor()
      await evidence.locator('summary', { hasText: 'main.yml' }).click()
      await evidence.getByText('greet the host').waitFor()
    }
    await page.goto(`${opened.product.url}/ui/#/workbench/ops/executions/${results[0]?.id}`)
    await shown()
    await page.goto(`${opened.product.url}/ui/#/audit/audits/job-execution-log`)
    await page.locator('.evidence').waitFor({ state: 'detached' })
    await page.locator('button.dots').first().click()
    await page.getByRole('menuitem', { name: 'Evidence' }).click()
    await shown()
    expect(opened.faults).toEqual([])
  })
})
