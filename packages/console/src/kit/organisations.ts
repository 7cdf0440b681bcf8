/** Which of somebody's organisations is worked in (spec 1 §4, §7). */
import { systemOrgId } from '@castellan/contract/ids'
import { licensed, type Organisation, type PublicSettings } from './session.ts'

/** Default target: the default organisation, else the first that is neither all nor the system's (spec 1 §4). */
export function defaultOrganisation(list: readonly Organisation[]): Organisation | undefined {
  const own = list.filter(({ id }) => id !== systemOrgId)
  return own.find((org) => org.is_default) ?? own.find((org) => !org.is_root) ?? own[0]
}

/**
 * The one of a list that is wanted, else the default one. Nobody chooses without a valid licence: whoever had chosen all
 * organisations, where nothing can be made or changed, would find no way out.
 */
export function organisationIn(
  list: readonly Organisation[],
  wanted: string | undefined,
  settings: PublicSettings,
): Organisation | undefined {
  const chosen = licensed(settings) ? list.find(({ id }) => id === wanted && id !== systemOrgId) : undefined
  return chosen ?? defaultOrganisation(list)
}
