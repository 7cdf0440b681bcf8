/** The room something took when it was last full, kept free until it is full again: nothing below it moves. */
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useMobile } from './media.ts'

/** Where it stands above others, until it was seen once: a head and one line. Pixels. */
const usual = 92

export interface Keeps {
  name: string
  /** Whether it has all it shows. */
  full: boolean
}

export function useKeptRoom<T extends HTMLElement>(
  keeps: Keeps | undefined,
): { ref: RefObject<T | null>; style?: { minHeight: number } | undefined } {
  const ref = useRef<T>(null)
  const stacked = useMobile()
  const key = keeps && `room:${keeps.name}:${stacked ? 'stacked' : 'beside'}`
  const full = keeps?.full ?? true
  useLayoutEffect(() => {
    const height = ref.current?.offsetHeight
    if (key && full && height && localStorage.getItem(key) !== `${height}`) localStorage.setItem(key, `${height}`)
  })
  if (full || !key) return { ref }
  const before = localStorage.getItem(key)
  // What stands beside another is as high as that one.
  const minHeight = before ? Number(before) : stacked ? usual : undefined
  return { ref, style: minHeight === undefined ? undefined : { minHeight } }
}
