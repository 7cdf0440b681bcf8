import { t } from './text.ts'
import { toast } from './toast.ts'

/** Minimum interval between two copies in ms; a double click copies once. */
const pause = 1400
let last = Number.NEGATIVE_INFINITY

/** Copies text to the clipboard. Also works without a secure context, where the Clipboard API does not exist. */
export async function putOnClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

/** Copies text and shows a message for one second. */
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
