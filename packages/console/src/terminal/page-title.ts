import { useEffect } from 'react'
import { setWindowTitle } from '../kit/window-title.ts'

/** Names the window after what it shows: several of them are open at a time. */
export function usePageTitle(what: string): void {
  useEffect(() => {
    setWindowTitle(what)
  }, [what])
}
