import { authBackends, mfaTypes } from '@castellan/contract/choices/authentication'
import { randomText } from '../../../kernel/security/random.ts'
import type { PasswordBackend, SecondFactor } from '../../../kernel/security/sign-in.ts'
import { foldedName, isTypedAs } from '../../users/index.ts'
import { radius as settings } from '../backends/directory-settings.ts'
import { signInMethods } from '../settings.ts'
import { askRadius } from './client.ts'

/**
 * A user of the RADIUS server. A name that belongs to a user of another source is never asked for: the password must not
 * be sent there. Most servers ignore the case of names; all are asked in one spelling, so that one person is one user.
 */
export const radiusPassword: PasswordBackend = {
  name: 'radius',
  label: authBackends.Radius,
  loggedAs: 'Radius',
  kind: 'password',
  isEnabled: (ctx) => signInMethods.of(ctx).AUTH_RADIUS,
  async authenticate(ctx, { username, password, account }) {
    const name = account?.username ?? foldedName(username)
    // Other forms of a name, which a server may take for the same, are nobody's.
    if ((account && account.source !== 'radius') || !isTypedAs(username, name)) {
      // Servers delay rejections: without a request, a fast answer would tell that the name belongs to a local user.
      await askRadius(ctx, { username: randomText(20).toLowerCase(), password: randomText(20) })
      return undefined
    }
    const verdict = await askRadius(ctx, { username: name, password })
    if (verdict.kind === 'accepted') return { source: 'radius', username: name }
    // Servers also challenge names that they do not know: nobody is created before the last answer is right.
    if (verdict.kind !== 'challenged' || !account) return undefined
    return { source: 'radius', username: name, unfinished: { factor: radiusFactor.name, kept: verdict.state } }
  },
}

/** A code that the RADIUS server checks: as second factor of everybody, or the answer to its challenge. */
export const radiusFactor: SecondFactor = {
  name: 'otp_radius',
  label: mfaTypes.otp_radius,
  placeholder: mfaTypes.otp_radius,
  isEnabled: (ctx) => settings.of(ctx).OTP_IN_RADIUS,
  isActive: () => true,
  async check(ctx, account, code, kept) {
    const state = kept ? { state: kept } : {}
    return (await askRadius(ctx, { username: account.username, password: code, ...state })).kind === 'accepted'
  },
}
