import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** A debounced value: the previous one until it was unchanged for some milliseconds. */
export function useDebounced<T>(value: T, ms: number): T {
  const [later, setLater] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return later
}

/**
 * Follows the first change of its key at once, and debounces quick successive changes. Values passed along are delayed
 * as well.
 */
export function useRested<T>(value: T, key: string, ms: number): T {
  const [rested, setRested] = useState(key)
  const last = useRef({ value, at: Number.NEGATIVE_INFINITY })
  if (rested === key) last.current.value = value
  useLayoutEffect(() => {
    if (rested === key) return undefined
    const now = Date.now()
    const quick = now - last.current.at < ms
    last.current.at = now
    if (!quick) setRested(key)
    const timer = quick ? setTimeout(() => setRested(key), ms) : undefined
    return () => clearTimeout(timer)
  }, [rested, key, ms])
  return last.current.value
}
