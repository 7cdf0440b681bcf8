import { randomBytes } from 'node:crypto'
import { closeWindows, openWindow, sharedBrowser, signInWindow } from '@castellan/testing/browser'
import { type AnyRow, signIn } from '@castellan/testing/client'
import { makeHost, makePerson, permit } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import type { RunningProduct } from '@castellan/testing/product'
import { sharedProduct } from '@castellan/testing/shared-product'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import type { Browser, Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

const password = 'Frames-in-pages-42!'
const patience = { timeout: 20_000, interval: 100 }

describeWith(['chromium', 'sshd', 'ssh-keygen'], 'a connection in a frame of another terminal application', () => {
  let product: RunningProduct
  let target: RealSshd
  let browser: Browser
  let host: AnyRow
  let page: Page
  const name = `fran-${randomBytes(3).toString('hex')}`

  beforeAll(async () => {
    ;[product, target] = await Promise.all([sharedProduct(), startSshd()])
    browser = await sharedBrowser()
    const admin = await signIn(product.url, 'admin', product.adminPassword)
    host = await makeHost(admin, target, `${name}-host`)
    await permit(admin, await makePerson(admin, name, password), [host])
    page = (await openWindow(browser)).page
    await signInWindow(page, product.url, name, password)
    // A page of the same address that is none of ours, as another application behind the same proxy is.
    await page.route('**/other-application/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<script>
          heard = []
          addEventListener('message', ({ data, source }) => heard.push({ ...data, from: source.name }))
          say = (message, frame) => frames[frame ?? 'session'].postMessage(message, '*')
        </script>`,
      }),
    )
  })
  afterAll(async () => {
    if (browser) await closeWindows(browser)
    await target?.stop()
  })

  const tokenFor = async (more: object = {}): Promise<string> => {
    const user = await signIn(product.url, name, password)
    const wanted = { asset: host.id, account: 'person', protocol: 'ssh', connect_method: 'web_cli', ...more }
    const token = await user.request<AnyRow>('POST', '/api/v1/authentication/connection-token/', wanted)
    return `${token.id}`
  }
  /** Shows an address in a frame. */
  async function framed(path: string): Promise<Frame> {
    await page.goto(`${product.url}/other-application/`)
    await page.evaluate(
      `document.body.innerHTML = '<iframe name="session" width="1200" height="700" src="${path}"></iframe><iframe name="sibling"></iframe>'`,
    )
    return vi.waitFor(() => {
      const frame = page.frame('session')
      expect(frame?.url()).toContain('/luna/')
      return frame as Frame
    }, patience)
  }
  const heard = () => page.evaluate<{ name: string; id: string; from: string }[]>('heard')
  const say = (message: object) => page.evaluate(`say(${JSON.stringify(message)})`)
  const hears = (message: object) =>
    vi.waitFor(async () => expect(await heard()).toContainEqual(expect.objectContaining(message)), patience)
  const shows = (frame: Frame, text: string | RegExp) =>
    vi.waitFor(async () => expect(await frame.locator('.xterm-rows').innerText()).toMatch(text), patience)

  it('answers its page, types what that sends, and tells of the beginning and the end', async () => {
    const frame = await framed(`/koko/connect/?disableautohash=&token=${await tokenFor()}`)
    await vi.waitFor(async () => {
      await say({ name: 'PING', id: 'tab-7' })
      expect(await heard()).toContainEqual({ name: 'PONG', id: 'tab-7', from: 'session' })
    }, patience)
    await shows(frame, /[$#]\s*$/)
    await hears({ name: 'CONNECTED' })
    await say({ name: 'CMD', data: 'echo by-page-$((6*7))\r' })
    await shows(frame, 'by-page-42')
    await frame.locator('.xterm-screen').click()
    await hears({ name: 'CLICK', id: 'tab-7' })
    // Another frame of the same page is nobody to listen to, nor is what is no text.
    await page.evaluate(
      `frames.sibling.eval("parent.frames.session.postMessage({ name: 'CMD', data: 'echo by-sibling-$((6*7))\\\\r' }, '*')")`,
    )
    await say({ name: 'CMD', data: { toString: 'echo x' } })
    await say({ name: 'CMD', data: 'exit\r' })
    await hears({ name: 'CLOSE', id: 'tab-7' })
    expect(await frame.locator('.xterm-rows').innerText()).not.toContain('by-sibling')
    await frame.getByRole('button', { name: /^Reconnect/ }).click()
    await shows(frame, /[$#]\s*$/)
  })

  it('is the files of a host where the token is for SFTP', async () => {
    const token = await tokenFor({ protocol: 'sftp', connect_method: 'web_sftp' })
    const frame = await framed(`/koko/elfinder/sftp/?token=${token}&asset=${host.id}`)
    await frame.getByRole('button', { name: 'New folder' }).waitFor()
    await hears({ name: 'CONNECTED' })
  })

  it('says so where the token is none of the user', async () => {
    const frame = await framed('/koko/token/018f0000-0000-7000-8000-000000000000/')
    await frame.getByText(/not found/i).waitFor()
  })

  it.each([
    ['/koko/elfinder/sftp/', '/luna/sftp'],
    [
      '/koko/elfinder/sftp/018f0000-0000-7000-8000-000000000000/',
      '/luna/sftp?asset=018f0000-0000-7000-8000-000000000000',
    ],
    ['/koko/monitor/018f0000-0000-7000-8000-000000000000/', '/luna/monitor/018f0000-0000-7000-8000-000000000000'],
    ['/koko/', '/luna/'],
    ['/koko/connect/?token=//evil.example', '/luna/frame?token=%2F%2Fevil.example'],
  ])('%s is at %s', async (address, place) => {
    const answer = await fetch(product.url + address, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, place])
  })

  it('is shown by no other site', async () => {
    const answer = await fetch(`${product.url}/luna/frame?token=x`)
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
  })
})
