/** Graphs of a component's sessions, processor, memory and disk while its page is open. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import { Card } from '../../kit/charts/Card.tsx'
import { Plot } from '../../kit/charts/Plot.tsx'
import { at, type Row } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'

/** Milliseconds between two measurements; components report every 20 s. */
const every = 10_000
/** Measurements that are drawn: 20 minutes. */
const most = 120

interface Measurement {
  time: string
  values: readonly number[]
}

const metrics = ['session_online', 'cpu_load', 'memory_used', 'disk_used'] as const
const titles = {
  session_online: 'loadSessions',
  cpu_load: 'loadProcessor',
  memory_used: 'loadMemory',
  disk_used: 'loadDisk',
} as const

const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
})

export function LiveLoad({ url }: { url: string }) {
  const [measured, setMeasured] = useState<readonly Measurement[]>([])
  const { data, dataUpdatedAt } = useQuery({
    queryKey: ['live-load', url, ...audience()],
    queryFn: () => call<Row>(url, { quiet: true }),
    refetchInterval: every,
  })
  useEffect(() => {
    if (!data?.stat) return
    const values = metrics.map((name) => Number(at(data, `stat.${name}`) ?? 0))
    setMeasured((before) => [...before, { time: clock.format(dataUpdatedAt), values }].slice(-most))
  }, [data, dataUpdatedAt])
  if (data && !data.stat) return <p className="muted">{t('loadNone')}</p>
  const times = measured.map(({ time }) => time)
  return (
    <div className="grid two">
      {metrics.map((name, index) => (
        <Card key={name} title={t(titles[name])}>
          <Plot
            chart={name}
            axis={t('loadTime')}
            days={measured.length > 0 ? times : undefined}
            series={[{ name: t(titles[name]), values: measured.map(({ values }) => values[index] ?? 0) }]}
            label={t(titles[name])}
          />
        </Card>
      ))}
    </div>
  )
}
