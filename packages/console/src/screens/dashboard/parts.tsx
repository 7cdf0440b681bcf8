/** Metrics of dashboards, and their numbers. Every number links to its list. */
import { useQuery } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import { number } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { type TextKey, t } from '../../kit/text.ts'

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
