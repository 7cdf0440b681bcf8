import type { SystemLogin } from '@castellan/connectors/accounts'
import { protocolOf } from '@castellan/contract/protocols'
import { ItemSkipped } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { findById } from '../../../kernel/resource/repository.ts'
import {
  type AssetRow,
  asset,
  gatewayFailed,
  type LoginAccount,
  type SignedIn,
  TargetFailure,
} from '../../assets/index.ts'
import { loginAccount, rememberVerdict } from '../login.ts'
import { systemFailure } from './failures.ts'
import { systemOf, withSystem } from './session.ts'

/** Judges whether accounts can sign in to the systems of a method. */
export const acceptedBy = (method: string) => {
  const types = systemOf(method)?.protocols.flatMap(
    (name): readonly string[] => protocolOf(name)?.secretTypes ?? ['password'],
  )
  return ({ secret_type }: { secret_type: string }) => types?.includes(secret_type) ?? false
}

/** An account as a system takes it. */
export const systemLogin = ({ username, secretType, secret }: LoginAccount): SystemLogin => ({
  username,
  secretType: secretType === 'ssh_key' ? 'ssh_key' : 'password',
  secret,
})

/**
 * Signs in to an asset by what carries out a method, with the account of automations, and stores whether the account
 * worked. Undefined when nothing carries out the method, or no account fits.
 * @throws TargetFailure
 */
export async function signIn(
  ctx: Context,
  assetId: string,
  method: string,
  signal: AbortSignal,
): Promise<SignedIn | undefined> {
  if (!systemOf(method)) return undefined
  const row = (await findById(ctx, asset, assetId)) as AssetRow | undefined
  const login = row && (await loginAccount(ctx, assetId, acceptedBy(method), { prefersRoot: true }))
  if (!login) return undefined
  const { username, secret } = login
  try {
    const signedIn = await withSystem(ctx, row, method, signal, async ({ system, target, via }) => {
      await system.verify(target, systemLogin(login))
      return { username, port: target.port, via: via() }
    })
    await rememberVerdict(ctx, login.id, true)
    return signedIn
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ItemSkipped) throw error
    const failure = systemFailure(ctx, error, { username, secrets: [secret] })
    // A gateway that fails says nothing about the accounts behind it.
    if (failure.code !== gatewayFailed) await rememberVerdict(ctx, login.id, false)
    throw failure instanceof TargetFailure ? failure : new TargetFailure(failure.code, failure.message)
  }
}
