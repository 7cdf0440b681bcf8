/** Graphs of a component's sessions, processor, memory and disk: live while its page is open, and of the past. */
import { loadPeriods } from '@castellan/contract/choices/terminal'
import { useQuery } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { useEffect, useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import { Card } from '../../kit/charts/Card.tsx'
import { Plot } from '../../kit/charts/Plot.tsx'
import { Failed } from '../../kit/list/states.tsx'
import { at, type Row, timestampOf } from '../../kit/row.ts'
import { language, t } from '../../kit/text.ts'

/** Milliseconds between two live measurements; components report every 20 s. */
const liveEvery = 10_000
/** Live measurements that are drawn: 20 minutes. */
const most = 120
/** Milliseconds between two readings of the past, which the server notes every minute. */
const pastEvery = 60_000

const metrics = ['session_online', 'cpu_load', 'memory_used', 'disk_used'] as const
const titles = {
  session_online: 'loadSessions',
  cpu_load: 'loadProcessor',
  memory_used: 'loadMemory',
  disk_used: 'loadDisk',
} as const

type Values = Record<(typeof metrics)[number], number | null>
type Period = keyof typeof loadPeriods

const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(undefined, { ...options, hour12: false })
const seconds = format({ hour: '2-digit', minute: '2-digit', second: '2-digit' })
const minutes = format({ hour: '2-digit', minute: '2-digit' })
const dates = format({ month: '2-digit', day: '2-digit' })
const both = format({ month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' })

interface Points {
  /** A name for each; undefined while they are loaded. */
  times: readonly string[] | undefined
  values: readonly Values[]
  markOf?: (time: string) => string
}

function Graphs({ times, values, markOf }: Points) {
  return (
    <div className="grid two">
      {metrics.map((name) => (
        <Card key={name} title={t(titles[name])}>
          <Plot
            chart={name}
            axis={t('loadTime')}
            days={times}
            series={[{ name: t(titles[name]), values: values.map((one) => one[name]) }]}
            label={t(titles[name])}
            {...(markOf ? { markOf } : {})}
          />
        </Card>
      ))}
    </div>
  )
}

function Live({ url }: { url: string }) {
  const [measured, setMeasured] = useState<readonly { time: string; values: Values }[]>([])
  const { data, dataUpdatedAt } = useQuery({
    queryKey: ['live-load', url, ...audience()],
    queryFn: () => call<Row>(url, { quiet: true }),
    refetchInterval: liveEvery,
  })
  useEffect(() => {
    if (!data?.stat) return
    const values = Object.fromEntries(metrics.map((name) => [name, Number(at(data, `stat.${name}`) ?? 0)])) as Values
    setMeasured((before) => [...before, { time: seconds.format(dataUpdatedAt), values }].slice(-most))
  }, [data, dataUpdatedAt])
  if (data && !data.stat) return <p className="muted">{t('loadNone')}</p>
  const times = measured.length > 0 ? measured.map(({ time }) => time) : undefined
  return <Graphs times={times} values={measured.map(({ values }) => values)} />
}

function Past({ url, period }: { url: string; period: Period }) {
  const read = useQuery({
    queryKey: ['load-history', url, period, ...audience()],
    queryFn: () => call<(Values & { date: string })[]>(`${url}loads/`, { query: { period }, quiet: true }),
    refetchInterval: pastEvery,
  })
  if (read.error) return <Failed error={read.error} retry={() => void read.refetch()} />
  const isShort = period === 'hour' || period === 'day'
  const clock = isShort ? minutes : both
  const times = read.data?.map(({ date }) => clock.format(timestampOf(date)))
  // Days are enough below weeks, and the same one has many points.
  const days = new Map(read.data?.map(({ date }, index) => [times?.[index] ?? '', dates.format(timestampOf(date))]))
  const isEmpty = read.data?.every((one) => metrics.every((name) => one[name] === null)) === true
  return (
    <>
      {isEmpty && <p className="muted gap-below">{t('loadNotYet')}</p>}
      <Graphs
        times={times}
        values={read.data ?? []}
        {...(isShort ? {} : { markOf: (time) => days.get(time) ?? time })}
      />
    </>
  )
}

export function Loads({ url }: { url: string }) {
  const [shown, setShown] = useState<Period | 'live'>('hour')
  return (
    <>
      <div className="load-periods">
        <Segmented
          aria-label={t('loadPeriod')}
          value={shown}
          onChange={setShown}
          options={[
            { value: 'live', label: t('loadLive') },
            ...(Object.keys(loadPeriods) as Period[]).map((value) => ({ value, label: loadPeriods[value][language] })),
          ]}
        />
      </div>
      {shown === 'live' ? <Live url={url} /> : <Past url={url} period={shown} />}
    </>
  )
}
