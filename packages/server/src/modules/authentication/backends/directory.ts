import { authBackends } from '@castellan/contract/choices/authentication'
import { randomText } from '../../../kernel/security/random.ts'
import type { PasswordBackend } from '../../../kernel/security/sign-in.ts'
import { isTypedAs } from '../../users/index.ts'
import { DirectoryError, savedAccess, withDirectory } from '../ldap/connection.ts'
import { basesOf, bindsAs, type DirectoryUser, isFilter, isMapping, savedSearch, userNamed } from '../ldap/people.ts'
import { signInMethods } from '../settings.ts'
import { ldapOptions } from './directory-settings.ts'

/**
 * Directories have rules of their own for equal names. Attempts are counted by the typed name, so only the name and the
 * address of the user are accepted, in any case: other spellings would each get attempts of their own.
 */
const isSpelledAs = ({ username, email }: DirectoryUser, typed: string): boolean =>
  isTypedAs(typed, username) || isTypedAs(typed, email)

/**
 * A user of the LDAP directory. A name that belongs to a user of another source is never asked for: neither is the
 * password sent to the directory, nor can an entry of that name take the user over.
 */
export const directory: PasswordBackend = {
  name: 'ldap',
  label: authBackends.LDAP,
  loggedAs: 'LDAP',
  kind: 'password',
  isEnabled: (ctx) => signInMethods.of(ctx).AUTH_LDAP,
  async authenticate(ctx, { username, password, account }) {
    const search = savedSearch(ctx)
    if (username === '' || password === '' || !isFilter(search.filter) || !isMapping(search.attributes))
      return undefined
    const isForeign = account !== undefined && account.source !== 'ldap'
    const isUnknown = account === undefined && ldapOptions.of(ctx).AUTH_LDAP_USER_LOGIN_ONLY_IN_USERS
    try {
      return await withDirectory(savedAccess(ctx), async (client) => {
        const found = await userNamed(client, search, account?.source === 'ldap' ? account.username : username)
        if (!found || !isSpelledAs(found, username) || isForeign || isUnknown) {
          // As many requests as for a known name, so that the time does not tell which names exist.
          await bindsAs(client, `cn=${randomText(20)},${basesOf(search)[0] ?? ''}`, randomText(20)).catch(() => false)
          return undefined
        }
        if (!(await bindsAs(client, found.dn, password)) || !found.isActive) return undefined
        return {
          source: 'ldap',
          username: found.username,
          attributes: { name: found.name, ...(found.email && { email: found.email }) },
        }
      })
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error
      ctx.services.log.warn({ err: error.cause }, 'The directory could not be asked for a sign-in')
      return undefined
    }
  },
}
