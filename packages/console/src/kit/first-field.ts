/** Puts the keyboard where a dialog begins: where it says so (`data-first`), or into the first field of its form. */
export function beginIn(box: Element): void {
  const said = box.querySelector<HTMLElement>('[data-first]')
  // On a touch screen a field would bring up the keyboard over the form.
  const field = matchMedia('(hover: hover)').matches
    ? box.querySelector<HTMLElement>('.dialog-form :is(input:not([type=hidden]), textarea):not(:disabled)')
    : undefined
  const first = said ?? field
  first?.focus({ preventScroll: true })
}
