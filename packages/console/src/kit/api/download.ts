/** Files the browser fetches by itself: it sends no header, so organization and time zone come from cookies. */
import { workingOrganization } from '../session.ts'
import { writeCookie } from './cookies.ts'
import { zone } from './headers.ts'

/** Fetches a file without leaving the page, in the organization of this window: another one may have changed the cookie. */
export function download(address: string): void {
  writeCookie('X-JMS-ORG', workingOrganization().id)
  writeCookie('X-TZ', zone())
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
