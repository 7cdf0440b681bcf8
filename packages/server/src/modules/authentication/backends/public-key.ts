import { timingSafeEqual } from 'node:crypto'
import { authBackends } from '@castellan/contract/choices/authentication'
import type { KeyBackend } from '../../../kernel/security/sign-in.ts'
import { publicKeySignIn } from '../../users/index.ts'
import { keyFingerprint } from '../public-keys.ts'

/** The SSH key in a user's profile. */
export const publicKey: KeyBackend = {
  name: 'publickey',
  label: authBackends['SSH Key'],
  loggedAs: 'SSH Key',
  kind: 'key',
  isEnabled: (ctx) => publicKeySignIn.of(ctx).TERMINAL_PUBLIC_KEY_AUTH,
  async authenticate(_ctx, shown) {
    const [own, offered] = [keyFingerprint(shown.account?.public_key ?? ''), keyFingerprint(shown.publicKey)]
    if (!shown.account || !own || own.length !== offered.length) return undefined
    if (!timingSafeEqual(Buffer.from(own), Buffer.from(offered))) return undefined
    return { source: 'local', username: shown.account.username }
  },
}
