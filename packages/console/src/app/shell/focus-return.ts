/**
 * The keyboard's way back: a dialog, drawer or menu stands in a box of its own at the end of the page. When that box
 * goes, the keyboard would stand nowhere; it goes back to what had it before the box did. One place for all of them,
 * since a dialog that is simply no longer drawn gives nothing back by itself.
 */
import { useEffect } from 'react'

/** The child of the page's body that holds an element. */
function boxOf(element: Element): Element | undefined {
  let box: Element | null = element
  while (box && box.parentElement !== document.body) box = box.parentElement
  return box ?? undefined
}

export function useFocusReturn(): void {
  useEffect(() => {
    /** What had the keyboard before a box did; then what had it before the box that stood there until then. */
    const before = new Map<Node, HTMLElement[]>()
    let last: HTMLElement | undefined
    let lastBox: Element | undefined
    const follow = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return
      const box = boxOf(target)
      if (box && last && lastBox && box !== lastBox && box.id !== 'root' && !before.has(box))
        before.set(box, [last, ...(before.get(lastBox) ?? [])])
      last = target
      lastBox = box
    }
    const giveBack = (gone: Node) => {
      const candidates = before.get(gone) ?? []
      before.delete(gone)
      const lost = document.activeElement === document.body || document.activeElement === null
      // One that is gone, or hidden with the menu it is in, does not take it.
      for (const element of lost ? candidates : []) {
        element.focus({ preventScroll: true })
        if (document.activeElement === element) return
      }
    }
    const observer = new MutationObserver((changes) => {
      for (const { removedNodes } of changes) for (const gone of removedNodes) giveBack(gone)
    })
    addEventListener('focusin', follow)
    observer.observe(document.body, { childList: true })
    return () => {
      removeEventListener('focusin', follow)
      observer.disconnect()
    }
  }, [])
}
