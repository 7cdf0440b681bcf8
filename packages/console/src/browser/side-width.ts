/** Width of a side tree, resized with pointer or keyboard and stored in this browser. */
import { type HTMLAttributes, type KeyboardEvent, type PointerEvent, useState } from 'react'
import { size } from '../tokens.ts'
import { readStored } from './local-storage.ts'

const storeKey = 'sideWidth'
/** In pixels: names stay readable, and most of the window is left for the main content. */
const least = 180
const most = 520
const step = 16
const clamp = (width: number) => Math.round(Math.min(most, Math.max(least, width)))

const stored = (): Record<string, number> => readStored<Record<string, number>>(storeKey) ?? {}

/**
 * `id` is the kind of screen, each with its own width. `width` is in pixels. `edge` makes the element between both
 * parts a separator that can be dragged or moved with arrow keys, Home and End; it must be a direct child of the
 * element whose left edge is the origin of the width. A double click restores the default.
 */
export function useSideWidth(id: string, label: string): { width: number; edge: HTMLAttributes<HTMLElement> } {
  const [width, setWidth] = useState(() => clamp(Number(stored()[id]) || size.tree))
  const change = (next: number) => {
    setWidth(clamp(next))
    localStorage.setItem(storeKey, JSON.stringify({ ...stored(), [id]: clamp(next) }))
  }
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: width - step,
    ArrowRight: width + step,
    Home: least,
    End: most,
  }
  return {
    width,
    edge: {
      role: 'separator',
      tabIndex: 0,
      title: label,
      'aria-label': label,
      'aria-orientation': 'vertical',
      'aria-valuenow': width,
      'aria-valuemin': least,
      'aria-valuemax': most,
      onPointerDown: (event: PointerEvent<HTMLElement>) => event.currentTarget.setPointerCapture(event.pointerId),
      onPointerMove: ({ currentTarget, pointerId, clientX }: PointerEvent<HTMLElement>) => {
        if (!currentTarget.hasPointerCapture(pointerId)) return
        change(clientX - (currentTarget.parentElement?.getBoundingClientRect().left ?? 0))
      },
      onDoubleClick: () => change(size.tree),
      onKeyDown: (event: KeyboardEvent) => {
        const next = steps[event.key]
        if (next === undefined) return
        event.preventDefault()
        change(next)
      },
    },
  }
}
