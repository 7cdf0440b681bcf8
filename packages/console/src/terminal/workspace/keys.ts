import type { Direction } from './model.ts'

export interface WorkspaceKeys {
  split: (direction: Direction) => void
  find: () => void
  findAsset: () => void
  toggleTree: () => void
  step: (by: 1 | -1) => void
  fontSize: (by: 1 | -1 | 0) => void
  clone: () => void
}

/**
 * Keyboard shortcuts of the application. All use Ctrl and Shift, or Ctrl and Alt: a terminal needs the plain keys, and
 * browsers reserve others. @returns true if the key was a shortcut
 */
export function handleKey(event: KeyboardEvent, keys: WorkspaceKeys): boolean {
  const plain = !event.ctrlKey && !event.altKey && !event.metaKey
  if (plain && event.key === '/' && !isTyping(event.target)) {
    keys.findAsset()
    return true
  }
  if (!event.ctrlKey || !event.shiftKey || event.altKey || event.metaKey) return false
  const action = byCode[event.code]
  action?.(keys)
  return action !== undefined
}

const byCode: Record<string, (keys: WorkspaceKeys) => void> = {
  KeyD: (keys) => keys.split('right'),
  KeyE: (keys) => keys.split('down'),
  KeyF: (keys) => keys.find(),
  KeyO: (keys) => keys.findAsset(),
  KeyB: (keys) => keys.toggleTree(),
  KeyL: (keys) => keys.clone(),
  ArrowRight: (keys) => keys.step(1),
  ArrowLeft: (keys) => keys.step(-1),
  Equal: (keys) => keys.fontSize(1),
  Minus: (keys) => keys.fontSize(-1),
  Digit0: (keys) => keys.fontSize(0),
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
