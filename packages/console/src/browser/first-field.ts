/** Initial focus of dialogs with a form. */
import { dialogFooter } from '../ant-design/classes.ts'

const fields = '.dialog-form :is(input:not([type=hidden]), textarea):enabled'
/** In a picker, the rows may still be loading, but its buttons exist. */
const buttons = `.pick-dialog ${dialogFooter} button:enabled`

/** Sets the initial focus of a dialog: the element with `data-first`, otherwise the first field of its form. */
export function beginIn(box: Element): void {
  const said = box.querySelector<HTMLElement>(`[data-first], ${buttons}`)
  // On a touch screen, focusing a field would open the keyboard over the form.
  const field = matchMedia('(hover: hover)').matches ? box.querySelector<HTMLElement>(fields) : undefined
  const first = said ?? field
  first?.focus({ preventScroll: true })
}
