import { mfaTypes } from '@castellan/contract/choices/authentication'
import { updateRow } from '../../kernel/resource/repository.ts'
import type { SecondFactor } from '../../kernel/security/sign-in.ts'
import { user } from '../users/index.ts'
import { useOtpCode } from './otp.ts'

export const otpEnrolPath = '/core/auth/profile/otp/enable/start/'
export const otpRemovePath = '/core/auth/profile/otp/disable/'

/** Codes of an authenticator app. */
export const oneTimeCode: SecondFactor = {
  name: 'otp',
  label: mfaTypes.otp,
  placeholder: mfaTypes.otp,
  enrolPath: otpEnrolPath,
  removePath: otpRemovePath,
  isEnabled: () => true,
  isActive: (account) => account.otp_secret !== null,
  async check(ctx, account, code) {
    if (!account.otp_secret) return false
    return useOtpCode(ctx, account.id, ctx.services.vault.open(account.otp_secret), code)
  },
  async reset(ctx, account) {
    await updateRow(ctx, user, account.id, { otp_secret: null })
  },
}
