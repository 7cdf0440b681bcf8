/** Constraints of asset types, and the response of `/assets/categories/`. */
import {
  type AssetCategory,
  type AssetType,
  assetCategories,
  assetCategoryLabels,
  assetTypeLabels,
  assetTypes,
} from './asset-types.ts'
import {
  type AutomationItem,
  type AutomationMethodId,
  automationItems,
  automationMethodName,
  automationMethodsFor,
} from './automation-methods.ts'
import type { Language } from './messages.ts'
import { type ProtocolSettingValue, protocolOf, protocolSettingDefaults } from './protocols.ts'

export type Charset = 'utf-8' | 'gbk'
export type SuMethod = 'sudo' | 'su' | 'enable' | 'super' | 'super_level'
export type AnsibleConfig = Readonly<Record<string, string | number>>

interface BaseConstraints {
  readonly charset_enabled: boolean
  readonly charset?: Charset
  readonly domain_enabled: boolean
  readonly su_enabled: boolean
  readonly su_methods?: readonly SuMethod[]
}

interface AutomationFlags {
  readonly ansible: boolean
  /** Absent where the v3 API has no such key. */
  readonly config?: AnsibleConfig
  readonly items: Readonly<Partial<Record<AutomationItem, boolean>>>
}

const hostBase = (su: boolean): BaseConstraints => ({
  charset_enabled: true,
  charset: 'utf-8',
  domain_enabled: true,
  su_enabled: su,
  su_methods: ['sudo', 'su'],
})
const plainBase = (domain: boolean): BaseConstraints => ({
  charset_enabled: false,
  domain_enabled: domain,
  su_enabled: false,
})

/** Constraints of a type except protocols and automation. */
export function baseConstraintsOf(category: AssetCategory, type: string): BaseConstraints {
  switch (category) {
    case 'host':
      return hostBase(type === 'linux' || type === 'unix')
    case 'device':
      return {
        charset_enabled: false,
        domain_enabled: true,
        su_enabled: true,
        su_methods: ['enable', 'super', 'super_level'],
      }
    case 'database':
      return plainBase(true)
    case 'cloud':
      return plainBase(type === 'k8s')
    default:
      return plainBase(false)
  }
}

/** Protocols of a built-in type, the default protocol first. */
export function protocolsOfType(category: AssetCategory, type: string): readonly string[] {
  switch (category) {
    case 'host':
      return type === 'windows' ? ['rdp', 'ssh', 'sftp', 'vnc', 'winrm'] : ['ssh', 'sftp', 'telnet', 'vnc', 'rdp']
    case 'device':
      return ['ssh', 'telnet', 'sftp']
    case 'cloud':
      return type === 'k8s' ? ['k8s'] : ['http']
    case 'web':
      return ['http']
    case 'custom':
      return []
    default:
      return [type]
  }
}

const every = (on: boolean): Record<AutomationItem, boolean> => ({
  ping: on,
  gather_facts: on,
  gather_accounts: on,
  verify_account: on,
  change_secret: on,
  push_account: on,
})
/** Cloud and custom types have no ping, not even a disabled one. */
const noPing: AutomationFlags['items'] = {
  gather_facts: false,
  gather_accounts: false,
  verify_account: false,
  change_secret: false,
  push_account: false,
}
const withoutAnsible: readonly string[] = ['db2', 'clickhouse', 'redis']

/** Automations supported by a type. */
function automationFlagsOf(category: AssetCategory, type: string): AutomationFlags {
  switch (category) {
    case 'host':
      if (type === 'other') return { ansible: false, config: { ansible_connection: 'smart' }, items: every(false) }
      if (type === 'windows') {
        return {
          ansible: true,
          config: { ansible_shell_type: 'cmd', ansible_connection: 'smart' },
          items: every(true),
        }
      }
      return { ansible: true, config: { ansible_connection: 'smart' }, items: every(true) }
    case 'device':
      return {
        ansible: true,
        config: { ansible_connection: 'local', first_conn_delay_time: 0.5 },
        items: { ...every(false), ping: true, verify_account: true, change_secret: true },
      }
    case 'database': {
      const on = !withoutAnsible.includes(type)
      return {
        ansible: on,
        config: { ansible_connection: 'local' },
        items: { ...every(on), gather_facts: false },
      }
    }
    case 'cloud':
    case 'custom':
      return { ansible: false, config: {}, items: noPing }
    default:
      return { ansible: false, items: every(false) }
  }
}

