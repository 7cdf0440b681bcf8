/** Facts of an object: labels from metadata, values by type; a click copies. */
import type { ReactNode } from 'react'
import type { Fields } from '../api/metadata.ts'
import { actors, drawValue } from '../cells.tsx'
import { copyText } from '../copy.ts'
import { infoOf, labelOfField } from '../form/values.ts'
import { actorOf, at, exactTime, nameParts, type PathOf, type Row, timestampOf, wordOf } from '../row.ts'
import { type TextKey, t } from '../text.ts'

export interface Fact<R extends Row = Row, F extends string = PathOf<R>> {
  name: F
  label?: TextKey
  render?(row: R): ReactNode
  mono?: boolean
  /** A value recorded as `name(inner)`: the text in brackets is less prominent. */
  parted?: boolean
  visible?(row: R): boolean
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.map(wordOf).join(', ') : wordOf(value))

function FactValue({ fact, row, fields }: { fact: Fact; row: Row; fields: Fields }): ReactNode {
  if (fact.render) return fact.render(row) || <span className="muted">–</span>
  const info = infoOf(fields, fact.name)
  const read = at(row, fact.name)
  const value = actors.has(fact.name) ? actorOf(read) : read
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  if (fact.parted) {
    const { name, inner } = nameParts(value)
    if (name) return inner === name ? name : <PartedName name={name} inner={inner} />
  }
  const timestamp = info?.type === 'datetime' || /^date_|last_login$/.test(fact.name) ? timestampOf(value) : undefined
  if (timestamp) return exactTime(timestamp)
  return drawValue(value, info, 20)
}

const PartedName = ({ name, inner }: { name: string; inner: string }) => (
  <>
    {name} <span className="mono muted">{inner}</span>
  </>
)

export function Facts({ row, fields, facts }: { row: Row; fields: Fields; facts: readonly (string | Fact)[] }) {
  const shown = facts
    .map((fact) => (typeof fact === 'string' ? { name: fact } : fact) as Fact)
    .filter((fact) => fact.visible?.(row) ?? true)
    .filter((fact) => fact.render || infoOf(fields, fact.name) || at(row, fact.name) !== undefined)
  return (
    <dl className="facts">
      {shown.map((fact) => (
        <div key={fact.name} data-field={fact.name}>
          <dt>{fact.label ? t(fact.label) : labelOfField(fields, fact.name)}</dt>
          <dd className={fact.mono ? 'mono' : undefined}>
            {fact.render || !textOf(at(row, fact.name)) ? (
              <FactValue fact={fact} row={row} fields={fields} />
            ) : (
              <button
                type="button"
                className="copyable"
                title={t('clickToCopy')}
                onClick={() => void copyText(textOf(at(row, fact.name)))}
              >
                <FactValue fact={fact} row={row} fields={fields} />
              </button>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** All readable fields, for objects without a declared card. */
export const everyFact = (fields: Fields): string[] =>
  Object.keys(fields).filter(
    (name) => name !== 'org_id' && !fields[name]?.write_only && fields[name]?.type !== 'nested object',
  )
