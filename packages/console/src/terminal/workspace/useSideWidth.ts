import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { size } from '../../tokens.ts'

const key = 'castellan-terminal-tree'
const limits = { min: 180, max: 520 }
const clamp = (width: number) => Math.round(Math.min(limits.max, Math.max(limits.min, width)))

/** Width of the tree in pixels, remembered, and what its edge needs to be dragged or moved by arrows. */
export function useSideWidth() {
  const [width, setWidth] = useState(() => clamp(Number(localStorage.getItem(key)) || size.tree))
  const change = (next: number) => {
    setWidth(clamp(next))
    localStorage.setItem(key, String(clamp(next)))
  }
  const handle = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => event.currentTarget.setPointerCapture(event.pointerId),
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) change(event.clientX)
    },
    onDoubleClick: () => change(size.tree),
    onKeyDown: (event: KeyboardEvent) => {
      const step = event.key === 'ArrowRight' ? 16 : event.key === 'ArrowLeft' ? -16 : 0
      if (step) change(width + step)
    },
  }
  return { width, handle }
}
