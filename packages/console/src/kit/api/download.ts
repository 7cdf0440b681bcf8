/** Downloads by the browser. They have no custom headers, so organization and time zone are sent as cookies. */

import { writeCookie } from '../../browser/cookies.ts'
import { workingOrganization } from '../session.ts'
import { zone } from './headers.ts'

/**
 * Downloads a file without leaving the page, in the organization of this window. Another window may have changed the
 * cookie.
 */
export function download(address: string): void {
  writeCookie('X-JMS-ORG', workingOrganization().id)
  writeCookie('X-TZ', zone())
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
