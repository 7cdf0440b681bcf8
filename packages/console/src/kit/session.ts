/** The signed-in user, the current organization and the installation. Filled by the application at start-up. */
import { rootOrgId, systemOrgId } from '@castellan/contract/ids'
import { useSyncExternalStore } from 'react'

export interface Organization {
  id: string
  name: string
  is_root?: boolean
  is_default?: boolean
  /** Entered automatically with a screen, not selected by the user. */
  autoEnter?: boolean
}

export interface Choice {
  value: string | number
  label: string
}

export interface Profile {
  id: string
  name: string
  username: string
  email: string
  perms: readonly string[]
  is_superuser: boolean
  is_org_admin?: boolean
  is_first_login: boolean
  system_roles: readonly { id: string; name?: string; display_name?: string }[]
  org_roles?: readonly { id: string; name?: string; display_name?: string }[]
  console_orgs: readonly Organization[]
  audit_orgs: readonly Organization[]
  workbench_orgs: readonly Organization[]
  source?: Choice
  mfa_level?: Choice
  date_password_last_updated?: string | null
  can_public_key_auth?: boolean
  receive_backends?: readonly string[]
  [field: string]: unknown
}

export interface PublicSettings {
  INTERFACE: {
    login_title?: string
    logo_index?: string
    logo_logout?: string
    favicon?: string
    theme_info?: { colors?: Record<string, string> }
  }
  XPACK_ENABLED?: boolean
  XPACK_LICENSE_IS_VALID?: boolean
  XPACK_LICENSE_INFO?: { corporation?: string }
  TICKETS_ENABLED?: boolean
  SECURITY_PASSWORD_EXPIRATION_TIME?: number
  HELP_DOCUMENT_URL?: string
  HELP_SUPPORT_URL?: string
  SOURCE_URL?: string
  PASSWORD_RULE?: Record<string, number | boolean>
  ANNOUNCEMENT_ENABLED?: boolean
  ANNOUNCEMENT?: { ID?: string; SUBJECT?: string; CONTENT?: string; LINK?: string }
  [setting: string]: unknown
}

export interface Session {
  profile: Profile
  settings: PublicSettings
  organization: Organization
}

let current: Session | undefined
/** Fixed organization of a screen (roles: root, settings: system). */
let lent: Organization | undefined
const listeners = new Set<() => void>()

function changed(next: Session): void {
  current = next
  for (const listener of listeners) listener()
}

/** The session; only after start-up. */
export function session(): Session {
  if (!current) throw new Error('The session is read before start-up is done')
  return current
}

export const sessionIfAny = (): Session | undefined => current

export function setSession(next: Session): void {
  changed(next)
}

export function patchProfile(patch: Partial<Profile>): void {
  changed({ ...session(), profile: { ...session().profile, ...patch } })
}

/** Re-renders when profile, settings or organization change. */
export function useSession(): Session {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => session(),
  )
}

/** The organization of requests. */
export const workingOrganization = (): Organization => lent ?? session().organization

/** Whether the user administers all organizations at once. The workbench always shows all. */
const seesAll = ({ console_orgs }: Profile): boolean => console_orgs.some(({ id }) => id === rootOrgId)

/**
 * Overrides the organization until `overrideOrganization(undefined)`. Users without access to all organizations stay in
 * their own: a screen of all organizations shows their part there too.
 */
export function overrideOrganization(which: 'root' | 'system' | undefined): void {
  lent =
    which === 'root' && seesAll(session().profile)
      ? { id: rootOrgId, name: 'Global', autoEnter: true }
      : which === 'system'
        ? { id: systemOrgId, name: 'SystemSetting', autoEnter: true }
        : undefined
}

/** True if rows of all organizations are visible and none may be created. An overridden organization does not count. */
export const inRoot = (): boolean => !lent && session().organization.id === rootOrgId

export const licensed = (settings = session().settings): boolean =>
  Boolean(settings.XPACK_ENABLED && settings.XPACK_LICENSE_IS_VALID)

/** Whether the user has every entry. An entry may contain alternatives, `a | b`. An empty check is true. */
export function can(wanted: string | readonly string[] | undefined, held = session().profile.perms): boolean {
  const all = wanted === undefined ? [] : typeof wanted === 'string' ? [wanted] : wanted
  return all.every((entry) => entry.split('|').some((code) => code.trim() === '' || held.includes(code.trim())))
}

export type Verb = 'add' | 'change' | 'delete' | 'view'
/** `users.user` and `add` → `users.add_user`. */
export const code = (resource: string, verb: Verb): string => resource.replace('.', `.${verb}_`)

/** Permissions of the user on one resource; `anywhere` if the organization is fixed. */
export function rights(resource: string, anywhere = false) {
  const here = anywhere || !inRoot()
  return {
    add: here && can(code(resource, 'add')),
    change: here && can(code(resource, 'change')),
    delete: here && can(code(resource, 'delete')),
    view: can(code(resource, 'view')),
    importing: here && can(`${code(resource, 'add')} | ${code(resource, 'change')}`),
  }
}
