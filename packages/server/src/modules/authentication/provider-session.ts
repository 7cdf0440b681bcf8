/** What a provider gave for the session that its sign-in opened. */
import type { Context } from '../../kernel/module/context.ts'
import { hashed } from '../../kernel/security/random.ts'
import { Sealed } from '../../kernel/security/secrets.ts'
import { identityCatalogue, type ProviderAnswer } from '../../kernel/security/sign-in.ts'
import { loginsEnded, type Session } from './session.ts'

const place = 'authentication_session.at_provider'
const mark = 'at_provider'

const namesMark = 'provider_session'
const renewMark = 'provider_renewal'

/** A provider that does not answer is asked again after this time. Milliseconds. */
const patience = 60_000

const nameOf = (backend: string, name: string) => hashed(`${backend} ${name}`)

/** Keeps it sealed: tokens of a provider are credentials. */
export function keepAtProvider(
  ctx: Context,
  session: Session,
  backend: string,
  { atProvider, providerSession, renewAt }: Pick<ProviderAnswer, 'atProvider' | 'providerSession' | 'renewAt'>,
): void {
  session.delete(mark, namesMark, renewMark)
  if (renewAt !== undefined) session.set(renewMark, { at: renewAt, backend })
  if (atProvider !== undefined) session.set(mark, ctx.services.vault.seal(atProvider, place).stored())
  if (providerSession)
    session.set(
      namesMark,
      providerSession.map((name) => nameOf(backend, name)),
    )
}

/** Ends the sessions that a backend opened under a name of its provider. */
export async function endProviderSessions(ctx: Context, backend: string, name: string): Promise<void> {
  await ctx.transaction(async (inside) => {
    const ended = await inside.rawDb
      .deleteFrom('authentication_session')
      .where('data', 'like', `%"${nameOf(backend, name)}"%`)
      .returning('user_id')
      .execute()
    const userIds = [...new Set(ended.flatMap(({ user_id: id }) => (id ? [String(id)] : [])))]
    if (userIds.length > 0) await inside.publish(loginsEnded, { userIds })
  })
}

export function atProviderOf(ctx: Context, session: Session): string {
  const stored = session.get<string>(mark)
  return stored ? ctx.services.vault.open(new Sealed(stored, place)) : ''
}

/**
 * Asks the provider of a session, when it is time, whether it still knows the user. One request of a session does, and
 * waits for the answer; the others go on.
 * @returns whether the session may go on
 */
export async function stillAtProvider(ctx: Context, session: Session): Promise<boolean> {
  const due = session.get<{ at: number; backend: string }>(renewMark)
  if (!due || due.at > ctx.now) return true
  const backend = identityCatalogue
    .enabled(ctx, 'redirect')
    .find(({ name, renew }) => name === due.backend && renew !== undefined)
  if (!backend?.renew || (await ctx.kv.count(`sign-in:renewal:${session.key}`, 30)) > 1) return true
  const renewal = await backend.renew(ctx, atProviderOf(ctx, session))
  if (renewal === 'ended') return false
  if (renewal === 'unreachable') session.set(renewMark, { ...due, at: ctx.now + patience })
  else {
    session.set(mark, ctx.services.vault.seal(renewal.atProvider, place).stored())
    if (renewal.renewAt === undefined) session.delete(renewMark)
    else session.set(renewMark, { ...due, at: renewal.renewAt })
  }
  return true
}
