import { useEffect } from 'react'
import { setWindowTitle } from '../kit/window-title.ts'

/** Sets the window title to the shown object: several windows may be open. */
export function usePageTitle(what: string): void {
  useEffect(() => {
    setWindowTitle(what)
  }, [what])
}
