import type { AutomationItem } from '@castellan/contract/automation-methods'
import { automationMethods } from '@castellan/contract/automation-methods'
import { isObject, own } from '../../../kernel/fields/safe-lookup.ts'
import type { Automation } from '../platforms/platform-automation.ts'

/** What a platform says about one kind of automation. */
export interface PlatformMethod {
  /** Automations are enabled for the platform, and so is this kind. */
  isEnabled: boolean
  /** The id of the chosen method; undefined when none of the catalogue is chosen. */
  method: string | undefined
}

/** Whether a platform allows a kind of automation, and by which method. */
export function platformMethod(automation: Automation | undefined, item: AutomationItem): PlatformMethod {
  const method: unknown = automation?.[`${item}_method`]
  return {
    isEnabled: Boolean(automation?.ansible_enabled && automation[`${item}_enabled`]),
    method: typeof method === 'string' && own(automationMethods, method) ? method : undefined,
  }
}

const objectIn = (value: unknown): Record<string, unknown> =>
  isObject(value) ? (value as Record<string, unknown>) : {}

/**
 * The parameters of a method on a platform: those of the run if it has any for the method, else the platform's for the
 * method. A missing one is the catalogue's default, an empty one what the platform says under its name.
 */
export function methodParams(
  automation: Automation | undefined,
  item: AutomationItem,
  sent: unknown,
): Record<string, unknown> {
  const { method } = platformMethod(automation, item)
  const declared = method === undefined ? undefined : own(automationMethods, method)?.params
  if (method === undefined || !declared) return {}
  const ofPlatform = objectIn(automation?.[`${item}_params`])
  const ofRun = objectIn(own(objectIn(sent), method))
  const chosen = Object.keys(ofRun).length > 0 ? ofRun : objectIn(own(ofPlatform, method))
  return Object.fromEntries(
    Object.entries(declared).map(([name, param]) => {
      const value = own(chosen, name) ?? param.default
      return [name, value === '' ? (own(ofPlatform, name) ?? '') : value]
    }),
  )
}
