/**
 * What has the keyboard may go: a row is deleted, a selection cleared, a page left, a button switched off. Who works with
 * the keyboard would then stand nowhere and begin at the top of the page. The keyboard goes on at the place that was left:
 * to what stands there now, else to what is next to it; on another page to its title. Somebody with a pointer is where
 * they point, and a field that took the keyboard by itself would bring up the one of a phone.
 */

const focusable =
  'a[href], button:enabled, input:enabled:not([type=hidden]), select:enabled, textarea:enabled, [tabindex]:not([tabindex="-1"])'

/** How long a new page is waited for, and a switched-off button that may come back. Milliseconds. */
const [pageWaits, buttonWaits] = [5000, 300]

/** Where an element stands: its parents, innermost first, and which child of each leads to it. */
type Place = readonly { parent: Element; at: number }[]

function placeOf(element: Element): Place {
  const place: { parent: Element; at: number }[] = []
  for (let child = element; child.parentElement; child = child.parentElement)
    place.push({ parent: child.parentElement, at: [...child.parentElement.children].indexOf(child) })
  return place
}

const takes = (element: Element): element is HTMLElement =>
  element.matches(focusable) && element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert]')

const isNowhere = () => document.activeElement === document.body || document.activeElement === null

/** What takes the keyboard in a part of the page: what is like the lost one if anything is, else the first or last. */
function takerIn(part: Element, lost: Element, fromEnd: boolean): HTMLElement | undefined {
  const all = [part, ...part.querySelectorAll(focusable)].filter(takes)
  const like = all.find((one) => one.tagName === lost.tagName && one.classList[0] === lost.classList[0])
  return like ?? (fromEnd ? all.at(-1) : all[0])
}

function neighbourOf(lost: Element, place: Place): HTMLElement | undefined {
  const page = document.getElementById('content')
  for (const { parent, at } of place) {
    // Farther out the page itself is another one.
    if (page && parent.contains(page)) return undefined
    if (!parent.isConnected || !parent.checkVisibility()) continue
    const parts = [...parent.children]
    for (const part of parts.slice(at)) {
      const taker = takerIn(part, lost, false)
      if (taker) return taker
    }
    for (const part of parts.slice(0, at).reverse()) {
      const taker = takerIn(part, lost, true)
      if (taker) return taker
    }
  }
  return undefined
}

/** Puts the keyboard on the title of the page; false where there is none yet. */
export function toTitle(): boolean {
  const title = document.querySelector<HTMLElement>('#content h1')
  if (!title) return false
  title.tabIndex = -1
  title.focus({ preventScroll: true })
  return true
}

/** Follows the keyboard from now on. */
export function restoreFocus(): { stop: () => void; rescue: (lost: HTMLElement | undefined) => void } {
  let byKeys = false
  let last: HTMLElement | undefined
  const places = new WeakMap<Element, Place>()
  let titleUntil = 0
  /** The keyboard is on its way from one element to another. */
  let moving = false
  /** A key is down: what got the keyboard now would be pressed by it. */
  let held = false
  let onRelease: (() => void) | undefined
  let waiting: ReturnType<typeof setInterval> | undefined

  const rescue = (lost: HTMLElement | undefined) => {
    if (!byKeys || !isNowhere()) return
    if (held) {
      onRelease = () => rescue(lost)
      return
    }
    const next = lost && neighbourOf(lost, places.get(lost) ?? [])
    if (next) next.focus({ preventScroll: true })
    else if (!toTitle()) titleUntil = performance.now() + pageWaits
  }
  /** A button that is off only while its work is under way has the keyboard again afterwards. */
  const waitFor = (off: HTMLElement) => {
    clearInterval(waiting)
    const since = performance.now()
    waiting = setInterval(() => {
      const busy = document.querySelector('.ant-btn-loading') !== null
      if (isNowhere() && off.isConnected && takes(off)) off.focus({ preventScroll: true })
      else if (isNowhere() && (busy || performance.now() - since < buttonWaits)) return
      else rescue(off)
      clearInterval(waiting)
    }, 50)
  }
  const follow = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return
    moving = false
    last = target
    places.set(target, placeOf(target))
    titleUntil = 0
  }
  const leave = ({ relatedTarget }: FocusEvent) => {
    moving = relatedTarget !== null
  }
  const observer = new MutationObserver((changes) => {
    if (!byKeys || (titleUntil > performance.now() && isNowhere() && toTitle()) || !last) return
    if (!last.isConnected) {
      const lost = last
      last = undefined
      // A dialog that goes gives the keyboard back by itself.
      if (!places.get(lost)?.at(-3)?.parent.isConnected) return
      // A field that goes because it was left has had its turn.
      if (moving) setTimeout(() => rescue(lost))
      else rescue(lost)
      return
    }
    const off = last
    // A browser takes the keyboard from what is switched off with the next frame.
    if (changes.some(({ type, target }) => type === 'attributes' && target.contains(off)) && !takes(off)) waitFor(off)
  })
  const onKey = () => {
    byKeys = true
    held = true
  }
  const onKeyUp = () => {
    held = false
    if (onRelease) setTimeout(onRelease)
    onRelease = undefined
  }
  const onPointer = () => {
    byKeys = false
    held = false
    titleUntil = 0
  }
  addEventListener('keydown', onKey, true)
  addEventListener('keyup', onKeyUp, true)
  addEventListener('pointerdown', onPointer, true)
  addEventListener('focusin', follow)
  addEventListener('focusout', leave)
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled', 'tabindex', 'hidden'],
  })
  return {
    rescue,
    stop: () => {
      removeEventListener('keydown', onKey, true)
      removeEventListener('keyup', onKeyUp, true)
      removeEventListener('pointerdown', onPointer, true)
      removeEventListener('focusin', follow)
      removeEventListener('focusout', leave)
      observer.disconnect()
      clearInterval(waiting)
    },
  }
}
