import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import type { Context, SessionHandle } from '../../../kernel/module/context.ts'
import { hashed, randomText } from '../../../kernel/security/random.ts'
import { type PasskeyRow, passkeyWith, recordUse } from './passkey.ts'
import type { RelyingParty } from './relying-party.ts'

/** WebAuthn, level 3: what is asked of a browser, and whether its answer is right. */

/** Time for one ceremony, in seconds. */
const ceremonyAge = 300
/** Algorithms of keys, by their COSE numbers: ECDSA, EdDSA, RSA. */
const algorithms = [-7, -8, -35, -36, -37, -257]
const longestCredentialId = 1364

export interface NewCredential {
  credential_id: string
  public_key: string
  counter: number
  transports: string
}

/** What a browser has to sign. It is kept in the session of the browser, for one answer. */
export async function newChallenge(ctx: Context): Promise<string> {
  const challenge = Buffer.from(randomText(43)).toString('base64url')
  await ctx.kv.set(challengeKey(challenge), 1, ceremonyAge)
  return challenge
}
const challengeKey = (challenge: string) => `passkey:challenge:${hashed(challenge)}`

/** Takes a challenge out of a session; empty when there is none. */
export function takeChallenge(session: SessionHandle, mark: string): string {
  const challenge = session.get<string>(mark) ?? ''
  session.delete(mark)
  return challenge
}

/** False for a challenge that is too old, or was answered before: by this or by a concurrent request. */
const useChallenge = async (ctx: Context, challenge: string): Promise<boolean> =>
  challenge !== '' && (await ctx.kv.take(challengeKey(challenge))) !== undefined

const described = ({ credential_id, transports }: PasskeyRow) => ({
  id: credential_id,
  transports: transports.split(',').filter(Boolean),
})

type Offered = Pick<RelyingParty, 'id' | 'name'>

export async function creationOptions(
  party: Offered,
  user: { id: string; name: string; displayName: string },
  known: readonly PasskeyRow[],
  challenge: string,
): Promise<object> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const options = await generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userName: user.name,
    userID: new Uint8Array(Buffer.from(user.id)),
    userDisplayName: user.displayName,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    attestationType: 'none',
    excludeCredentials: known.map(described),
    authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false },
    supportedAlgorithmIDs: algorithms,
  })
  return options
}

/** @param known the keys of a user who is known already; empty where the key says who it is */
export async function requestOptions(
  party: Offered,
  known: readonly PasskeyRow[],
  challenge: string,
  userVerification: 'required' | 'preferred',
): Promise<object> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    allowCredentials: known.map(described),
    userVerification,
  })
}

/** The key that a browser created for this challenge; undefined if the answer is not a right one. */
export async function createdCredential(
  ctx: Context,
  party: RelyingParty,
  challenge: string,
  answer: unknown,
): Promise<NewCredential | undefined> {
  if (!(await useChallenge(ctx, challenge))) return undefined
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const checked = await verifyRegistrationResponse({
    response: answer as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
    supportedAlgorithmIDs: algorithms,
  }).catch((error: unknown) => refusedAnswer(ctx, error))
  if (!checked?.verified) return undefined
  const { id, publicKey, counter, transports = [] } = checked.registrationInfo.credential
  if (id.length > longestCredentialId) return undefined
  return {
    credential_id: id,
    public_key: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: transports
      .filter((one) => /^[a-z-]{1,20}$/.test(one))
      .slice(0, 8)
      .join(','),
  }
}

/** An authenticator that says for which user it made the key has to name the one who registered it. */
function isHandleOf({ user_id: userId }: PasskeyRow, answer: unknown): boolean {
  const { userHandle } = objectOf(objectOf(answer).response)
  if (userHandle === undefined || userHandle === null || userHandle === '') return true
  return typeof userHandle === 'string' && Buffer.from(userHandle, 'base64url').toString('utf8') === userId
}

/**
 * The key with which a browser answered a challenge; undefined if the answer is not a right one, or the key is unknown
 * or disabled.
 * @param demandsUser the authenticator must have verified its user, by a PIN or a fingerprint for example
 */
export async function answeredWith(
  ctx: Context,
  party: RelyingParty,
  challenge: string,
  answer: unknown,
  demandsUser: boolean,
): Promise<PasskeyRow | undefined> {
  if (!(await useChallenge(ctx, challenge))) return undefined
  const { id } = objectOf(answer)
  const row = typeof id === 'string' && id.length <= longestCredentialId ? await passkeyWith(ctx, id) : undefined
  if (!row?.is_active || !isHandleOf(row, answer)) return undefined
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const checked = await verifyAuthenticationResponse({
    response: answer as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: demandsUser,
    credential: {
      id: row.credential_id,
      publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
      counter: row.counter,
    },
  }).catch((error: unknown) => refusedAnswer(ctx, error))
  if (!checked?.verified) return undefined
  const { newCounter } = checked.authenticationInfo
  return (await ctx.transaction((inside) => recordUse(inside, row, newCounter))) ? row : undefined
}

/** Answers come from outside: whatever is wrong with one, it is refused. The library's reason helps administrators. */
function refusedAnswer(ctx: Context, error: unknown): undefined {
  ctx.services.log.info({ reason: error instanceof Error ? error.message.slice(0, 300) : '' }, 'A passkey was refused')
  return undefined
}
