/** Where people begin to type. */
const fields = ['.dialog-form :is(input:not([type=hidden]), textarea)', '.pick-dialog aside.tree input'].join()

/**
 * Puts the keyboard where a dialog begins: where it says so (`data-first`), into the first field of its form, or, where
 * rows are chosen, into the search of the tree beside them.
 */
export function beginIn(box: Element): void {
  const said = box.querySelector<HTMLElement>('[data-first]')
  // On a touch screen a field would bring up the keyboard over the form.
  const field = matchMedia('(hover: hover)').matches
    ? box.querySelector<HTMLElement>(`:is(${fields}):enabled`)
    : undefined
  const first = said ?? field
  first?.focus({ preventScroll: true })
}
