/**
 * Where the keyboard stands when something opens over the page, and when that goes.
 *
 * In: a dialog puts the keyboard on its cross. It begins where the dialog says (`data-first`), or in the first field of
 * its form.
 *
 * Back: a dialog, drawer or menu stands in a box of its own at the end of the page. When that box
 * goes, the keyboard would stand nowhere; it goes back to what had it before the box did, or where that is gone to what
 * is next to it (`keyboard-kept.ts`). One place for all of them, since a dialog that is simply no longer drawn gives
 * nothing back by itself.
 */
import { useEffect } from 'react'
import { beginIn } from './first-field.ts'
import { restoreFocus } from './focus-restore.ts'

/** The child of the page's body that holds an element. */
function boxOf(element: Element): Element | undefined {
  let box: Element | null = element
  while (box && box.parentElement !== document.body) box = box.parentElement
  return box ?? undefined
}

const isSeen = (box: Element): boolean =>
  box.checkVisibility() && [...box.children].some((child) => child.checkVisibility())

export function useFocusScope(): void {
  useEffect(() => {
    const kept = restoreFocus()
    /** What had the keyboard before a box did; then what had it before the box that stood there until then. */
    const before = new Map<Node, HTMLElement[]>()
    let last: HTMLElement | undefined
    let lastBox: Element | undefined
    const follow = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return
      const box = boxOf(target)
      const opens = box && box !== lastBox && box.id !== 'root' && !before.has(box)
      if (opens) before.set(box, last && lastBox ? [last, ...(before.get(lastBox) ?? [])] : [])
      last = target
      lastBox = box
      // Before a dialog is seen nothing in it takes the keyboard, so `autoFocus` there does nothing. Later its cross is where
      // Tab comes to behind its last button.
      if (opens && target.matches('.ant-modal-close')) beginIn(box)
    }
    const giveBack = (gone: Node) => {
      const candidates = before.get(gone)
      if (!candidates) return
      before.delete(gone)
      const lost = document.activeElement === document.body || document.activeElement === null
      // One that is gone, or hidden with the menu it is in, does not take it.
      for (const element of lost ? candidates : []) {
        element.focus({ preventScroll: true })
        if (document.activeElement === element) return
      }
      if (lost) kept.rescue(candidates[0])
    }
    const observer = new MutationObserver((changes) => {
      for (const { removedNodes } of changes) for (const gone of removedNodes) giveBack(gone)
    })
    // A menu's box is not taken away, only what is in it hidden.
    const leave = ({ target, relatedTarget }: FocusEvent) => {
      const box = relatedTarget === null && target instanceof HTMLElement ? boxOf(target) : undefined
      if (!box || box.id === 'root') return
      requestAnimationFrame(() => {
        if (!isSeen(box)) giveBack(box)
      })
    }
    addEventListener('focusin', follow)
    addEventListener('focusout', leave)
    observer.observe(document.body, { childList: true })
    return () => {
      removeEventListener('focusin', follow)
      removeEventListener('focusout', leave)
      observer.disconnect()
      kept.stop()
    }
  }, [])
}
