import { flash } from './flash.ts'
import { t } from './text.ts'

/** Between two copies, ms; a double click copies once (spec 1 §9). */
const pause = 1400
let last = Number.NEGATIVE_INFINITY

/** Puts a text on the clipboard and says so for a second. Does nothing where the browser has no clipboard (plain http). */
export async function copyText(text: string, now = performance.now()): Promise<void> {
  if (!text || !navigator.clipboard || now - last < pause) return
  last = now
  await navigator.clipboard.writeText(text)
  flash.ok(t('copied'), 1)
}
