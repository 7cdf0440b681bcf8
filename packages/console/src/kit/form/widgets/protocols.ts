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

/** One row: a platform keeps everything, an asset name and port. */
export type ProtocolRow = Omit<OfferedProtocol, 'port'> & { port: number | string | null }
export type ProtocolMode = 'platform' | 'asset'

/** Whether something typed is a port. */
export const isPort = (value: unknown): boolean =>
  /^\d+$/.test(String(value)) && Number(value) >= 1 && Number(value) <= 65_535

const marked = (choice: OfferedProtocol | undefined): boolean => Boolean(choice?.primary || choice?.required)

/** Whether a row's protocol may be changed or taken away. A platform decides itself what it requires. */
export const isFixed = (row: ProtocolRow, choices: readonly OfferedProtocol[], mode: ProtocolMode): boolean =>
  mode === 'asset' && marked(choices.find((choice) => choice.name === row.name))

/** One primary at most, standing first; in a platform there is always one. */
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

/** The rows to begin with: what is set, else what is required, primary or default, else the first choice. */
export function firstProtocols(value: unknown, choices: readonly OfferedProtocol[], mode: ProtocolMode): ProtocolRow[] {
  const set = (Array.isArray(value) ? value : []) as ProtocolRow[]
  const merged = set.map((row) => ({ ...choices.find((choice) => choice.name === row.name), ...row }))
  const wanted = choices.filter((choice) => marked(choice) || choice.default)
  const rows = merged.length > 0 ? merged : wanted.length > 0 ? wanted : choices.slice(0, 1)
  const missing = choices.filter((choice) => marked(choice) && !rows.some((row) => row.name === choice.name))
  return ordered([...rows, ...missing], mode)
}

/** Names of the rows whose port is none. */
export const withoutPort = (value: unknown): string[] =>
  ((Array.isArray(value) ? value : []) as ProtocolRow[]).filter(({ port }) => !isPort(port)).map(({ name }) => name)

/** What is sent of the rows. */
export const sentProtocols = (rows: readonly ProtocolRow[], mode: ProtocolMode): ProtocolRow[] =>
  mode === 'asset' ? rows.map(({ name, port }) => ({ name, port })) : [...rows]

/** The rows with one changed; made primary, it takes that from the others and moves to the front. */
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

/** The port an address names, or the usual one of its scheme. */
export function portOfAddress(address: string): number {
  const explicit = /^(?:\w+:\/\/)?[^/?#]*:(\d+)(?:[/?#]|$)/.exec(address)
  if (explicit) return Number(explicit[1])
  return /^https:|^(?!\w+:\/\/)/i.test(address) ? 443 : 80
}

/** What a changed setting does to the rest of a row: WinRM is never public, and TLS has a port of its own. */
export function withSetting(row: ProtocolRow, setting: Record<string, unknown>): ProtocolRow {
  if (row.name !== 'winrm') return { ...row, setting }
  const turned = setting.use_ssl !== row.setting?.use_ssl
  return { ...row, setting, public: false, port: turned ? (setting.use_ssl ? 5986 : 5985) : row.port }
}

const ofBasic = new Set(['username_selector', 'password_selector', 'submit_selector'])

/** Whether a setting means something beside the others. */
export const settingApplies = (name: string, setting: Readonly<Record<string, unknown>>): boolean =>
  ofBasic.has(name) ? setting.autofill === 'basic' : name === 'script' ? setting.autofill === 'script' : true
