/** Display of values in lists, cards and facts. */
import type { ReactNode } from 'react'
import type { FieldInfo } from './api/metadata.ts'
import { actorOf, at, exactTime, nameParts, type Row, relativeTime, timestampOf, wordOf, wordsOf } from './row.ts'
import { Dot, Status, Tick } from './status.tsx'
import { t } from './text.ts'

/** A relative time; the exact time on hover. */
export function Time({ value }: { value: unknown }) {
  const timestamp = timestampOf(value)
  if (!timestamp) return <span className="muted">–</span>
  return <time title={exactTime(timestamp)}>{relativeTime(timestamp)}</time>
}

/** As many items as fit, then the count of the others; all on hover. */
export function Words({ of, most = 2 }: { of: readonly string[]; most?: number }) {
  if (of.length === 0) return <span className="muted">–</span>
  const full = of.join(', ')
  const fits = (
    <span className="clip" data-full={full}>
      {of.slice(0, most).join(', ')}
    </span>
  )
  if (of.length <= most) return fits
  return (
    <span className="line" data-full={full}>
      {fits}
      <span className="muted small">+{of.length - most}</span>
    </span>
  )
}

export const Mono = ({ children }: { children: ReactNode }) => <span className="mono">{children}</span>

const usual: Readonly<Record<string, number>> = {
  ssh: 22,
  sftp: 22,
  telnet: 23,
  rdp: 3389,
  vnc: 5900,
  winrm: 5985,
  postgresql: 5432,
  mysql: 3306,
  mariadb: 3306,
  oracle: 1521,
  sqlserver: 1433,
  redis: 6379,
  mongodb: 27017,
  k8s: 443,
  http: 80,
}

interface NamedPort {
  name: string
  port?: number
}

/** Text of a protocol chip: name, and the port unless it is the default. */
const portOf = ({ name, port }: NamedPort) => (port && port !== usual[name] ? port : undefined)

/**
 * Number of chips that fit beside each other in the width of `most` short ones. Only the first one may be truncated.
 */
function chipsFor<T>(all: readonly T[], most: number, wordsOf: (item: T) => string): readonly T[] {
  let room = most * 8
  return all.slice(0, most).filter((item, index) => {
    // A Chinese or Japanese character is as wide as two letters.
    room -= 2 + wordsOf(item).replaceAll(/[^\x20-\x7e\u00c0-\u024f]/g, '__').length
    return index === 0 || room >= 0
  })
}

/** All items as a tooltip, if some are only counted. */
const fullOf = <T,>(all: readonly T[], fits: readonly T[], wordsOf: (item: T) => string): string | undefined =>
  fits.length < all.length ? all.map(wordsOf).join(', ') : undefined

/** Protocols, with ports that are not the default. */
export function Protocols({ of, most = 2 }: { of: unknown; most?: number }) {
  const all = (Array.isArray(of) ? of : []) as NamedPort[]
  if (all.length === 0) return null
  const words = (item: NamedPort) => `${item.name} ${portOf(item) ?? ''}`.trim()
  const fits = chipsFor(all, most, words)
  return (
    <span className="line" data-full={fullOf(all, fits, words)}>
      {fits.map((item) => (
        <span className="proto" key={item.name}>
          {item.name}
          {portOf(item) && <em>{portOf(item)}</em>}
        </span>
      ))}
      {all.length > fits.length && <span className="muted small">+{all.length - fits.length}</span>}
    </span>
  )
}

/** Labels `key: value`. */
export function Labels({ of, most = 2 }: { of: unknown; most?: number }) {
  const all = (Array.isArray(of) ? of : []) as { id?: string; name?: string; value?: string }[]
  if (all.length === 0) return null
  const words = (item: (typeof all)[number]) => `${item.name}: ${item.value}`
  const fits = chipsFor(all, most, words)
  return (
    <span className="line" data-full={fullOf(all, fits, words)}>
      {fits.map((item) => (
        <span className="label" key={item.id ?? `${item.name}:${item.value}`}>
          <em>{item.name}:</em>
          {item.value}
        </span>
      ))}
      {all.length > fits.length && <span className="muted small">+{all.length - fits.length}</span>}
    </span>
  )
}

