/** Files the browser fetches by itself: it sends no header, so the organisation comes from the cookie. */
import { workingOrganisation } from '../session.ts'
import { writeCookie } from './cookies.ts'

/** Fetches a file without leaving the page, in the organisation of this window: another one may have changed the cookie. */
export function download(address: string): void {
  writeCookie('X-JMS-ORG', workingOrganisation().id)
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
