import { authBackends, mfaTypes } from '@castellan/contract/choices/authentication'
import type { Context } from '../../../kernel/module/context.ts'
import { updateRow } from '../../../kernel/resource/repository.ts'
import type { Account, AssertionBackend, SecondFactor } from '../../../kernel/security/sign-in.ts'
import { userBy } from '../../users/index.ts'
import { signInMethods } from '../settings.ts'
import { answeredWith } from './ceremonies.ts'
import { passkey, passkeysOf } from './passkey.ts'
import { type RelyingParty, relyingPartyOf } from './relying-party.ts'

const isOn = (ctx: Context) => signInMethods.of(ctx).AUTH_PASSKEY

/** Signs in by a key that says whose it is. Only local users have keys. */
export const passkeyBackend: AssertionBackend = {
  name: 'passkey',
  label: authBackends.Passkey,
  loggedAs: 'Passkey',
  kind: 'assertion',
  isEnabled: isOn,
  async authenticate(ctx, { request, challenge, assertion }) {
    const party = relyingPartyOf(ctx, request)
    const row = party && (await answeredWith(ctx, party, challenge, assertion, true))
    const owner = row && (await userBy(ctx, 'id', row.user_id))
    return owner?.source === 'local' ? { source: 'local', username: owner.username } : undefined
  },
}

/** What the session keeps for the check: the challenge, and for which domain it was given; none where no key works. */
export interface KeptChallenge {
  challenge: string
  party?: RelyingParty
}

const hasActiveKey = async (ctx: Context, account: Account): Promise<boolean> =>
  account.source === 'local' && (await passkeysOf(ctx, account.id)).some((row) => row.is_active)

/** The same key as second factor and for confirmations; the code is the browser's answer as JSON. */
export const passkeyFactor: SecondFactor = {
  name: 'passkey',
  label: mfaTypes.passkey,
  placeholder: mfaTypes.passkey,
  enrolPath: '/ui/#/profile/passkeys',
  removePath: '/ui/#/profile/passkeys',
  isEnabled: isOn,
  isActive: (account, ctx) => hasActiveKey(ctx, account),
  async check(ctx, account, code, kept) {
    const asked = parsed(kept) as KeptChallenge | undefined
    const row = asked?.party && (await answeredWith(ctx, asked.party, asked.challenge, parsed(code), false))
    return row?.user_id === account.id
  },
  async reset(ctx, account) {
    for (const { id } of await passkeysOf(ctx, account.id)) await updateRow(ctx, passkey, id, { is_active: false })
  },
}

function parsed(json: string): unknown {
  try {
    return json ? JSON.parse(json) : undefined
  } catch {
    return undefined
  }
}