export interface ProtocolConstraint {
  name: string
  port: number
  secret_types: readonly string[]
  required?: true
  port_from_addr?: true
  xpack?: true
  setting: Record<string, ProtocolSettingValue>
  default?: true
}

export type AutomationConstraint = Record<string, unknown>

export interface TypeConstraints extends BaseConstraints {
  readonly protocols: ProtocolConstraint[]
  readonly automation: AutomationConstraint
}

function protocolConstraint(name: string, first: boolean): ProtocolConstraint {
  const protocol = protocolOf(name)
  return {
    name,
    port: protocol?.port ?? 0,
    secret_types: protocol?.secretTypes ?? ['password'],
    ...(protocol?.required && { required: true as const }),
    ...(protocol?.portFromAddr && { port_from_addr: true as const }),
    ...(protocol?.extended && { xpack: true as const }),
    setting: protocolSettingDefaults(name),
    ...(first && { default: true as const }),
  }
}

function automationConstraint(category: AssetCategory, type: string, language: Language): AutomationConstraint {
  const { ansible, config, items } = automationFlagsOf(category, type)
  const answer: AutomationConstraint = { ansible_enabled: ansible }
  if (config) answer.ansible_config = config
  for (const item of automationItems) {
    if (items[item] !== undefined) answer[`${item}_enabled`] = items[item]
  }
  // The v3 API returns the methods of all truthy keys, including these two, although they have no choices.
  if (ansible) answer.ansible_methods = []
  if (config && Object.keys(config).length > 0) answer.ansible_config_methods = []
  for (const item of automationItems) {
    if (items[item]) answer[`${item}_methods`] = methodChoices(category, type, item, language)
  }
  return answer
}

function methodChoices(category: AssetCategory, type: string, item: AutomationItem, language: Language) {
  return automationMethodsFor(category, type, item).map((id: AutomationMethodId) => ({
    name: automationMethodName(id, language),
    id,
  }))
}

/** A custom type: exists while custom platforms of the type exist, with the protocols they declare. */
export interface CustomType {
  readonly type: string
  readonly protocols: readonly { readonly name: string; readonly port: number }[]
}

/**
 * All constraints of a type, as in `/assets/categories/constraints/`; undefined for an unknown type. `custom` contains
 * the types of the installed custom platforms.
 */
export function constraintsFor(
  category: AssetCategory,
  type: string,
  language: Language,
  custom: readonly CustomType[] = [],
): TypeConstraints | undefined {
  const known: readonly string[] = assetTypes[category]
  const own = category === 'custom' ? custom.find((one) => one.type === type) : undefined
  if (!known.includes(type) && !own) return undefined
  const protocols = own
    ? own.protocols.map(({ name, port }, index) => ({ ...protocolConstraint(name, index === 0), port }))
    : protocolsOfType(category, type).map((name, index) => protocolConstraint(name, index === 0))
  return {
    ...baseConstraintsOf(category, type),
    protocols,
    automation: automationConstraint(category, type, language),
  }
}

export interface TypeAnswer {
  label: string
  value: string
  category: AssetCategory
  constraints: TypeConstraints
}

export interface CategoryAnswer {
  label: string
  value: AssetCategory
  types: TypeAnswer[]
}

export interface CategoriesRequest {
  language: Language
  custom?: readonly CustomType[]
}

/** The response of `GET /assets/categories/`, without categories that have no type. */
export function categoriesAnswer({ language, custom = [] }: CategoriesRequest): CategoryAnswer[] {
  const answer: CategoryAnswer[] = []
  for (const category of assetCategories) {
    const names = category === 'custom' ? custom.map(({ type }) => type) : assetTypes[category]
    const types = names.flatMap((value): TypeAnswer[] => {
      const constraints = constraintsFor(category, value, language, custom)
      return constraints ? [{ label: typeLabel(value, language), value, category, constraints }] : []
    })
    if (types.length > 0) answer.push({ label: assetCategoryLabels[category][language], value: category, types })
  }
  return answer
}

/** The label of a type. A custom type is its own label. */
export function typeLabel(type: string, language: Language): string {
  return Object.hasOwn(assetTypeLabels, type) ? assetTypeLabels[type as AssetType][language] : type
}

/** The flat response of `GET /assets/categories/types/`. */
export function typesAnswer(request: CategoriesRequest): TypeAnswer[] {
  return categoriesAnswer(request).flatMap(({ types }) => types)
}
