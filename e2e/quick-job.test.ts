import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OpenConsole, openConsole } from '@castellan/testing/console'
import { makeHost, permit } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

const hosts = ['web-1', 'web-2', 'web-3']
const patience = { timeout: 30_000, interval: 100 }

describeWith(['chromium', 'sshd', 'ssh-keygen'], 'a quick job on three hosts', () => {
  let opened: OpenConsole
  let page: Page
  let sshd: RealSshd
  const flag = join(tmpdir(), `castellan-quick-job-${process.pid}`)

  beforeAll(async () => {
    sshd = await startSshd()
    opened = await openConsole({
      prepare: async (admin) => {
        const made = []
        for (const name of hosts) made.push(await makeHost(admin, sshd, name))
        const me = await admin.request<{ id: string; username: string }>('GET', '/api/v1/users/profile/')
        await permit(admin, me as never, made)
      },
    })
    page = opened.page
  })
  afterAll(async () => {
    rmSync(flag, { force: true })
    rmSync(`${flag}.lock`, { recursive: true, force: true })
    await opened?.[Symbol.asyncDispose]()
    await sshd?.stop()
  })

  const block = (name: string) => page.locator(`[data-host="${name}"]`)
  const states = () =>
    page.locator('[data-host]').evaluateAll((all) => all.map((one) => one.getAttribute('data-status')).sort())
  const enter = async (command: string) => {
    await page.locator('[data-field=args] .cm-content').fill(command)
    await page.keyboard.press('Control+Enter')
  }
  const runButton = () => page.getByRole('button', { name: 'Run', exact: true })

  it('says what is missing before it runs', async () => {
    await page.goto(`${opened.product.url}/ui/#/workbench/ops/quick-job`)
    await runButton().click()
    await page.getByText('Choose at least one asset or node in the tree.').waitFor()
  })

  it('streams what each host prints, with its state and exit status', async () => {
    await page.getByRole('checkbox', { name: /Default/ }).click()
    await page.locator('[data-field=runas] input').fill(sshd.username)
    await enter(`printf '\\033[31mred\\033[0m first\\n'; while [ ! -e ${flag} ]; do sleep 0.1; done; echo second`)
    for (const name of hosts) await block(name).getByText('first').waitFor()
    expect(await states()).toEqual(['running', 'running', 'running'])
    expect(await block('web-1').locator('.ansi-red').innerText()).toBe('red')
    expect(await block('web-1').getByText('second').count()).toBe(0)
    writeFileSync(flag, '')
    await expect.poll(states, patience).toEqual(['success', 'success', 'success'])
    for (const name of hosts) {
      await block(name).getByText('second').waitFor()
      await block(name).getByText('exit 0').waitFor()
    }
    expect(await page.locator('.host-grid .square').count()).toBe(3)
  })

  it('repeats a command on the hosts that failed, and on them alone', async () => {
    rmSync(flag, { force: true })
    // All three are one machine: the second to come fails, and works once the flag is there.
    await enter(`mkdir ${flag}.lock 2>/dev/null && exit 0; [ -e ${flag} ] && echo repaired || exit 3`)
    await expect.poll(states, patience).toEqual(['failed', 'failed', 'success'])
    await page.locator('[data-filter=failed]').click()
    await expect.poll(states, patience).toEqual(['failed', 'failed'])
    expect(await page.locator('.host-block .facts', { hasText: 'exit 3' }).count()).toBe(2)
    writeFileSync(flag, '')
    await page.getByRole('button', { name: 'Repeat on 2 failed' }).click()
    await expect.poll(states, patience).toEqual(['success', 'success'])
    expect(await page.locator('.host-text', { hasText: 'repaired' }).count()).toBe(2)
    rmSync(`${flag}.lock`, { recursive: true, force: true })
  })

  it('stops a command that never ends', async () => {
    await enter('while true; do echo tick; sleep 0.2; done')
    await block('web-1').getByText('tick').first().waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await expect.poll(states, patience).toEqual(['canceled', 'canceled', 'canceled'])
    await runButton().waitFor()
  })

  it('shows an execution again after the page is loaded', async () => {
    await page.reload()
    await block('web-1').getByText('tick').first().waitFor()
    await expect.poll(() => page.locator('[data-field=args] .cm-content').innerText()).toContain('echo tick')
    expect(opened.faults).toEqual([])
  })

  it('sends files to all hosts, and fetches one of each', async () => {
    await page.locator('[data-field=kind]').getByText('Send files').click()
    await page.locator('[data-field=files] input[type=file]').setInputFiles({
      ...{ name: 'sent.txt', mimeType: 'text/plain', buffer: Buffer.from('what was sent') },
    })
    const folder = mkdtempSync(join(tmpdir(), 'castellan-quick-files-'))
    chmodSync(folder, 0o777)
    try {
      await page.locator('[data-field=folder] input').fill(folder)
      await page.locator('[data-field=overwrite]').check()
      await runButton().click()
      await expect.poll(states, patience).toEqual(['success', 'success', 'success'])
      await block('web-1').getByText(`${folder}/sent.txt`).waitFor()
      expect(readFileSync(join(folder, 'sent.txt'), 'utf8')).toBe('what was sent')
      await page.locator('[data-field=kind]').getByText('Fetch a file').click()
      await page.locator('[data-field=file] input').fill(join(folder, 'sent.txt'))
      await runButton().click()
      const link = block('web-2').getByText('Save the fetched file')
      await link.waitFor()
      const [saved] = await Promise.all([page.waitForEvent('download'), link.click()])
      expect([saved.suggestedFilename(), readFileSync(await saved.path(), 'utf8')]).toEqual([
        'sent.txt',
        'what was sent',
      ])
      await page.locator('[data-field=kind]').getByText('Command', { exact: true }).click()
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('keeps a command as a template', async () => {
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('menuitem', { name: 'Save as template' }).click()
    await page.locator('.ant-modal [data-field=name] input').fill('Endless ticks')
    await page.locator('.ant-modal button[type=submit]').click()
    const kept = () => opened.admin.collection('ops/adhocs').page({ search: 'Endless ticks' })
    await expect
      .poll(async () => (await kept()).results.map(({ args }) => args))
      .toEqual([expect.stringContaining('echo tick')])
  })
})
