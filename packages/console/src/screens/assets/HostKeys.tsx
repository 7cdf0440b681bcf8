/** SSH host keys of one asset: pinned keys, and a warning when the host presents another one. */
import { useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { Trash2 } from 'lucide-react'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import { Time } from '../../kit/cells.tsx'
import { confirm } from '../../kit/confirm.ts'
import { Failed } from '../../kit/list/states.tsx'
import { type Page, type Row, wordOf } from '../../kit/row.ts'
import { can, inRoot } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'

const url = '/api/v1/assets/host-keys/'

interface HostKey extends Row {
  port: number
  algorithm: string
  fingerprint: string
  offered_fingerprint: string
  offered_algorithm: string
  changed: boolean
  date_created: string
  date_updated: string
}

export function HostKeys({ asset }: { asset: Row }) {
  const keys = useQuery({
    queryKey: ['host-keys', asset.id, ...audience()],
    queryFn: async () =>
      (await call<Page>(url, { query: { asset: asset.id, limit: 100, offset: 0 }, quiet: true })).results as HostKey[],
    // A session may pin or refuse a key while this page is open.
    refetchInterval: 15_000,
  })
  const may = can('assets.change_asset') && !inRoot()
  const reload = () => void keys.refetch()
  const name = `${wordOf(asset.name)} (${wordOf(asset.address)})`
  return (
    <section>
      <div className="section-head">
        <h2>{t('hostKeys')}</h2>
      </div>
      {keys.error && !keys.data && <Failed error={keys.error} retry={reload} />}
      {keys.data?.length === 0 && <p className="muted small">{t('hostKeysEmpty')}</p>}
      {keys.data?.map((key) => (
        <div className="list-plain host-key" key={key.id}>
          <Pinned of={key} host={name} may={may} reload={reload} />
          {key.changed && <Changed of={key} host={name} may={may} reload={reload} />}
        </div>
      ))}
    </section>
  )
}

interface KeyProps {
  of: HostKey
  host: string
  may: boolean
  reload: () => void
}

function Pinned({ of: key, host, may, reload }: KeyProps) {
  const remove = () =>
    confirm({
      title: t('hostKeyRemove'),
      text: t('hostKeyRemoveText', { name: host }),
      verb: t('hostKeyRemove'),
      danger: true,
      run: async () => {
        await call(`${url}${key.id}/`, { method: 'DELETE' })
        toast.ok(t('removed'))
        reload()
      },
    })
  return (
    <div className="row quick">
      <span className="grow">
        <span className="mono">{key.fingerprint}</span>
        <small className="muted">
          {key.algorithm} · {t('hostKeyPort', { port: key.port })} · {t('hostKeyPinned')}{' '}
          <Time value={key.changed ? key.date_created : key.date_updated} />
        </small>
      </span>
      {may && (
        <Button
          type="text"
          size="small"
          icon={<Trash2 size={14} />}
          aria-label={t('hostKeyRemove')}
          title={t('hostKeyRemove')}
          onClick={remove}
        />
      )}
    </div>
  )
}

function Changed({ of: key, host, may, reload }: KeyProps) {
  const accept = () =>
    confirm({
      title: t('hostKeyAccept'),
      text: t('hostKeyAcceptText', { name: host, fingerprint: key.offered_fingerprint }),
      verb: t('hostKeyAccept'),
      danger: true,
      run: async () => {
        await call(`${url}${key.id}/accept/`, { method: 'PATCH', body: {} })
        toast.ok(t('hostKeyAccepted', { name: host }))
        reload()
      },
    })
  return (
    <Alert
      type="error"
      showIcon
      title={t('hostKeyChanged')}
      description={
        <>
          <p>{t('hostKeyChangedText')}</p>
          <dl>
            <dt>{t('hostKeyPinnedOne')}</dt>
            <dd className="mono">
              {key.algorithm} {key.fingerprint}
            </dd>
            <dt>{t('hostKeyOfferedOne')}</dt>
            <dd className="mono">
              {key.offered_algorithm} {key.offered_fingerprint}
            </dd>
            <dt>{t('hostKeySeen')}</dt>
            <dd>
              <Time value={key.date_updated} />
            </dd>
          </dl>
          {may && (
            <Button danger size="small" onClick={accept}>
              {t('hostKeyAccept')}
            </Button>
          )}
        </>
      }
    />
  )
}
