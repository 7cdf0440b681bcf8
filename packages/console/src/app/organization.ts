/** The current organization: selection, persistence, and overrides by screens with a fixed organization. */
import type { View } from '@castellan/contract/routes'
import { writeCookie } from '../browser/cookies.ts'
import { readStored } from '../browser/local-storage.ts'
import { call } from '../kit/api/client.ts'
import { profilePath } from '../kit/api/opening.ts'
import { defaultOrganization, selectOrganization } from '../kit/organizations.ts'
import {
  type Organization,
  overrideOrganization,
  type Profile,
  type PublicSettings,
  patchProfile,
  session,
  setSession,
  workingOrganization,
} from '../kit/session.ts'
import { organizationsOf } from './views.ts'

/** Local storage keys of the current and the previous organization, per user, as in the v3 console. */
const names = (username: string) => ({ now: `jms_current_org_${username}`, before: `PRE_ORG_${username}` })

/** The organization the user selected last; an automatically entered one resolves to the previous one. */
function lastChosenOrganization(username: string): Organization | undefined {
  const { now, before } = names(username)
  const last = readStored<Organization>(now)
  return last?.autoEnter ? readStored<Organization>(before) : last
}

function remember(organization: Organization): void {
  const { now, before } = names(session().profile.username)
  const last = readStored<Organization>(now)
  if (last?.id !== organization.id) {
    if (last && !last.autoEnter) localStorage.setItem(before, JSON.stringify(last))
    localStorage.setItem(now, JSON.stringify(organization))
  }
  // Downloads by plain links take the organization from the cookie.
  writeCookie('X-JMS-ORG', organization.id)
}

/** Switches to another organization. */
export function keepOrganization(organization: Organization): void {
  setSession({ ...session(), organization })
  remember(organization)
}

/** Applies a screen's fixed organization, or restores the previous one when undefined. */
export function enterOrganization(which: 'root' | 'system' | undefined): void {
  overrideOrganization(which)
  remember(workingOrganization())
}

/** The initial organization: the last selected one if available in the view, otherwise the default one. */
export function chooseOrganization(profile: Profile, settings: PublicSettings, view: View): Organization {
  const lastId = lastChosenOrganization(profile.username)?.id
  const any = [...profile.console_orgs, ...profile.workbench_orgs, ...profile.audit_orgs]
  return (
    selectOrganization(organizationsOf(view, profile), lastId, settings) ??
    defaultOrganization(any) ?? { id: '', name: '' }
  )
}

/** Reads the permissions in the current organization. */
export async function readRights(): Promise<void> {
  patchProfile(await call<Profile>(profilePath, { quiet: true }))
}

/** Switches the organization if the view does not include the current one. */
export async function settleOrganization(view: View): Promise<void> {
  const { profile, settings, organization } = session()
  const list = organizationsOf(view, profile)
  if (list.length === 0 || list.some((org) => org.id === organization.id)) return
  keepOrganization(chooseOrganization(profile, settings, view))
  await readRights()
}
