import { t } from './text.ts'
import { toast } from './toast.ts'

/** Between two copies, ms; a double click copies once. */
const pause = 1400
let last = Number.NEGATIVE_INFINITY

/** Puts text on the clipboard. Works without a secure context too, where the newer interface does not exist. */
export async function putOnClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

/** Copies and says so for a second. */
export async function copyText(text: string, now = performance.now()): Promise<void> {
  if (!text || now - last < pause) return
  last = now
  if (await putOnClipboard(text)) toast.ok(t('copied'), 1)
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.style.cssText = 'position:fixed;opacity:0'
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return done
}
