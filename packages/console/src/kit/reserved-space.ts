/** The room something took when it was last full, kept free until it is full again: nothing below it moves. */
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useMobile } from './media.ts'

export interface Keeps {
  name: string
  /** Whether it has all it shows. */
  full: boolean
}

/** What the box of something that comes later is given. */
interface Room<T> {
  ref: RefObject<T | null>
  style?: { minHeight: number } | undefined
  /** Nobody knows yet how high it will be: what stands below it is held back (CSS). */
  'data-unknown'?: boolean
}

export function useReservedSpace<T extends HTMLElement>(keeps: Keeps | undefined): Room<T> {
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
  return before ? { ref, style: { minHeight: Number(before) } } : { ref, 'data-unknown': true }
}
