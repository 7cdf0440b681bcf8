import { session } from './session.ts'

/** Sets the window title: page title and login title. */
export function setWindowTitle(what?: string): void {
  const brand = session().settings.INTERFACE.login_title || 'Castellan'
  document.title = what ? `${what} - ${brand}` : brand
}
