/** All implemented screens, in the order of the route table. Menu, guards and titles are derived from it. */
import { type RouteName, routes, type View, viewOf } from '@castellan/contract/routes'
import type { Screen } from '../kit/screen.ts'
import { can, licensed, session } from '../kit/session.ts'
import { screens as accounts } from '../screens/accounts/index.ts'
import { screens as acls } from '../screens/acls/index.ts'
import { screens as assets } from '../screens/assets/index.ts'
import { screens as audits } from '../screens/audits/index.ts'
import { screens as authentication } from '../screens/authentication/index.ts'
import { screens as cloud } from '../screens/cloud/index.ts'
import { screens as dashboard } from '../screens/dashboard/index.ts'
import { screens as ops } from '../screens/ops/index.ts'
import { screens as orgs } from '../screens/orgs/index.ts'
import { screens as perms } from '../screens/perms/index.ts'
import { screens as rbac } from '../screens/rbac/index.ts'
import { screens as settings } from '../screens/settings/index.ts'
import { screens as terminal } from '../screens/terminal/index.ts'
import { screens as tickets } from '../screens/tickets/index.ts'
import { screens as users } from '../screens/users/index.ts'
import { matches } from './paths.ts'
import { mayEnter } from './views.ts'

const standing = new Map<RouteName, Screen>(
  [
    ...dashboard,
    ...users,
    ...rbac,
    ...assets,
    ...cloud,
    ...accounts,
    ...perms,
    ...acls,
    ...audits,
    ...terminal,
    ...authentication,
    ...orgs,
    ...ops,
    ...tickets,
    ...settings,
  ].map((screen) => [screen.name, screen]),
)

export const screens: readonly Screen[] = (Object.keys(routes) as RouteName[]).flatMap(
  (name) => standing.get(name) ?? [],
)

export type DenialReason = 'permission' | 'license' | 'setting'

/** Why the user may not open a screen; undefined if they may. A missing permission outranks license and setting. */
export function denialReason(screen: Screen): DenialReason | undefined {
  const { profile, settings } = session()
  const view = viewOf(screen.path)
  if (!can(screen.permission) || (view && !mayEnter(view, profile))) return 'permission'
  if (screen.license && !licensed(settings)) return 'license'
  if (screen.setting && settings[screen.setting] !== true) return 'setting'
  return undefined
}

export const mayUse = (screen: Screen): boolean => denialReason(screen) === undefined

export const screensOf = (view: View): Screen[] =>
  screens.filter((screen) => viewOf(screen.path) === view && mayUse(screen))

/** A screen by route name, if it is implemented and the user may open it. */
export function usable(name: RouteName): Screen | undefined {
  const screen = standing.get(name)
  return screen && mayUse(screen) ? screen : undefined
}

/** The screen of an address. Literal paths take precedence over parameters. */
export function screenAt(address: string): Screen | undefined {
  const found = screens.filter((screen) => matches(screen.path, address))
  return found.find((screen) => !screen.path.includes(':')) ?? found[0]
}

/**
 * The first permitted menu entry below a path without a screen; if none is permitted, the first entry. Without entries,
 * the one that is highlighted for the screens below.
 */
export function firstScreenBelow(address: string): string | undefined {
  const listed = screens.filter(({ menu, external, path }) => menu && !external && path.startsWith(`${address}/`))
  const found = listed.find(mayUse) ?? listed[0]
  return found ? found.path : screens.find(({ lit, path }) => lit && path.startsWith(`${address}/`))?.lit
}

/** Path of the highlighted menu entry of a screen: its own, otherwise the nearest listed ancestor. */
export function litPath(screen: Screen): string {
  if (screen.lit) return screen.lit
  if (screen.menu) return screen.path
  let path: string = screen.path
  while (path.includes('/', 1)) {
    path = path.slice(0, path.lastIndexOf('/'))
    const above = screens.find((other) => other.path === path && other.menu)
    if (above) return above.path
  }
  return screen.path
}
