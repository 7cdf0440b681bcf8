import { isIP } from 'node:net'
import type { ListedAccount } from '../account-system.ts'

/** The most accounts one asset may have; a target may print without end. */
export const mostAccounts = 10_000
/** The longest username that is stored. Characters. */
const longestName = 32

/** Shells of accounts without sign-in. */
const withoutLogin = /\/(?:nologin|false|shutdown|halt|sync)$/

/** A name that a terminal, a log and a mail show as it is. `+` and `-` at the beginning are no accounts but directives. */
const usableName = /^[\p{L}\p{N}_][\p{L}\p{N}_.@\\$+-]*$/u

export class TooManyAccounts extends Error {}

/**
 * The accounts in lines of a passwd file that can sign in. The target wrote the lines: names that are too long or
 * contain anything unusual are counted, not used.
 * @throws TooManyAccounts
 */
export function accountsIn(passwd: string): { usernames: string[]; ignored: number } {
  const usernames = new Set<string>()
  let ignored = 0
  for (const line of passwd.split('\n')) {
    const parts = line.replace(/\r$/, '').split(':')
    if (parts.length !== 7) {
      if (line.trim() !== '') ignored++
      continue
    }
    const [username = '', , , , , , shell = ''] = parts
    if (withoutLogin.test(shell)) continue
    if (username.length > longestName || !usableName.test(username)) ignored++
    else usernames.add(username)
    if (usernames.size > mostAccounts) throw new TooManyAccounts()
  }
  return { usernames: [...usernames], ignored }
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const dated =
  /(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}(\d{1,2}) (\d\d):(\d\d):(\d\d)(?: ([+-])(\d\d)(\d\d))? (\d{4})/

/** The date in a line of `last -F` or `lastlog`, in UTC unless the line has an offset. */
function dateIn(line: string): number | null {
  const [, month = '', day, hour, minute, second, sign, hours = 0, minutes = 0, year] = dated.exec(line) ?? []
  if (!month) return null
  const utc = Date.UTC(Number(year), months.indexOf(month), Number(day), Number(hour), Number(minute), Number(second))
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1)
  return Number.isFinite(utc) ? utc - offset : null
}

const longestLine = 500

/** The latest sign-in of each name in the output of `last` or `lastlog`, with the address it came from. */
export function lastLoginsIn(output: string): Map<string, Pick<ListedAccount, 'address' | 'lastLogin'>> {
  const found = new Map<string, { address: string; lastLogin: number }>()
  for (const line of output.split('\n')) {
    if (line.length > longestLine) continue
    const [username = '', ...words] = line.split(/\s+/)
    const lastLogin = dateIn(line)
    const known = found.get(username)
    if (lastLogin === null || (known && known.lastLogin >= lastLogin)) continue
    const address = words.slice(0, 3).find((word) => isIP(word) > 0 && word !== '0.0.0.0') ?? ''
    found.set(username, { address, lastLogin })
  }
  return found
}
