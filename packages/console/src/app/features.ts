/** Every screen, from every folder of screens; the one list that menu, guards and titles are read from. */
import type { Feature, View } from '../kit/feature.ts'
import { can, licensed, session } from '../kit/session.ts'
import { features as accounts } from '../screens/accounts/index.ts'
import { features as acls } from '../screens/acls/index.ts'
import { features as assets } from '../screens/assets/index.ts'
import { features as audits } from '../screens/audits/index.ts'
import { features as authentication } from '../screens/authentication/index.ts'
import { features as dashboard } from '../screens/dashboard/index.ts'
import { features as ops } from '../screens/ops/index.ts'
import { features as perms } from '../screens/perms/index.ts'
import { features as rbac } from '../screens/rbac/index.ts'
import { features as terminal } from '../screens/terminal/index.ts'
import { features as users } from '../screens/users/index.ts'
import { matches } from './paths.ts'

export const features: readonly Feature[] = [
  ...dashboard,
  ...users,
  ...rbac,
  ...assets,
  ...accounts,
  ...perms,
  ...acls,
  // Online users come first, then the groups that sessions and logs share.
  ...audits.filter((feature) => feature.menu === ''),
  ...terminal,
  ...audits.filter((feature) => feature.menu !== ''),
  ...authentication,
  ...ops,
]

/** Whether the person may use a screen here and now. */
export function mayUse(feature: Feature): boolean {
  const { settings } = session()
  return (
    can(feature.permission) &&
    (!feature.licence || licensed(settings)) &&
    (!feature.setting || settings[feature.setting] === true)
  )
}

export const featuresOf = (view: View): Feature[] =>
  features.filter((feature) => feature.view === view && mayUse(feature))

/** The screen of an address; literal paths win over parameters. */
export function featureAt(address: string): Feature | undefined {
  const found = features.filter((feature) => matches(feature.path, address))
  return found.find((feature) => !feature.path.includes(':')) ?? found[0]
}

/** Path of the menu entry that is lit for a screen: its own, else the nearest listed one above it. */
export function litPath(feature: Feature): string {
  if (feature.lit) return feature.lit
  if (feature.menu !== undefined) return feature.path
  let path = feature.path
  while (path.includes('/', 1)) {
    path = path.slice(0, path.lastIndexOf('/'))
    const above = features.find((other) => other.path === path && other.menu !== undefined)
    if (above) return above.path
  }
  return feature.path
}
