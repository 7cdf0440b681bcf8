import { useEffect } from 'react'

/** Lets the browser ask before the page is left while data would be lost. */
export function useLeaveGuard(guard: boolean) {
  useEffect(() => {
    if (!guard) return
    const listener = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', listener)
    return () => window.removeEventListener('beforeunload', listener)
  }, [guard])
}
