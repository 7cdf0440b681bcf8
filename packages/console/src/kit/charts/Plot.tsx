/** Line chart with days on the x axis and counts on the y axis. Small enough to need no chart library. */
import { useEffect, useRef, useState } from 'react'
import { number } from '../row.ts'
import { t } from '../text.ts'
import { NoData } from './NoData.tsx'

export interface Series {
  name: string
  /** Null where nothing was measured: the line is interrupted. */
  values: readonly (number | null)[]
}

/** Above this number of points a line is drawn without dots. */
const mostDots = 100

/** The parts of a line between its gaps, as indexes and values. */
function partsOf(values: Series['values']): [number, number][][] {
  const parts: [number, number][][] = [[]]
  for (const [index, value] of values.entries())
    if (value !== null) parts.at(-1)?.push([index, value])
    else if (parts.at(-1)?.length) parts.push([])
  return parts.filter((part) => part.length > 0)
}

const left = 40
const bottom = 24
const top = 12

/** A round step such that four lines cover the maximum. */
function stepFor(highest: number): number {
  const rough = Math.max(1, highest / 4)
  const power = 10 ** Math.floor(Math.log10(rough))
  const found = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough)
  return Math.max(1, found ?? rough)
}

/** Available size in pixels. Drawn at actual size, so that text is not scaled. */
function useRoom() {
  const ref = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState({ width: 560, height: 240 })
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const watcher = new ResizeObserver(() => setRoom({ width: element.clientWidth, height: element.clientHeight }))
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])
  return { ref, ...room }
}

interface Curves {
  /** Name of the metric, for `data-chart`. */
  chart: string
  days: readonly string[]
  series: readonly Series[]
  label: string
  /** What the x axis shows, if not days. */
  axis?: string
  /** The mark below a point, if it is shorter than its name. */
  markOf?: (day: string) => string
}

/** Reserves the chart's space until its days are loaded. */
export function Plot({ days, ...curves }: Omit<Curves, 'days'> & { days: readonly string[] | undefined }) {
  if (days?.length === 0) return <NoData chart={curves.chart} />
  if (days) return <Drawing days={days} {...curves} />
  return (
    <div className="plot" data-chart={curves.chart} aria-busy>
      <div className="plot-room" />
      {curves.series.length > 1 && <div className="legend">{'\u00a0'}</div>}
    </div>
  )
}

const shown = (value: number | null | undefined) => (value === null || value === undefined ? '–' : number(value))

function Drawing({ chart, days, series, label, axis = t('day'), markOf = (day) => day }: Curves) {
  const { ref, width, height } = useRoom()
  const highest = Math.max(1, ...series.flatMap((one) => one.values.map((value) => value ?? 0)))
  const step = stepFor(highest)
  const lines = Array.from({ length: Math.ceil(highest / step) + 1 }, (_, i) => i * step)
  const most = lines.at(-1) ?? highest
  const x = (i: number) =>
    left + (days.length === 1 ? (width - left) / 2 : (i / (days.length - 1)) * (width - left - 24))
  const y = (value: number) => top + (1 - value / most) * (height - top - bottom)
  const every = Math.ceil((days.length * 56) / width)
  return (
    <div className="plot" data-chart={chart}>
      <div className="plot-room" ref={ref}>
        <svg className="chart" width={width} height={height} role="img" aria-label={label}>
          {lines.map((value) => (
            <g key={value}>
              <line x1={left} x2={width} y1={y(value)} y2={y(value)} />
              <text x={left - 8} y={y(value) + 4} textAnchor="end">
                {number(value)}
              </text>
            </g>
          ))}
          {days.map((day, i) =>
            i % every === 0 ? (
              <text key={day} x={x(i)} y={height - 6} textAnchor="middle">
                {markOf(day)}
              </text>
            ) : null,
          )}
          {series.map((one, s) => (
            <g key={one.name}>
              {partsOf(one.values).map((part) => (
                <g key={days[part[0]?.[0] ?? 0]}>
                  <polyline
                    fill="none"
                    stroke={`var(--chart-${s + 1})`}
                    strokeWidth={2}
                    points={part.map(([i, value]) => `${x(i)},${y(value)}`).join(' ')}
                  />
                  {(part.length === 1 || days.length <= mostDots) &&
                    part.map(([i, value]) => (
                      <circle key={days[i]} cx={x(i)} cy={y(value)} r={3} fill={`var(--chart-${s + 1})`}>
                        <title>{`${days[i]} · ${one.name}: ${number(value)}`}</title>
                      </circle>
                    ))}
                </g>
              ))}
            </g>
          ))}
        </svg>
      </div>
      <div className="unseen">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th>{axis}</th>
              {series.map((one) => (
                <th key={one.name}>{one.name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day, i) => (
              <tr key={day}>
                <th>{day}</th>
                {series.map((one) => (
                  <td key={one.name}>{shown(one.values[i])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {series.length > 1 && (
        <div className="legend" aria-hidden>
          {series.map((one, s) => (
            <span key={one.name}>
              <i style={{ background: `var(--chart-${s + 1})` }} />
              {one.name}
            </span>
          ))}
        </div>
      )}
    </div>
  )
}
