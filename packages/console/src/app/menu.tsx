/** Groups of the side menu: icon, title and order. The entries come from the features. */
import type { MenuGroup, RouteName } from '@castellan/contract/routes'
import {
  BadgeCheck,
  Boxes,
  Building2,
  CircleUser,
  FileClock,
  FolderOpen,
  House,
  KeyRound,
  KeySquare,
  LayoutDashboard,
  type LucideIcon,
  Radio,
  Server,
  ShieldCheck,
  SlidersHorizontal,
  SquareTerminal,
  Users,
} from 'lucide-react'
import type { Feature } from '../kit/feature.ts'
import type { TextKey } from '../kit/text.ts'

export const groups: Readonly<Partial<Record<MenuGroup, { title: TextKey; icon: LucideIcon }>>> = {
  users: { title: 'menuUsers', icon: Users },
  assets: { title: 'menuAssets', icon: Boxes },
  accounts: { title: 'menuAccounts', icon: KeyRound },
  perms: { title: 'menuPerms', icon: ShieldCheck },
  sessions: { title: 'menuSessions', icon: SquareTerminal },
  logs: { title: 'menuLogs', icon: FileClock },
}

const single: Readonly<Partial<Record<RouteName, LucideIcon>>> = {
  AdminDashboard: LayoutDashboard,
  AuditDashboard: LayoutDashboard,
  OnlineSession: Radio,
  MyHome: House,
  MyAssets: Server,
  WebTerminal: SquareTerminal,
  FileManager: FolderOpen,
  ProfileInfo: CircleUser,
  ProfileSetting: KeySquare,
  UserSetting: SlidersHorizontal,
  ApiKey: KeyRound,
  OrganizationList: Building2,
  License: BadgeCheck,
}

export const iconOf = (feature: Feature): LucideIcon => single[feature.name] ?? LayoutDashboard

export interface MenuEntry {
  key: string
  title: TextKey
  icon?: LucideIcon
  /** Opens in a new tab. */
  external?: string
  children?: MenuEntry[]
}

/** Listed features by group, in declaration order. */
export function menuOf(features: readonly Feature[]): MenuEntry[] {
  const out: MenuEntry[] = []
  for (const feature of features) {
    if (!feature.menu) continue
    const entry: MenuEntry = { key: feature.path, title: feature.title, external: feature.external }
    const group = groups[feature.menu]
    if (!group) {
      out.push({ ...entry, icon: iconOf(feature) })
      continue
    }
    const key = `group:${feature.menu}`
    const existing = out.find((item) => item.key === key)
    if (existing) existing.children?.push(entry)
    else out.push({ key, title: group.title, icon: group.icon, children: [entry] })
  }
  return out
}
