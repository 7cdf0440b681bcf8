import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { type Client, registerComponent } from '@castellan/testing/client'
import { type OpenConsole, openConsole } from '@castellan/testing/console'
import { describeWith } from '@castellan/testing/parts'
import { afterAll, beforeAll, expect, it } from 'vitest'

/** Recordings as a component that is no friend of ours may send them. */
describeWith(['chromium'], 'a forged recording', () => {
  let open: OpenConsole
  let component: Client

  beforeAll(async () => {
    open = await openConsole()
    const { url, bootstrapToken } = open.product
    component = await registerComponent(url, bootstrapToken, 'sends what it likes')
  })
  afterAll(() => open?.[Symbol.asyncDispose]())

  const header = (more: object = {}) => JSON.stringify({ version: 2, width: 80, height: 24, ...more })
  const cast = (head: string, ...lines: unknown[]) =>
    [head, ...lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))].join('\n')

  async function watch(recording: string | Buffer): Promise<void> {
    const id = randomUUID()
    const about = { user: 'x', asset: 'x', account: 'x', account_id: randomUUID(), protocol: 'ssh' }
    const date_start = '2026/11/20 00:00:00 +0000'
    await component.request('POST', '/api/v1/terminal/sessions/', {
      ...{ id, ...about, user_id: randomUUID(), asset_id: randomUUID(), date_start, login_from: 'ST' },
      ...{ org_id: '00000000-0000-0000-0000-000000000002', is_finished: true, date_end: date_start },
    })
    const form = new FormData()
    form.set('version', '3')
    form.set('file', new Blob([gzipSync(recording) as Uint8Array<ArrayBuffer>]), `${id}.cast.gz`)
    const path = `/api/v1/terminal/sessions/${id}/replay/`
    const answer = await fetch(open.product.url + path, {
      method: 'POST',
      headers: component.proof('POST', path),
      body: form,
    })
    expect(answer.status).toBe(201)
    await open.page.goto(`${open.product.url}/luna/replay/${id}`)
  }
  const said = (text: string) => open.page.locator('.screen-word, .screen-note').getByText(text).waitFor()
  const refused = 'The recording could not be opened. The file is damaged'
  const partly = 'Parts of this recording could not be read'

  it.each([
    ['a screen that cannot be', cast(header({ width: 100_000, height: 100_000 }), [0, 'o', 'shown'])],
    ['half a column', cast(header({ width: 0.5 }), [0, 'o', 'shown'])],
    ['no header', cast('[]', [0, 'o', 'shown'])],
    ['one line without an end', 'y'.repeat(80_000_000)],
  ])('of %s is refused in a sentence', async (_name, recording) => {
    await watch(recording)
    await said(refused)
    expect(open.faults).toEqual([])
  })

  it.each([
    ['a size that cannot be', [0, 'r', '100000x100000']],
    ['a moment after all others', [1e300, 'o', 'late']],
    ['a moment before the beginning', '[-5,"o","early"]'],
    ['no moment', '[1e999,"o","never"]'],
  ])('with %s is shown without it, and says so', async (_name, line) => {
    await watch(cast(header({ timestamp: 1e300 }), line, [0.1, 'o', 'shown']))
    await said(partly)
    await open.page.locator('.xterm-rows').getByText('shown').waitFor()
    expect(open.faults).toEqual([])
  })

  it('of many years can be looked through', async () => {
    await watch(cast(header(), [0.1, 'o', 'shown'], [300_000_000, 'o', ' late']))
    await open.page.getByRole('slider').press('End')
    await open.page.locator('.xterm-rows').getByText('shown late').waitFor()
    expect(open.faults).toEqual([])
  })
})
