import { automationItemLabels, automationItems } from '@castellan/contract/automation-methods'
import { charsets, suMethods } from '@castellan/contract/choices/assets'
import type { Language } from '@castellan/contract/messages'
import { assetsMessages } from '@castellan/contract/messages/assets'
import type { platformEffects } from '@castellan/contract/messages/platform-effects'
import { typeLabel } from '@castellan/contract/platforms'
import type { StoredRow } from '../../../kernel/fields/index.ts'
import { own } from '../../../kernel/fields/safe-lookup.ts'
import type { CustomField } from './custom-fields.ts'

interface Protocol {
  name: string
  port: number
  primary: boolean
  required: boolean
  public: boolean
  setting: StoredRow
}

/** A platform before or after a change. */
export interface PlatformState {
  type: string
  charset: string
  domain_enabled: boolean
  su_enabled: boolean
  su_method: string | null
  automation: StoredRow
  custom_fields: readonly CustomField[]
  protocols: readonly Protocol[]
}

/** What is counted: assets, those with or without a protocol, a domain or a value of a field; accounts; permissions. */
export type Counted =
  | { of: 'assets' }
  | { of: 'with protocol' | 'without protocol' | 'permissions'; protocol: string }
  | { of: 'other port'; protocol: string; port: number }
  | { of: 'with domain' | 'switching accounts' }
  | { of: 'with value'; field: string }

/** One consequence of a change, before it is known how many objects it concerns. */
export interface Effect {
  effect: keyof typeof platformEffects
  /** The field of the platform that changes. */
  field: string
  /** What the change is about: a protocol, an automation, a custom field. */
  subject?: string
  value?: string | number
  counted: Counted
}

const same = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
const demanded = (protocol: Protocol | undefined) => Boolean(protocol?.primary || protocol?.required)
const assets: Counted = { of: 'assets' }

function protocolEffects(before: PlatformState, after: PlatformState): Effect[] {
  const old = new Map(before.protocols.map((one) => [one.name, one]))
  const now = new Map(after.protocols.map((one) => [one.name, one]))
  const about = (effect: Effect['effect'], subject: string, counted: Counted, value?: number): Effect => ({
    effect,
    field: 'protocols',
    subject,
    counted,
    ...(value === undefined ? {} : { value }),
  })
  const gone = [...old.keys()]
    .filter((name) => !now.has(name))
    .flatMap((name) => [
      about('protocol_removed', name, { of: 'with protocol', protocol: name }),
      about('protocol_permissions', name, { of: 'permissions', protocol: name }),
    ])
  const changed = after.protocols.flatMap((one) => {
    const { name, port } = one
    const was = old.get(name)
    const lacking: Counted = { of: 'without protocol', protocol: name }
    const having: Counted = { of: 'with protocol', protocol: name }
    const found: Effect[] = []
    if (demanded(one) && !demanded(was)) found.push(about('protocol_demanded', name, lacking))
    else if (!was) found.push(about('protocol_added', name, lacking))
    if (!was) return found
    if (was.port !== port) found.push(about('protocol_port', name, { of: 'other port', protocol: name, port }, port))
    if (was.public !== one.public) found.push(about(one.public ? 'protocol_shown' : 'protocol_hidden', name, having))
    if (!same(was.setting, one.setting)) found.push(about('protocol_setting', name, having))
    return found
  })
  return [...gone, ...changed]
}

function automationEffects(before: StoredRow, after: StoredRow, language: Language): Effect[] {
  const about = (effect: Effect['effect'], subject: string): Effect => ({
    effect,
    field: 'automation',
    subject,
    counted: assets,
  })
  const whole = assetsMessages.all_automations[language]
  if (before.ansible_enabled !== after.ansible_enabled)
    return [about(after.ansible_enabled ? 'automation_on' : 'automation_off', whole)]
  if (!after.ansible_enabled) return []
  const config = same(before.ansible_config, after.ansible_config)
    ? []
    : [about('automation_changed', assetsMessages.ansible_config[language])]
  const items = automationItems.flatMap((item) => {
    const label = automationItemLabels[item][language]
    const enabled = after[`${item}_enabled`]
    if (Boolean(before[`${item}_enabled`]) !== Boolean(enabled))
      return [about(enabled ? 'automation_on' : 'automation_off', label)]
    const differs = ['method', 'params'].some((part) => !same(before[`${item}_${part}`], after[`${item}_${part}`]))
    return enabled && differs ? [about('automation_changed', label)] : []
  })
  return [...config, ...items]
}

function fieldEffects(before: PlatformState, after: PlatformState): Effect[] {
  const now = new Map(after.custom_fields.map((one) => [one.name, one]))
  const old = new Set(before.custom_fields.map(({ name }) => name))
  const about = (effect: Effect['effect'], { name, label }: CustomField, counted: Counted): Effect => ({
    effect,
    field: 'custom_fields',
    subject: label || name,
    counted,
  })
  const changed = before.custom_fields.flatMap((one) => {
    const next = now.get(one.name)
    const having: Counted = { of: 'with value', field: one.name }
    if (!next) return [about('field_removed', one, having)]
    const differs = next.type !== one.type || (next.type === 'choice' && !same(next.choices, one.choices))
    return differs ? [about('field_type', next, having)] : []
  })
  const added = after.custom_fields.filter(({ name }) => !old.has(name))
  return [...changed, ...added.map((one) => about('field_added', one, assets))]
}

/** What a change of a platform does to its assets, in the order of the form. */
export function effectsOf(before: PlatformState, after: PlatformState, language: Language): Effect[] {
  const found: Effect[] = []
  if (before.type !== after.type)
    found.push({ effect: 'type', field: 'type', value: typeLabel(after.type, language), counted: assets })
  if (before.charset !== after.charset) {
    const value = own(charsets, after.charset)?.[language] ?? after.charset
    found.push({ effect: 'charset', field: 'charset', value, counted: assets })
  }
  if (before.domain_enabled !== after.domain_enabled)
    found.push({
      effect: after.domain_enabled ? 'domain_on' : 'domain_off',
      field: 'domain_enabled',
      counted: { of: 'with domain' },
    })
  found.push(...protocolEffects(before, after))
  const switching: Counted = { of: 'switching accounts' }
  if (before.su_enabled !== after.su_enabled)
    found.push({ effect: after.su_enabled ? 'su_on' : 'su_off', field: 'su_enabled', counted: switching })
  else if (after.su_enabled && before.su_method !== after.su_method) {
    const value = own(suMethods, String(after.su_method))?.[language] ?? '-'
    found.push({ effect: 'su_method', field: 'su_method', value, counted: switching })
  }
  return [...found, ...automationEffects(before.automation, after.automation, language), ...fieldEffects(before, after)]
}
