/** Back and forward restore the scroll position; other navigation starts at the top. */
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/** How long to wait for the rows of a list before giving up the position. Milliseconds. */
const patience = 3000

/** Scrolls to a position as soon as the page is long enough, unless the user scrolls meanwhile. */
function scrollOnceThere(box: HTMLElement, place: number): () => void {
  const until = performance.now() + patience
  let stopped = false
  const stop = () => {
    stopped = true
    for (const kind of ['wheel', 'touchmove', 'keydown', 'pointerdown']) removeEventListener(kind, stop, true)
  }
  for (const kind of ['wheel', 'touchmove', 'keydown', 'pointerdown']) addEventListener(kind, stop, true)
  const look = () => {
    if (stopped) return
    box.scrollTop = place
    if (Math.abs(box.scrollTop - place) < 2 || performance.now() > until) stop()
    else requestAnimationFrame(look)
  }
  look()
  return stop
}

export function useScrollPlace(): RefObject<HTMLElement | null> {
  const box = useRef<HTMLElement>(null)
  const { key, pathname } = useLocation()
  const way = useNavigationType()
  const places = useRef(new Map<string, number>()).current
  const shown = useRef(pathname)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return undefined
    const moved = pathname !== shown.current
    shown.current = pathname
    const place = way === 'POP' ? (places.get(key) ?? 0) : 0
    const stop = moved ? scrollOnceThere(element, place) : undefined
    // Scroll events of a page that is being left are ignored.
    const keep = () => places.set(key, element.scrollTop)
    if (!moved) keep()
    element.addEventListener('scroll', keep, { passive: true })
    return () => {
      stop?.()
      element.removeEventListener('scroll', keep)
    }
  }, [key, pathname, way, places])
  return box
}
