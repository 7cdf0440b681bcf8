/**
 * The focused element may disappear: a row is deleted, a selection cleared, a page left, a button disabled. Focus would
 * then reset to the top of the page. It moves to the element now at the same position, otherwise to the next one; on
 * another page to its title. Pointer users are not affected, and no field is focused automatically on phones, because
 * that opens the keyboard.
 */
import { busyButton } from '../ant-design/classes.ts'

const focusable =
  'a[href], button:enabled, input:enabled:not([type=hidden]), select:enabled, textarea:enabled, [tabindex]:not([tabindex="-1"])'

/** How long to wait for a new page, and for a disabled button to be enabled again. Milliseconds. */
const [pageWaits, buttonWaits] = [5000, 300]

/** Position of an element: its ancestors, innermost first, each with the child index that leads to it. */
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

/** The focusable element in a container: one similar to the lost element, otherwise the first or last. */
function takerIn(part: Element, lost: Element, fromEnd: boolean): HTMLElement | undefined {
  const all = [part, ...part.querySelectorAll(focusable)].filter(takes)
  const like = all.find((one) => one.tagName === lost.tagName && one.classList[0] === lost.classList[0])
  return like ?? (fromEnd ? all.at(-1) : all[0])
}

function neighbourOf(lost: Element, place: Place): HTMLElement | undefined {
  const page = document.getElementById('content')
  for (const { parent, at } of place) {
    // Farther out, it is already another page.
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

/** Focuses the page title; false if there is none yet. */
export function toTitle(): boolean {
  const title = document.querySelector<HTMLElement>('#content h1')
  if (!title) return false
  title.tabIndex = -1
  title.focus({ preventScroll: true })
  return true
}

/** Tracks the focus from now on. */
export function restoreFocus(): { stop: () => void; rescue: (lost: HTMLElement | undefined) => void } {
  let byKeys = false
  let last: HTMLElement | undefined
  const places = new WeakMap<Element, Place>()
  let titleUntil = 0
  /** The focus is moving from one element to another. */
  let moving = false
  /** A key is down: an element focused now would be activated by it. */
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
  /** A button disabled only while its action runs gets the focus back. */
  const waitFor = (off: HTMLElement) => {
    clearInterval(waiting)
    const since = performance.now()
    waiting = setInterval(() => {
      const busy = document.querySelector(busyButton) !== null
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
      // A closing dialog restores the focus itself.
      if (!places.get(lost)?.at(-3)?.parent.isConnected) return
      // A field that disappears on blur is not restored.
      if (moving) setTimeout(() => rescue(lost))
      else rescue(lost)
      return
    }
    const off = last
    // Browsers remove the focus from a disabled element in the next frame.
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
