/** All implemented screens, in the order of the route table. Menu, guards and titles are derived from it. */
import { type RouteName, routes, type View, viewOf } from '@castellan/contract/routes'
import type { Feature } from '../kit/feature.ts'
import { can, licensed, session } from '../kit/session.ts'
import { features as accounts } from '../screens/accounts/index.ts'
import { features as acls } from '../screens/acls/index.ts'
import { features as assets } from '../screens/assets/index.ts'
import { features as audits } from '../screens/audits/index.ts'
import { features as authentication } from '../screens/authentication/index.ts'
import { features as dashboard } from '../screens/dashboard/index.ts'
import { features as orgs } from '../screens/orgs/index.ts'
import { features as perms } from '../screens/perms/index.ts'
import { features as rbac } from '../screens/rbac/index.ts'
import { features as settings } from '../screens/settings/index.ts'
import { features as terminal } from '../screens/terminal/index.ts'
import { features as users } from '../screens/users/index.ts'
import { matches } from './paths.ts'
import { mayEnter } from './views.ts'

const standing = new Map<RouteName, Feature>(
  [
    ...dashboard,
    ...users,
    ...rbac,
    ...assets,
    ...accounts,
    ...perms,
    ...acls,
    ...audits,
    ...terminal,
    ...authentication,
    ...orgs,
    ...settings,
  ].map((feature) => [feature.name, feature]),
)

export const features: readonly Feature[] = (Object.keys(routes) as RouteName[]).flatMap(
  (name) => standing.get(name) ?? [],
)

export type DenialReason = 'permission' | 'license' | 'setting'

/** Why the user may not open a screen; undefined if they may. A missing permission outranks license and setting. */
export function denialReason(feature: Feature): DenialReason | undefined {
  const { profile, settings } = session()
  const view = viewOf(feature.path)
  if (!can(feature.permission) || (view && !mayEnter(view, profile))) return 'permission'
  if (feature.license && !licensed(settings)) return 'license'
  if (feature.setting && settings[feature.setting] !== true) return 'setting'
  return undefined
}

export const mayUse = (feature: Feature): boolean => denialReason(feature) === undefined

export const featuresOf = (view: View): Feature[] =>
  features.filter((feature) => viewOf(feature.path) === view && mayUse(feature))

/** A screen by route name, if it is implemented and the user may open it. */
export function usable(name: RouteName): Feature | undefined {
  const feature = standing.get(name)
  return feature && mayUse(feature) ? feature : undefined
}

/** The screen of an address. Literal paths take precedence over parameters. */
export function featureAt(address: string): Feature | undefined {
  const found = features.filter((feature) => matches(feature.path, address))
  return found.find((feature) => !feature.path.includes(':')) ?? found[0]
}

/** The first permitted menu entry below a path without a screen; if none is permitted, the first entry. */
export function firstScreenBelow(address: string): string | undefined {
  const listed = features.filter(({ menu, external, path }) => menu && !external && path.startsWith(`${address}/`))
  return (listed.find(mayUse) ?? listed[0])?.path
}

/** Path of the highlighted menu entry of a screen: its own, otherwise the nearest listed ancestor. */
export function litPath(feature: Feature): string {
  if (feature.lit) return feature.lit
  if (feature.menu) return feature.path
  let path: string = feature.path
  while (path.includes('/', 1)) {
    path = path.slice(0, path.lastIndexOf('/'))
    const above = features.find((other) => other.path === path && other.menu)
    if (above) return above.path
  }
  return feature.path
}
