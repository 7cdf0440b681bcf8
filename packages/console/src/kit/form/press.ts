/**
 * A message that appears when a field is left moves what is below it. Left by a press of the pointer on a button there,
 * the button would be gone before the pointer is up, and the click lost: so messages wait until it is.
 */
let pressed = false
if (typeof window !== 'undefined') {
  addEventListener('pointerdown', () => (pressed = true), true)
  for (const end of ['pointerup', 'pointercancel'] as const) addEventListener(end, () => (pressed = false), true)
}

/** Runs at once, or when the pointer that is down was lifted and its click is through. */
export function afterPress(work: () => void): void {
  if (pressed) addEventListener('pointerup', () => setTimeout(work), { once: true })
  else work()
}
