import { defaultOrgId } from '@castellan/contract/ids'
import { readCookie, writeCookie } from '../browser/cookies.ts'
import { call, hooks } from '../kit/api/client.ts'
import { ApiError } from '../kit/api/errors.ts'
import { profilePath } from '../kit/api/opening.ts'
import { selectOrganization } from '../kit/organizations.ts'
import { type Organization, type Profile, type PublicSettings, session, setSession } from '../kit/session.ts'
import { keepSessionMark, meansSignedOut, nameOrganization, readSession } from '../kit/start.ts'

const organizationCookie = 'X-JMS-LUNA-ORG'
const month = 30 * 24 * 3600
const watchEvery = 60_000

/** Redirects to the sign-in page, and back afterwards. */
export function toLogin(): void {
  location.assign(loginAddress())
}

export function loginAddress(): string {
  return `/core/auth/login/?next=${encodeURIComponent(location.pathname + location.search)}`
}

/** Switches to another organization of the user and reloads the tree and everything else. */
export function chooseOrganization(id: string): void {
  writeCookie(organizationCookie, id, month)
  const address = new URL(location.href)
  address.searchParams.delete('oid')
  location.assign(address)
}

function organizationOf({ workbench_orgs }: Profile, settings: PublicSettings): Organization {
  const requested = new URLSearchParams(location.search).get('oid') ?? readCookie(organizationCookie)
  return selectOrganization(workbench_orgs, requested, settings) ?? { id: defaultOrgId, name: '' }
}

export type Started = 'ready' | 'signed-out' | { failed: unknown }

/** Start-up, once per page: settings, user, organization. */
export async function start(): Promise<Started> {
  nameOrganization(() => session().organization)
  if (!keepSessionMark()) return 'signed-out'
  try {
    const [profile, settings] = await readSession()
    const organization = organizationOf(profile, settings)
    setSession({ profile, settings, organization })
    writeCookie(organizationCookie, organization.id, month)
    return 'ready'
  } catch (error) {
    return meansSignedOut(error) ? 'signed-out' : { failed: error }
  }
}

/**
 * Checks every minute whether the user is still signed in. Running terminals do not depend on it, so the page stays and
 * `onLost` only notifies; `onBack` follows after a sign-in in another tab. @returns a function that stops it
 */
export function watchSession(onLost: () => void, onBack: () => void): () => void {
  let lost = false
  let stopped = false
  let timer: ReturnType<typeof setTimeout>
  const look = async () => {
    try {
      await call(profilePath, { query: { fields_size: 'mini' }, quiet: true })
      if (lost) onBack()
      lost = false
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        if (!lost) onLost()
        lost = true
      }
    }
    if (!stopped) timer = setTimeout(look, lost ? 1000 : watchEvery)
  }
  timer = setTimeout(look, watchEvery)
  hooks.signedOut = () => {
    if (lost || stopped) return
    lost = true
    onLost()
    clearTimeout(timer)
    timer = setTimeout(look, 1000)
  }
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
