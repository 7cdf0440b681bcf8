/**
 * Reserves the space an element had when last complete until it is complete again, so that the content below does not
 * move.
 */
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useMobile } from '../browser/media.ts'

export interface Keeps {
  name: string
  /** Whether all content is loaded. */
  full: boolean
}

/** Style and attributes of the container. */
interface Room<T> {
  ref: RefObject<T | null>
  style?: { minHeight: number } | undefined
  /** The height is unknown; the content below is hidden (CSS). */
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
