/** How long connections through the gateways of a domain took in their last tests, and which one is used. */
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { PlugZap } from 'lucide-react'
import { call } from '../../kit/api/client.ts'
import { attempt } from '../../kit/api/errors.ts'
import { audience } from '../../kit/api/metadata.ts'
import { Time } from '../../kit/cells.tsx'
import { Failed } from '../../kit/list/states.tsx'
import { number, type Row } from '../../kit/row.ts'
import { can, inRoot } from '../../kit/session.ts'
import { Badge, Status } from '../../kit/status.tsx'
import { openTaskLog } from '../../kit/task-log.ts'
import { t } from '../../kit/text.ts'

interface GatewayTime {
  id: string
  name: string
  address: string
  is_active: boolean
  milliseconds: number | null
  reason: string
  date_tested: string | null
  is_used: boolean
}

export function GatewayTimes({ domain }: { domain: Row }) {
  const url = `/api/v1/assets/domains/${domain.id}/`
  const times = useQuery({
    queryKey: ['gateway-times', domain.id, ...audience()],
    queryFn: () => call<GatewayTime[]>(`${url}gateway-times/`, { quiet: true }),
    enabled: can('assets.view_gateway'),
  })
  if (!can('assets.view_gateway')) return null
  const reload = () => void times.refetch()
  const test = () =>
    attempt(async () => {
      const { task } = await call<{ task: string }>(`${url}test-gateways/`, { method: 'POST' })
      openTaskLog(task, { onEnd: reload })
    })
  const mayTest = can('assets.test_assetconnectivity') && !inRoot() && Boolean(times.data?.length)
  return (
    <section>
      <div className="section-head">
        <h2 className="grow">{t('gatewayTimes')}</h2>
        {mayTest && (
          <Button icon={<PlugZap size={16} />} onClick={() => void test()}>
            {t('gatewaysTest')}
          </Button>
        )}
      </div>
      <p className="muted small">{t('gatewayTimesHelp')}</p>
      {times.error && !times.data && <Failed error={times.error} retry={reload} />}
      {times.data?.length === 0 && <p className="muted small">{t('gatewaysEmpty')}</p>}
      {Boolean(times.data?.length) && (
        <div className="list-plain">
          {times.data?.map((time) => (
            <Line key={time.id} time={time} />
          ))}
        </div>
      )}
    </section>
  )
}

function Line({ time }: { time: GatewayTime }) {
  return (
    <div className="row quick" data-row={time.id}>
      <span className="grow">
        {time.name} {time.is_used && <Badge is="ok">{t('gatewayUsed')}</Badge>}
        <small className="muted">
          <span className="mono">{time.address}</span>
          {time.date_tested && (
            <>
              {' · '}
              {t('gatewayTested')} <Time value={time.date_tested} />
            </>
          )}
        </small>
      </span>
      <Outcome time={time} />
    </div>
  )
}

function Outcome({ time }: { time: GatewayTime }) {
  if (!time.is_active) return <Status is="idle">{t('disabled')}</Status>
  if (!time.date_tested) return <Status is="idle">{t('gatewayUntested')}</Status>
  if (time.milliseconds === null) return <Status is="danger">{time.reason}</Status>
  return <Status is="ok">{t('milliseconds', { count: number(time.milliseconds) })}</Status>
}
