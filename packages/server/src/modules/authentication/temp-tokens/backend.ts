import { authBackends } from '@castellan/contract/choices/authentication'
import type { PasswordBackend } from '../../../kernel/security/sign-in.ts'
import { loginLimits } from '../../users/index.ts'
import { otherMethods } from '../settings.ts'
import { secretLength, useTempToken } from './temp-token.ts'

/** A temporary password, with the username of its owner of any source. */
export const temporaryPassword: PasswordBackend = {
  name: 'temp_token',
  label: authBackends['Temporary token'],
  loggedAs: 'Temporary token',
  kind: 'password',
  // It belongs to no source, so that it does not pass where users have to come from theirs.
  isEnabled: (ctx) => otherMethods.of(ctx).AUTH_TEMP_TOKEN && !loginLimits.of(ctx).ONLY_ALLOW_AUTH_FROM_SOURCE,
  async authenticate(ctx, { password, account }) {
    if (!account || password.length !== secretLength) return undefined
    return (await useTempToken(ctx, account.id, password))
      ? { source: account.source, username: account.username }
      : undefined
  },
}
