import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { requirePart } from './parts.ts'

/** Without these, Chromium contacts its vendor's hosts at every start. */
const quiet = [
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Chromium reads only the last list of this kind, so Playwright's own is repeated. Added are the pages of the address
 * bar, which it preloads per window: half a second of CPU beside the tested page.
 */
const without = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
]

/** Debian's Chromium, without windows. As root it cannot use its sandbox. */
export function startBrowser(): Promise<Browser> {
  const args = [...quiet, `--disable-features=${without.join(',')}`]
  if (process.getuid?.() === 0) args.push('--no-sandbox')
  // Without a UTF-8 locale, it finds no file with a non-ASCII name.
  const env = { ...(process.env as Record<string, string>), LC_ALL: 'C.UTF-8' }
  return chromium.launch({ executablePath: requirePart('chromium'), args, env })
}

let shared: Promise<Browser> | undefined

/** The chromium of this test process, for one file after the other, without the windows of the one before. */
export async function sharedBrowser(): Promise<Browser> {
  let browser = await shared?.catch(() => undefined)
  if (!browser?.isConnected()) {
    shared = startBrowser()
    browser = await shared
  }
  await closeWindows(browser)
  return browser
}

/** What the windows show, in words: a failed test is read where nobody can look at them. */
export async function shownInWindows(): Promise<string> {
  const browser = await shared?.catch(() => undefined)
  const pages = browser?.contexts().flatMap((context) => context.pages()) ?? []
  const shown = await Promise.all(
    pages.map(async (page) => {
      const text = await page.locator('body').innerText({ timeout: 2000 }).catch(String)
      return `${page.url()}\n${text.replace(/\s+/g, ' ').slice(0, 1500)}`
    }),
  )
  return shown.join('\n\n')
}

/** Closes every window; the browser goes on. */
export async function closeWindows(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()))
}

export type Language = 'en' | 'zh' | 'ja'
const locales: Record<Language, string> = { en: 'en-US', zh: 'zh-CN', ja: 'ja-JP' }

/**
 * A new browser window with a language; page errors are collected. One-time hints are dismissed, unless for a newcomer.
 */
export async function openWindow(
  browser: Browser,
  options: {
    language?: Language
    width?: number
    height?: number
    newcomer?: boolean
    /** Cookies of another window, which include its session. */
    storageState?: Awaited<ReturnType<BrowserContext['storageState']>>
  } = {},
): Promise<{ context: BrowserContext; page: Page; faults: string[] }> {
  const { language = 'en', width = 1440, height = 900 } = options
  const context = await browser.newContext({
    viewport: { width, height },
    locale: locales[language],
    storageState: options.storageState,
    // Tests click faster than users; a click on a dialog that is still opening misses its button.
    reducedMotion: 'reduce',
  })
  if (!options.newcomer)
    await context.addInitScript("if (location.protocol !== 'about:') localStorage.setItem('viewSwitcherTip', '1')")
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('response', (response) => {
    if (response.status() >= 500) faults.push(`${response.status()} ${response.url()}`)
  })
  return { context, page, faults }
}

/**
 * Signs a window in without typing: it gets a session of its own by the requests that the sign-in page makes, and
 * whatever it opens next is signed in.
 * @throws Error when the session does not begin
 */
export async function signInWindow(page: Page, url: string, username: string, password: string): Promise<void> {
  const { request } = page.context()
  const address = `${url}/core/auth/login/`
  await request.get(address)
  const token = (await page.context().cookies(url)).find(({ name }) => name.endsWith('csrftoken'))?.value ?? ''
  const form = { username, password, csrfmiddlewaretoken: token }
  await request.post(address, { form, headers: { origin: url, referer: address } })
  const profile = await request.get(`${url}/api/v1/users/profile/`)
  if (!profile.ok()) throw new Error(`${username} was not signed in: ${profile.status()} ${await profile.text()}`)
}

/** Signs in by the sign-in page; ends in the console. */
export async function signInByPage(page: Page, url: string, username: string, password: string): Promise<void> {
  await page.goto(`${url}/core/auth/login/`)
  await page.locator('input[name=username]').fill(username)
  await page.locator('input[type=password]').fill(password)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/ui\//)
}
