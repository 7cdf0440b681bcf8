import { number } from '../row.ts'
import { NoData } from './NoData.tsx'

export interface Ranked {
  user?: string
  asset?: string
  user_id?: string
  total: number
}

/** Bar chart, longest first. */
export function TopList({
  chart,
  column,
  rows,
  name,
  inner,
  href,
}: {
  /** Name of the metric, for `data-chart`. */
  chart: string
  /** Name of the ranked field, for `data-column`. */
  column: string
  /** Undefined until loaded. */
  rows: readonly Ranked[] | undefined
  name: (row: Ranked) => string
  /** Additional text after the name. */
  inner: (row: Ranked) => string
  href?: (row: Ranked) => string | undefined
}) {
  if (!rows) return <p className="in-card" data-chart={chart} aria-busy />
  const most = Math.max(1, ...rows.map((row) => row.total))
  if (rows.length === 0) return <NoData chart={chart} />
  return (
    <ol className="toplist" data-chart={chart}>
      {rows.map((row) => {
        const to = href?.(row)
        const words = (
          <>
            {name(row)} {inner(row) !== name(row) && <small className="mono muted">{inner(row)}</small>}
          </>
        )
        return (
          <li key={`${name(row)} ${inner(row)}`}>
            {to ? (
              <a className="clip" href={`#${to}`} data-column={column}>
                {words}
              </a>
            ) : (
              <span className="clip" data-column={column}>
                {words}
              </span>
            )}
            <span className="num" data-column="total">
              {number(row.total)}
            </span>
            <i style={{ width: `${(row.total / most) * 100}%` }} />
          </li>
        )
      })}
    </ol>
  )
}
