/** Protocols of a platform and of an asset. Pure. */

export interface OfferedProtocol {
  name: string
  port: number
  /** The port is part of the address. */
  port_from_addr?: boolean
  primary?: boolean
  required?: boolean
  default?: boolean
  public?: boolean
  secret_types?: string[]
  setting?: Record<string, unknown>
}

/** One row. Platforms store all settings, assets only name and port. */
export type ProtocolRow = Omit<OfferedProtocol, 'port'> & { port: number | string | null }
export type ProtocolMode = 'platform' | 'asset'

/** Whether a value is a valid port. */
export const isPort = (value: unknown): boolean =>
  /^\d+$/.test(String(value)) && Number(value) >= 1 && Number(value) <= 65_535

const marked = (choice: OfferedProtocol | undefined): boolean => Boolean(choice?.primary || choice?.required)

/** Whether a row can be changed or removed. Platforms define their own requirements. */
export const isFixed = (row: ProtocolRow, choices: readonly OfferedProtocol[], mode: ProtocolMode): boolean =>
  mode === 'asset' && marked(choices.find((choice) => choice.name === row.name))

/** At most one primary protocol, at the first position. A platform always has one. */
function ordered(rows: readonly ProtocolRow[], mode: ProtocolMode): ProtocolRow[] {
  if (mode === 'asset') return [...rows]
  const first = rows.find((row) => row.primary) ?? rows[0]
  if (!first) return []
  const primary = rows.some((row) => row.primary) ? first : { ...first, primary: true, default: true, public: true }
  return [
    primary,
    ...rows.filter((row) => row !== first).map((row) => (row.primary ? { ...row, primary: false } : row)),
  ]
}

/** Initial rows: configured ones, otherwise required, primary or default ones, otherwise the first choice. */
export function firstProtocols(value: unknown, choices: readonly OfferedProtocol[], mode: ProtocolMode): ProtocolRow[] {
  const set = (Array.isArray(value) ? value : []) as ProtocolRow[]
  const merged = set.map((row) => ({ ...choices.find((choice) => choice.name === row.name), ...row }))
  const initial = choices.filter((choice) => marked(choice) || choice.default)
  const rows = merged.length > 0 ? merged : initial.length > 0 ? initial : choices.slice(0, 1)
  const missing = choices.filter((choice) => marked(choice) && !rows.some((row) => row.name === choice.name))
  return ordered([...rows, ...missing], mode)
}

/** Names of rows with an invalid port. */
export const withoutPort = (value: unknown): string[] =>
  ((Array.isArray(value) ? value : []) as ProtocolRow[]).filter(({ port }) => !isPort(port)).map(({ name }) => name)

/** The rows in wire format. */
export const sentProtocols = (rows: readonly ProtocolRow[], mode: ProtocolMode): ProtocolRow[] =>
  mode === 'asset' ? rows.map(({ name, port }) => ({ name, port })) : [...rows]

/** The rows with one changed. A new primary row replaces the previous one and moves to the front. */
export function withProtocol(
  rows: readonly ProtocolRow[],
  index: number,
  next: ProtocolRow,
  mode: ProtocolMode,
): ProtocolRow[] {
  const made = next.primary && !rows[index]?.primary
  return ordered(
    rows.map((row, at) => (at === index ? next : made ? { ...row, primary: false } : row)),
    mode,
  )
}

/** The port in an address, or the default of its scheme. */
export function portOfAddress(address: string): number {
  const [authority = ''] = address.replace(/^\w+:\/\//, '').split(/[/?#]/)
  // The colons of an IPv6 address are not before a port unless it is in brackets.
  const explicit = /^(?:[^@]*@)?(?:\[[^\]]*\]|[^:]*):(\d+)$/.exec(authority)
  if (explicit) return Number(explicit[1])
  return /^https:|^(?!\w+:\/\/)/i.test(address) ? 443 : 80
}

/** Effect of a changed setting on the rest of a row: WinRM is never public, and TLS has a separate port. */
export function withSetting(row: ProtocolRow, setting: Record<string, unknown>): ProtocolRow {
  if (row.name !== 'winrm') return { ...row, setting }
  const turned = setting.use_ssl !== row.setting?.use_ssl
  return { ...row, setting, public: false, port: turned ? (setting.use_ssl ? 5986 : 5985) : row.port }
}

const ofBasic = new Set(['username_selector', 'password_selector', 'submit_selector'])

/** Whether a setting applies with the current other settings. */
export const settingApplies = (name: string, setting: Readonly<Record<string, unknown>>): boolean =>
  ofBasic.has(name) ? setting.autofill === 'basic' : name === 'script' ? setting.autofill === 'script' : true
