/** Cards, numbers and bars of dashboards. Every number links to its list. */
import { useQuery } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import { number } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { type TextKey, t } from '../../kit/text.ts'

export interface Ranked {
  user?: string
  asset?: string
  user_id?: string
  total: number
}

export type Metrics = Readonly<Record<string, unknown>>

/** Metrics by flag; `days` is the length of the range. */
export function useMetrics(flags: readonly string[], days?: number) {
  return useQuery({
    queryKey: ['index', flags.join(), days, ...audience()],
    queryFn: () =>
      call<Metrics>('/api/v1/index/', {
        query: { ...Object.fromEntries(flags.map((flag) => [flag, 1])), days },
        quiet: true,
      }),
    placeholderData: (old) => old,
  })
}

export const figure = (metrics: Metrics | undefined, key: string): number | undefined =>
  typeof metrics?.[key] === 'number' ? metrics[key] : undefined
export const figures = (metrics: Metrics | undefined, key: string): number[] =>
  Array.isArray(metrics?.[key]) ? (metrics[key] as number[]) : []

/** 1, 7 or 30 days; stored in the browser. */
export function useDays(): [number, ReactNode] {
  const [days, setDays] = useState(() => Number(localStorage.getItem('dashboardDays')) || 7)
  const choose = (next: number) => {
    localStorage.setItem('dashboardDays', String(next))
    setDays(next)
  }
  return [
    days,
    <Segmented
      key="days"
      aria-label={t('period')}
      value={days}
      onChange={choose}
      options={[
        { value: 1, label: t('today') },
        { value: 7, label: t('days7') },
        { value: 30, label: t('days30') },
      ]}
    />,
  ]
}

export function Stat({
  title,
  value,
  note,
  href,
  permission,
  tone,
}: {
  title: TextKey
  value?: number
  note?: string
  href?: string
  permission?: string
  tone?: 'warning' | 'danger'
}) {
  const open = href !== undefined && can(permission)
  const body = (
    <>
      <span>{t(title)}</span>
      <strong className={tone && value ? `is-${tone}` : undefined}>{value === undefined ? '…' : number(value)}</strong>
      <small>{(value !== undefined && note) || '\u00a0'}</small>
    </>
  )
  return open ? <a href={`#${href}`}>{body}</a> : <div>{body}</div>
}

/** Bar chart, longest first. */
export function TopList({
  rows,
  name,
  inner,
  href,
}: {
  /** Undefined until loaded. */
  rows: readonly Ranked[] | undefined
  name: (row: Ranked) => string
  /** Additional text after the name. */
  inner: (row: Ranked) => string
  href?: (row: Ranked) => string | undefined
}) {
  if (!rows) return <p className="in-card" aria-busy />
  const most = Math.max(1, ...rows.map((row) => row.total))
  if (rows.length === 0) return <p className="in-card muted">{t('noData')}</p>
  return (
    <ol className="toplist">
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
              <a className="clip" href={`#${to}`}>
                {words}
              </a>
            ) : (
              <span className="clip">{words}</span>
            )}
            <span className="num">{number(row.total)}</span>
            <i style={{ width: `${(row.total / most) * 100}%` }} />
          </li>
        )
      })}
    </ol>
  )
}

/** Shares of a total in one bar, with their numbers. */
export function Shares({ parts }: { parts: readonly { label: string; total: number }[] | undefined }) {
  if (!parts)
    return (
      <div className="in-card" aria-busy>
        <div className="shares" />
        <div className="legend wrap">{'\u00a0'}</div>
      </div>
    )
  const sum = parts.reduce((all, part) => all + part.total, 0)
  if (sum === 0) return <p className="in-card muted">{t('noData')}</p>
  return (
    <div className="in-card">
      <div className="shares">
        {parts.map(
          (part, i) =>
            part.total > 0 && (
              <i
                key={part.label}
                title={`${part.label}: ${number(part.total)}`}
                style={{ flexGrow: part.total, background: `var(--chart-${(i % 5) + 1})` }}
              />
            ),
        )}
      </div>
      <div className="legend wrap">
        {parts.map((part, i) => (
          <span key={part.label}>
            <i style={{ background: `var(--chart-${(i % 5) + 1})` }} />
            {part.label} <b className="num">{number(part.total)}</b>
          </span>
        ))}
      </div>
    </div>
  )
}
