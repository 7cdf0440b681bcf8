/** What a provider gave for the session that its sign-in opened. */
import type { Context } from '../../kernel/module/context.ts'
import { hashed } from '../../kernel/security/random.ts'
import { Sealed } from '../../kernel/security/secrets.ts'
import type { ProviderAnswer } from '../../kernel/security/sign-in.ts'
import { loginsEnded, type Session } from './session.ts'

const place = 'authentication_session.at_provider'
const mark = 'at_provider'

const namesMark = 'provider_session'

const nameOf = (backend: string, name: string) => hashed(`${backend} ${name}`)

/** Keeps it sealed: tokens of a provider are credentials. */
export function keepAtProvider(
  ctx: Context,
  session: Session,
  backend: string,
  { atProvider, providerSession }: Pick<ProviderAnswer, 'atProvider' | 'providerSession'>,
): void {
  session.delete(mark, namesMark)
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
