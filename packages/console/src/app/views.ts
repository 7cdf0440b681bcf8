/** The six views of the product and their access rules. */
import { routes, type View, viewRoots } from '@castellan/contract/routes'
import { can, type Organization, type Profile } from '../kit/session.ts'
import type { TextKey } from '../kit/text.ts'

export interface ViewFacts {
  view: View
  title: TextKey
  /** Start page of the view. */
  root: string
  /** Selected with the switcher, stored under `PreView`. */
  switchable: boolean
}

const facts = (view: View, title: TextKey, switchable = false): ViewFacts => ({
  view,
  title,
  root: routes[viewRoots[view]].path,
  switchable,
})

export const views: readonly ViewFacts[] = [
  facts('console', 'viewConsole', true),
  facts('audit', 'viewAudit', true),
  facts('workbench', 'viewWorkbench', true),
  facts('tickets', 'viewTickets'),
  facts('settings', 'viewSettings'),
  facts('profile', 'viewProfile'),
]

/** Organizations of a view. */
export function organizationsOf(view: View, profile: Profile): readonly Organization[] {
  if (view === 'audit') return profile.audit_orgs
  if (view === 'workbench') return profile.workbench_orgs
  return profile.console_orgs
}

/** Whether a user may enter a view. Its screens check the license. */
export function mayEnter(view: View, profile: Profile): boolean {
  switch (view) {
    case 'console':
      return profile.console_orgs.length > 0
    case 'audit':
      return profile.audit_orgs.length > 0
    case 'tickets':
      return can('tickets.view_ticket', profile.perms)
    case 'settings':
      return can('settings.view_setting', profile.perms)
    default:
      return true
  }
}

/** Permitted views of the switcher. Never empty: every user has the workbench. */
export const openViews = (profile: Profile): ViewFacts[] =>
  views.filter((facts) => facts.switchable && mayEnter(facts.view, profile))

/** Redirect target for a forbidden view. */
export const firstView = (profile: Profile): ViewFacts => openViews(profile)[0] as ViewFacts

/** The last selected view if still permitted, otherwise the first one. */
export const preferredView = (profile: Profile, remembered: string | null): ViewFacts =>
  openViews(profile).find((facts) => facts.view === remembered) ?? firstView(profile)

const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i
const amount = /^-?\d+(\.\d+)?$/
/** Ids or numbers, also comma-separated. */
const isIdentifying = (text: string): boolean => text.split(',').every((part) => uuid.test(part) || amount.test(part))

/** Path and query that remain valid in another organization: references to objects are removed. */
export function neutralAddress(hash: string): string {
  const [path = '/', query = ''] = hash.replace(/^#/, '').split('?')
  const segments = path.split('/')
  const end = segments.findIndex((segment) => uuid.test(segment) || /^\d+$/.test(segment))
  const params = new URLSearchParams()
  for (const [key, value] of new URLSearchParams(query)) {
    if (key === 'platform' || !isIdentifying(value)) params.set(key, value)
  }
  const text = params.toString()
  return (end < 0 ? path : segments.slice(0, end).join('/')) + (text ? `?${text}` : '')
}
