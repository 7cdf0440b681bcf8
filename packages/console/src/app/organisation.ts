/** The organisation that is worked in: chosen, remembered, and lent by screens that have one of their own. */
import type { View } from '@castellan/contract/routes'
import { call } from '../kit/api/client.ts'
import { writeCookie } from '../kit/api/cookies.ts'
import { profilePath } from '../kit/api/opening.ts'
import { defaultOrganisation, organisationIn } from '../kit/organisations.ts'
import { remembered } from '../kit/remembered.ts'
import {
  lendOrganisation,
  type Organisation,
  type Profile,
  type PublicSettings,
  patchProfile,
  session,
  setSession,
  workingOrganisation,
} from '../kit/session.ts'
import { organisationsOf } from './views.ts'

/** Where this browser keeps, by person, the organisation worked in, and the one before it. */
const names = (username: string) => ({ now: `jms_current_org_${username}`, before: `PRE_ORG_${username}` })

/** The one chosen last: what a screen lent is not chosen, and the one before it stands in its place. */
function chosenLast(username: string): Organisation | undefined {
  const { now, before } = names(username)
  const last = remembered<Organisation>(now)
  return last?.autoEnter ? remembered<Organisation>(before) : last
}

function remember(organisation: Organisation): void {
  const { now, before } = names(session().profile.username)
  const last = remembered<Organisation>(now)
  if (last?.id !== organisation.id) {
    if (last && !last.autoEnter) localStorage.setItem(before, JSON.stringify(last))
    localStorage.setItem(now, JSON.stringify(organisation))
  }
  // The cookie makes plain downloads follow.
  writeCookie('X-JMS-ORG', organisation.id)
}

/** Works in another organisation from now on. */
export function keepOrganisation(organisation: Organisation): void {
  setSession({ ...session(), organisation })
  remember(organisation)
}

/** A screen's own organisation is entered with it; the one before is restored on leaving (spec 1 §3). */
export function enterOrganisation(which: 'root' | 'system' | undefined): void {
  lendOrganisation(which)
  remember(workingOrganisation())
}

/** The organisation to work in: the one chosen before when the view still has it, else the default one. */
export function chooseOrganisation(profile: Profile, settings: PublicSettings, view: View): Organisation {
  const wanted = chosenLast(profile.username)?.id
  const any = [...profile.console_orgs, ...profile.workbench_orgs, ...profile.audit_orgs]
  return (
    organisationIn(organisationsOf(view, profile), wanted, settings) ?? defaultOrganisation(any) ?? { id: '', name: '' }
  )
}

/** What the person may do in the organisation that is worked in now: rights are told per organisation. */
export async function readRights(): Promise<void> {
  patchProfile(await call<Profile>(profilePath, { quiet: true }))
}

/** A view that does not have the organisation worked in: it is left for one the view has (spec 1 §4). */
export async function settleOrganisation(view: View): Promise<void> {
  const { profile, settings, organisation } = session()
  const list = organisationsOf(view, profile)
  if (list.length === 0 || list.some((org) => org.id === organisation.id)) return
  keepOrganisation(chooseOrganisation(profile, settings, view))
  await readRights()
}
