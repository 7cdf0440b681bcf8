import { useEffect, useState } from 'react'

/** Remaining seconds and a function to start. Counts down to 0. */
export function useCountdown(seconds = 0): [number, (seconds: number) => void] {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  return [left, setLeft]
}
