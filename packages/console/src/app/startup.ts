/** Start-up, once per page: settings, session, profile, organization, theme. */
import { viewOf } from '@castellan/contract/routes'
import { endSession } from '../kit/api/client.ts'
import { openingOrganization } from '../kit/api/opening.ts'
import { session, setSession, workingOrganization } from '../kit/session.ts'
import { keepSessionMark, meansSignedOut, nameOrganization, readSession } from '../kit/start.ts'
import { chooseOrganization, keepOrganization, readRights } from './organization.ts'
import { mayEnter, preferredView } from './views.ts'

const loginPath = '/core/auth/login/'

/** Redirects to the sign-in page, and back afterwards. */
export function toLogin(): void {
  location.assign(`${loginPath}?next=${encodeURIComponent(location.pathname + location.hash)}`)
}

export function logout(): void {
  location.assign(`/core/auth/logout/?next=${encodeURIComponent(location.pathname + location.hash)}`)
}

export type Started = 'ready' | 'signed-out' | { failed: unknown }

/** Opens the session of this page. */
export async function start(): Promise<Started> {
  nameOrganization(workingOrganization, openingOrganization)
  if (!keepSessionMark()) {
    // The session may still exist on the server: it ends, or the sign-in page would redirect straight back.
    await endSession()
    return 'signed-out'
  }
  try {
    const [profile, settings] = await readSession()
    const own = viewOf(location.hash.slice(1))
    const view = own && mayEnter(own, profile) ? own : preferredView(profile, localStorage.getItem('PreView')).view
    setSession({ profile, settings, organization: chooseOrganization(profile, settings, view) })
    // At a first visit, or with a cookie of another user, the responses may be of another organization.
    const answeredFor = openingOrganization()
    keepOrganization(session().organization)
    if (answeredFor !== session().organization.id) await readRights()
    return 'ready'
  } catch (error) {
    return meansSignedOut(error) ? 'signed-out' : { failed: error }
  }
}