/** Connectivity: `ok`, `err`, `-`/`unknown` (the choices of the v3 API). */
export function Connectivity({ value }: { value: unknown }) {
  const raw = typeof value === 'object' && value !== null ? (value as { value?: string }).value : value
  if (raw === 'ok') return <Dot is="ok">{t('reachable')}</Dot>
  if (raw === 'err') return <Dot is="danger">{t('unreachable')}</Dot>
  return <Dot is="idle">{t('unknown')}</Dot>
}

/** First column: icon, name, secondary line. */
export function NameCell({
  icon,
  name,
  secondary,
  href,
}: {
  icon?: ReactNode
  name: ReactNode
  secondary?: ReactNode
  href?: string
}) {
  return (
    <span className="name-cell">
      {icon}
      {href ? <a href={`#${href}`}>{name}</a> : <b>{name}</b>}
      {secondary ? <small>{secondary}</small> : null}
    </span>
  )
}

/** Text in brackets of a recorded name, shown below the name. Empty if it equals the name. */
export function innerOf(value: unknown): ReactNode {
  const { name, inner } = nameParts(value)
  return inner === name ? undefined : <span className="mono">{inner}</span>
}

/** A user or object recorded as `name(inner)`, one line each. */
export function Named({ of, href }: { of: unknown; href?: string }) {
  const { name } = nameParts(of)
  if (!name) return <span className="muted">–</span>
  return <NameCell name={name} secondary={innerOf(of)} href={href} />
}

/** A recorded account: its username; the account name on hover. */
export const AccountOf = ({ of }: { of: unknown }) => (
  <span className="clip" data-full={wordOf(of)}>
    {nameParts(of).inner || '–'}
  </span>
)

/** Initials; `big` beside a page title. */
export function Avatar({ name, big }: { name: string; big?: boolean }) {
  const latin = !/[^\x20-\x7e\u00c0-\u024f]/.test(name)
  const letters = latin
    ? name
        .split(/[\s._-]+/)
        .map((part) => /[\p{L}\p{N}]/u.exec(part)?.[0] ?? '')
        .slice(0, 2)
        .join('')
        .toUpperCase()
    : name.slice(0, 1)
  return (
    <span className={big ? 'avatar big' : 'avatar'} aria-hidden>
      {letters}
    </span>
  )
}

/**
 * Renders a value by its field type; `-` if empty. A plain function, because a page of a hundred rows has a thousand
 * cells and React would have to track each as a component.
 */
export function drawValue(value: unknown, info?: FieldInfo, most?: number): ReactNode {
  if (value === undefined || value === null || value === '') return <span className="muted">–</span>
  if (typeof value === 'boolean') return value ? Tick({ yes: true, word: t('yes') }) : <span className="muted">–</span>
  if (info?.type === 'datetime') return Time({ value })
  if (Array.isArray(value)) {
    const words = wordsOf(value)
    return words.length > 0 || value.length === 0 ? Words({ of: words, most }) : <span className="muted">–</span>
  }
  const word = wordOf(value)
  if (!word && typeof value === 'object') return <Mono>{JSON.stringify(value)}</Mono>
  return word
}

/** Fields that name the user who created or updated a row. */
export const actors: ReadonlySet<string> = new Set(['created_by', 'updated_by'])

/** Content of a list cell. */
export function drawCell(row: Row, name: string, info?: FieldInfo, falseWord?: string): ReactNode {
  const value = at(row, name)
  if (info?.type === 'boolean' && falseWord) {
    return value === false ? <Status is="idle">{falseWord}</Status> : Tick({ yes: value === true, word: t('yes') })
  }
  return value === false ? null : drawValue(actors.has(name) ? actorOf(value) : value, info)
}
