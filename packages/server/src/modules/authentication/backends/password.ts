import { authBackends } from '@castellan/contract/choices/authentication'
import type { PasswordBackend } from '../../../kernel/security/sign-in.ts'

/** The password that the installation keeps. The same work is done whether or not there is such a user. */
export const password: PasswordBackend = {
  name: 'password',
  label: authBackends.Password,
  loggedAs: 'Password',
  kind: 'password',
  keepsPassword: true,
  isEnabled: () => true,
  async authenticate({ services }, typed) {
    const right = await services.passwords.verify(typed.password, typed.account?.password_hash)
    if (!right || typed.account?.source !== 'local') return undefined
    return { source: 'local', username: typed.account.username }
  },
}
