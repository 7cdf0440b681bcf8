import type { MfaFactor } from '@castellan/contract/signin-page'
import type { Context } from '../../kernel/module/context.ts'
import { identityCatalogue } from '../../kernel/security/sign-in.ts'
import { type Factors, offeredFactors } from './factors.ts'
import { passkeyFactor } from './passkeys/backend.ts'
import { passkey } from './passkeys/passkey.ts'

/** Where a browser gets the challenge that a passkey signs. */
const passkeyChallengePath = `${passkey.url}auth/`

/** The factors as a page offers them. */
export function factorList(ctx: Context, factors: Factors): MfaFactor[] {
  return offeredFactors(ctx, factors).map(({ display_name, ...factor }) => ({
    ...factor,
    label: display_name,
    challenge: identityCatalogue.factors(ctx).some((one) => one.name === factor.name && one.challenge),
    ...(factor.name === passkeyFactor.name ? { optionsUrl: passkeyChallengePath } : {}),
  }))
}
