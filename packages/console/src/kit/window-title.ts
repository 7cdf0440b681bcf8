import { session } from './session.ts'

export function setWindowTitle(what?: string): void {
  const brand = session().settings.INTERFACE.login_title || 'Castellan'
  document.title = what ? `${what} - ${brand}` : brand
}
