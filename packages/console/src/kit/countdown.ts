import { useEffect, useState } from 'react'

/** Seconds that are left, and how to begin with some; they go down to 0 by themselves. */
export function useCountdown(seconds = 0): [number, (seconds: number) => void] {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  return [left, setLeft]
}
