import { session } from './session.ts'

/** Names the window after what it shows, and the installation (spec 1 §2). */
export function nameWindow(what?: string): void {
  const brand = session().settings.INTERFACE.login_title || 'Castellan'
  document.title = what ? `${what} - ${brand}` : brand
}
