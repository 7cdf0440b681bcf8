import { useEffect } from 'react'
import { session } from '../kit/session.ts'

/** Names the window after what it shows: several of them are open at a time. */
export function usePageTitle(what: string): void {
  useEffect(() => {
    const brand = session().settings.INTERFACE.login_title || 'Castellan'
    document.title = what ? `${what} - ${brand}` : brand
  }, [what])
}
