/** Selection of the current organization. */
import { systemOrgId } from '@castellan/contract/ids'
import { licensed, type Organization, type PublicSettings } from './session.ts'

/** The default organization, otherwise the first that is neither the root nor the system organization. */
export function defaultOrganization(list: readonly Organization[]): Organization | undefined {
  const own = list.filter(({ id }) => id !== systemOrgId)
  return own.find((org) => org.is_default) ?? own.find((org) => !org.is_root) ?? own[0]
}

/**
 * The requested organization if it is in the list, otherwise the default one. Without a valid license there is no
 * selector, so the request is ignored: a user left in the root organization could not change anything and could not
 * leave it.
 */
export function selectOrganization(
  list: readonly Organization[],
  wanted: string | undefined,
  settings: PublicSettings,
): Organization | undefined {
  const chosen = licensed(settings) ? list.find(({ id }) => id === wanted && id !== systemOrgId) : undefined
  return chosen ?? defaultOrganization(list)
}
