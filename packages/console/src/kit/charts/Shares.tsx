import type { Status as Tone } from '../../tokens.ts'
import { number } from '../row.ts'
import { NoData } from './NoData.tsx'

export interface Share {
  /** On the wire, for `data-share`. */
  key?: string
  label: string
  total: number
  /** For results; other parts are distinguished by the colors of charts. */
  tone?: Tone | 'remaining'
}

const colorOf = ({ tone }: Share, index: number): string =>
  `var(--${tone === 'remaining' ? 'line-strong' : (tone ?? `chart-${(index % 5) + 1}`)})`

/** Shares of a total in one bar, with their numbers. */
export function Shares({
  chart,
  parts,
}: {
  /** Name of the metric, for `data-chart`. */
  chart: string
  parts: readonly Share[] | undefined
}) {
  if (!parts)
    return (
      <div className="in-card" data-chart={chart} aria-busy>
        <div className="shares" />
        <div className="legend wrap">{'\u00a0'}</div>
      </div>
    )
  const sum = parts.reduce((all, part) => all + part.total, 0)
  if (sum === 0) return <NoData chart={chart} />
  return (
    <div className="in-card" data-chart={chart}>
      <div className="shares">
        {parts.map(
          (part, i) =>
            part.total > 0 && (
              <i
                key={part.label}
                title={`${part.label}: ${number(part.total)}`}
                style={{ flexGrow: part.total, background: colorOf(part, i) }}
              />
            ),
        )}
      </div>
      <div className="legend wrap">
        {parts.map((part, i) => (
          <span key={part.label} data-share={part.key}>
            <i style={{ background: colorOf(part, i) }} />
            {part.label} <b className="num">{number(part.total)}</b>
          </span>
        ))}
      </div>
    </div>
  )
}
