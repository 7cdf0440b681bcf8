import { gatewayMessages } from '@castellan/contract/messages/gateway'
import type { Broker } from './broker.ts'
import type { Session } from './session.ts'
import { SessionDenied, verbatim } from './session-denied.ts'
import type { SessionView, Viewer } from './session-view.ts'
import { isStillSignedIn, type User } from './user.ts'

/** A live session that a user may watch; the server decides. Throws `SessionDenied`. */
export async function watchable(
  broker: Broker,
  user: User,
  id: string,
): Promise<{ session: Session; view: SessionView }> {
  const session = broker.sessions.get(id)
  const refusal = await broker.api.mayJoin(user.id, id)
  if (refusal !== undefined) {
    throw new SessionDenied('permission_denied', verbatim(refusal))
  }
  if (!session?.view) throw new SessionDenied('token_invalid', gatewayMessages.watchedEnded)
  return { session, view: session.view }
}

/** Rechecks that a user may watch a session. Throws `SessionDenied`. */
export async function mayStillWatch(broker: Broker, user: User, id: string): Promise<void> {
  if (!(await isStillSignedIn(broker.api, user))) throw new SessionDenied('signed_out', gatewayMessages.signedOut)
  await watchable(broker, user, id)
}

export type { Session } from './session.ts'
export type { SessionView, Viewer }
