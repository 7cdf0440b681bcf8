import { useEffect, useState } from 'react'

/** Whole seconds since a time, counting until the end. */
export function useSecondsSince(start: string | undefined, over: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (over) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [over])
  return start ? Math.max(0, Math.floor((now - Date.parse(start)) / 1000)) : 0
}
