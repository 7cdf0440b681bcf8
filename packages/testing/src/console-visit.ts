/** Leads one window of the console from address to address, each time as if it had just been opened there. */
import type { Page } from 'playwright-core'

/** The console asks before it is left with something unsaved: whoever leads a window away has asked for that. */
const leave = '.ant-modal-wrap:not([style*="display: none"]) .ant-btn-dangerous'

/**
 * Leaves the screen that is shown, in the browser: with its dialogs, what was typed, all answers that are kept and all
 * messages. False when something still stands over the page or it does not leave: then only a load helps.
 */
const leaveScreen = `(async () => {
  const kept = () => {
    const root = document.getElementById('root')
    const container = root && Object.keys(root).find((key) => key.startsWith('__reactContainer$'))
    const found = {}
    const parts = container ? [root[container].stateNode.current] : []
    for (const part of parts) {
      found.answers ??= part.memoizedProps?.client
      found.messages ??= part.memoizedProps?.value?.message
      if (found.answers && found.messages) break
      parts.push(...[part.child, part.sibling].filter(Boolean))
    }
    return found
  }
  const { answers, messages } = kept()
  if (!document.querySelector('.shell') || !answers || !messages) return false
  const isLeft = () => document.querySelector('#content > .state h1') !== null
  const covers = () =>
    [...document.querySelectorAll('body > :not(#root) *')].some(
      (part) => part.getClientRects().length > 0 && part.checkVisibility({ visibilityProperty: true }) && part.clientHeight > 1,
    )
  const until = async (holds) => {
    const end = performance.now() + 1000
    while (!holds() && performance.now() < end) await new Promise((again) => setTimeout(again, 5))
    return holds()
  }
  document.activeElement?.blur()
  // As after a click: a page that is left by the keyboard gives the next one's title the focus.
  for (const part of ['pointerdown', 'pointerup']) dispatchEvent(new Event(part))
  location.hash = '/404'
  const question = () => document.querySelector('${leave}')
  if (!(await until(() => isLeft() || question()))) return false
  question()?.click()
  if (!(await until(isLeft))) return false
  messages.destroy()
  answers.clear()
  return until(() => !covers())
})()`

/** Windows that have the console since the last test that failed. */
let sound = new WeakSet<Page>()

/** A test has failed, and left its window anywhere: each is loaded again before the next one goes on in it. */
export function loadWindowsAgain(): void {
  sound = new WeakSet()
}

/** Loads the console at an address, whatever the window shows. */
export async function load(page: Page, url: string, address: string): Promise<void> {
  // An address that differs behind its hash alone would load nothing.
  await page.goto('about:blank')
  await page.goto(`${url}/ui/#${address}`)
  sound.add(page)
}

/**
 * Opens an address of the console as `load` does, but without loading the program again where the window has it: what
 * is shown asks for everything anew. What a page knows from its start stays, such as the person, the settings, the
 * language, and the page from which one went on.
 */
export async function visit(page: Page, url: string, address: string): Promise<void> {
  const hasConsole = sound.has(page) && page.url().startsWith(`${url}/ui/#`)
  if (hasConsole && (await page.evaluate<boolean>(leaveScreen).catch(() => false)))
    await page.goto(`${url}/ui/#${address}`)
  else await load(page, url, address)
}

/** What a window keeps by itself goes; that the hints of a newcomer have been read stays. */
const forget = `{
  const read = localStorage.getItem('viewSwitcherTip')
  localStorage.clear()
  if (read !== null) localStorage.setItem('viewSwitcherTip', read)
}`

/** Puts a window back to what a test begins with, before it visits anything. */
export async function tidy(page: Page, url: string, size: ReturnType<Page['viewportSize']>): Promise<void> {
  for (const event of ['dialog', 'request'] as const) page.removeAllListeners(event)
  await page.unrouteAll({ behavior: 'wait' })
  for (const other of page.context().pages()) if (other !== page) await other.close()
  if (size && page.viewportSize()?.width !== size.width) await page.setViewportSize(size)
  if (page.url().startsWith(url)) await page.evaluate(forget)
}
