/**
 * Focus when a layer opens over the page, and when it closes.
 * Opening: Ant Design focuses the close button of a dialog. Instead, focus moves to the element with `data-first`, or
 * to the first field of the form.
 * Closing: dialogs, drawers and menus are in a container at the end of the page. When the container is removed, focus
 * returns to the element focused before, or, if that is gone, to the next one (`focus-restore.ts`). One implementation
 * for all layers, because a dialog that is no longer rendered does not restore the focus itself.
 */

import { useEffect } from 'react'
import { dialogClose } from '../ant-design/classes.ts'
import { beginIn } from './first-field.ts'
import { restoreFocus } from './focus-restore.ts'

/** The child of the body that contains an element. */
function boxOf(element: Element): Element | undefined {
  let box: Element | null = element
  while (box && box.parentElement !== document.body) box = box.parentElement
  return box ?? undefined
}

const isSeen = (box: Element): boolean =>
  box.checkVisibility() && [...box.children].some((child) => child.checkVisibility())

export function useFocusScope(): void {
  useEffect(() => {
    const restored = restoreFocus()
    /** The element focused before a container opened, then the elements focused before the previous containers. */
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
      // Before a dialog is visible, its elements cannot be focused, so `autoFocus` has no effect. Afterwards, the close
      // button is still reached with Tab behind the last button.
      if (opens && target.matches(dialogClose)) beginIn(box)
    }
    const giveBack = (gone: Node) => {
      const candidates = before.get(gone)
      if (!candidates) return
      before.delete(gone)
      const lost = document.activeElement === document.body || document.activeElement === null
      // A removed element, or one hidden with its menu, cannot be focused.
      for (const element of lost ? candidates : []) {
        element.focus({ preventScroll: true })
        if (document.activeElement === element) return
      }
      if (lost) restored.rescue(candidates[0])
    }
    const observer = new MutationObserver((changes) => {
      for (const { removedNodes } of changes) for (const gone of removedNodes) giveBack(gone)
    })
    // The container of a menu is not removed; only its content is hidden.
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
      restored.stop()
    }
  }, [])
}
