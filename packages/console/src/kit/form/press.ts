/**
 * An error message that appears on blur moves the content below it. If the blur comes from pressing a button below, the
 * button would move before the pointer is released and the click would be lost. Messages therefore wait for the
 * release.
 */
let pressed = false
if (typeof window !== 'undefined') {
  addEventListener('pointerdown', () => (pressed = true), true)
  for (const end of ['pointerup', 'pointercancel'] as const) addEventListener(end, () => (pressed = false), true)
}

/** Runs at once, or after the pressed pointer is released and its click is handled. */
export function afterPress(work: () => void): void {
  if (pressed) addEventListener('pointerup', () => setTimeout(work), { once: true })
  else work()
}
