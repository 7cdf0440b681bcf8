/** Start-up, once per page (spec 1 §4): settings, session, profile, organisation, theme. */
import { systemOrgId } from '@castellan/contract/ids'
import { type View, viewOf } from '@castellan/contract/routes'
import { call, endSession } from '../kit/api/client.ts'
import { writeCookie } from '../kit/api/cookies.ts'
import { ApiError } from '../kit/api/errors.ts'
import { openingOrganisation, profilePath } from '../kit/api/opening.ts'
import { remembered } from '../kit/remembered.ts'
import {
  type Organisation,
  type Profile,
  type PublicSettings,
  patchProfile,
  session,
  setSession,
  workingOrganisation,
} from '../kit/session.ts'
import { keepSessionMark, meansSignedOut, nameOrganisation, readSession } from '../kit/start.ts'
import { defaultOrganisation, mayEnter, organisationsOf, preferredView } from './views.ts'

const loginPath = '/core/auth/login/'

/** To the sign-in page, and back here afterwards. */
export function toLogin(): void {
  location.assign(`${loginPath}?next=${encodeURIComponent(location.pathname + location.hash)}`)
}

export function logout(): void {
  location.assign(`/core/auth/logout/?next=${encodeURIComponent(location.pathname + location.hash)}`)
}

const storedOrganisation = (username: string): Organisation | undefined =>
  remembered<Organisation>(`jms_current_org_${username}`)

/** Remembers the organisation; the cookie makes plain downloads follow. */
export function keepOrganisation(organisation: Organisation): void {
  const { username } = session().profile
  const old = localStorage.getItem(`jms_current_org_${username}`)
  if (old) localStorage.setItem(`PRE_ORG_${username}`, old)
  localStorage.setItem(`jms_current_org_${username}`, JSON.stringify(organisation))
  setSession({ ...session(), organisation })
  writeCookie('X-JMS-ORG', organisation.id)
}

/** The organisation to work in: the one chosen before when the view still has it, else the default one. */
export function chooseOrganisation(profile: Profile, view: View): Organisation {
  const list = organisationsOf(view, profile)
  const before = storedOrganisation(profile.username)
  const kept = list.find((org) => org.id === before?.id && org.id !== systemOrgId)
  const any = [...profile.console_orgs, ...profile.workbench_orgs, ...profile.audit_orgs]
  return kept ?? defaultOrganisation(list, systemOrgId) ?? defaultOrganisation(any, systemOrgId) ?? { id: '', name: '' }
}

/** What the person may do in the organisation that is worked in now: rights are told per organisation. */
async function readRights(): Promise<void> {
  patchProfile(await call<Profile>(profilePath, { quiet: true }))
}

/** A view that does not have the organisation worked in: it is left for one the view has (spec 1 §4). */
export async function settleOrganisation(view: View): Promise<void> {
  const { profile, organisation } = session()
  const list = organisationsOf(view, profile)
  if (list.length === 0 || list.some((org) => org.id === organisation.id)) return
  keepOrganisation(chooseOrganisation(profile, view))
  await readRights()
}

export type Started =
  | { ok: true; first: boolean }
  | { ok: false; reason: 'signed-out' | 'untrusted' | 'failed'; text: string }

/** Opens the session of this page. */
export async function start(): Promise<Started> {
  nameOrganisation(workingOrganisation, openingOrganisation)
  if (!keepSessionMark()) {
    // The session may still live on the server: it ends, or the sign-in page would lead straight back here.
    await endSession()
    return { ok: false, reason: 'signed-out', text: '' }
  }
  try {
    const [profile, settings] = await readSession()
    const view = viewOf(location.hash.slice(1)) ?? preferredView(profile, localStorage.getItem('PreView')).view
    setSession({ profile, settings, organisation: chooseOrganisation(profile, view) })
    // Who comes for the first time, or with somebody else's cookie, may have been answered for another organisation.
    const answeredFor = openingOrganisation()
    keepOrganisation(session().organisation)
    if (answeredFor !== session().organisation.id) await readRights()
    if (!mayEnter(view, profile)) location.hash = preferredView(profile, localStorage.getItem('PreView')).root
    return { ok: true, first: profile.is_first_login }
  } catch (error) {
    if (meansSignedOut(error)) return { ok: false, reason: 'signed-out', text: error.message }
    if (error instanceof ApiError && error.status === 400)
      return { ok: false, reason: 'untrusted', text: error.message }
    return { ok: false, reason: 'failed', text: error instanceof Error ? error.message : String(error) }
  }
}

/** The theme's accent as the installation chose it; light and dark shades are shifted until text on it is readable. */
export const chosenAccent = (settings: PublicSettings): string | undefined =>
  settings.INTERFACE.theme_info?.colors?.['--color-primary']
