/** Where people begin to type, in a dialog that is a form. */
const fields = '.dialog-form :is(input:not([type=hidden]), textarea):enabled'
/** Where rows are chosen what comes first may still be on its way; its buttons are there. */
const buttons = '.pick-dialog .ant-modal-footer button:enabled'

/** Puts the keyboard where a dialog begins: where it says so (`data-first`), or into the first field of its form. */
export function beginIn(box: Element): void {
  const said = box.querySelector<HTMLElement>(`[data-first], ${buttons}`)
  // On a touch screen a field would bring up the keyboard over the form.
  const field = matchMedia('(hover: hover)').matches ? box.querySelector<HTMLElement>(fields) : undefined
  const first = said ?? field
  first?.focus({ preventScroll: true })
}
