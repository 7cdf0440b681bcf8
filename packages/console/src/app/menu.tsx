/** Groups of the side menu: icon, title and order. The entries come from the screens. */
import type { MenuGroup, RouteName } from '@castellan/contract/routes'
import {
  AppWindow,
  Archive,
  BadgeCheck,
  Boxes,
  Building2,
  Cable,
  CalendarClock,
  CircleUser,
  Cpu,
  FileClock,
  Fingerprint,
  FolderOpen,
  Hourglass,
  House,
  Inbox,
  KeyRound,
  KeySquare,
  LayoutDashboard,
  LogIn,
  type LucideIcon,
  Mail,
  Palette,
  Radio,
  Server,
  Settings2,
  ShieldAlert,
  ShieldCheck,
  SlidersHorizontal,
  SquareChevronRight,
  SquareTerminal,
  Ticket,
  ToggleRight,
  Users,
  Workflow,
  Wrench,
} from 'lucide-react'
import type { Screen } from '../kit/screen.ts'
import type { TextKey } from '../kit/text.ts'

export const groups: Readonly<Partial<Record<MenuGroup, { title: TextKey; icon: LucideIcon }>>> = {
  users: { title: 'menuUsers', icon: Users },
  assets: { title: 'menuAssets', icon: Boxes },
  accounts: { title: 'menuAccounts', icon: KeyRound },
  perms: { title: 'menuPerms', icon: ShieldCheck },
  sessions: { title: 'menuSessions', icon: SquareTerminal },
  logs: { title: 'menuLogs', icon: FileClock },
  jobs: { title: 'menuJobs', icon: SquareChevronRight },
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
  SystemTools: Wrench,
  MyTicketList: Ticket,
  AssignedTicketList: Inbox,
  TicketFlow: Workflow,
  Basic: Settings2,
  Msg: Mail,
  Feature: ToggleRight,
  Auth: LogIn,
  Storage: Archive,
  TerminalSetting: Cpu,
  Applets: AppWindow,
  Security: ShieldAlert,
  Interface: Palette,
  Tools: Wrench,
  TaskList: CalendarClock,
  License: BadgeCheck,
  TempPassword: Hourglass,
  ConnectionToken: Cable,
  Passkey: Fingerprint,
}

export const iconOf = (screen: Screen): LucideIcon => single[screen.name] ?? LayoutDashboard

export interface MenuEntry {
  key: string
  title: TextKey
  icon?: LucideIcon
  /** Opens in a new tab. */
  external?: string
  children?: MenuEntry[]
}

/** Listed screens by group, in declaration order. */
export function menuOf(screens: readonly Screen[]): MenuEntry[] {
  const out: MenuEntry[] = []
  for (const screen of screens) {
    if (!screen.menu) continue
    const entry: MenuEntry = { key: screen.path, title: screen.title, external: screen.external }
    const group = groups[screen.menu]
    if (!group) {
      out.push({ ...entry, icon: iconOf(screen) })
      continue
    }
    const key = `group:${screen.menu}`
    const existing = out.find((item) => item.key === key)
    if (existing) existing.children?.push(entry)
    else out.push({ key, title: group.title, icon: group.icon, children: [entry] })
  }
  return out
}
