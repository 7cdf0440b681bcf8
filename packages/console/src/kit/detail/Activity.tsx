/** Activity of an object: the last 30 entries. Operations show their changes. */
import { useQuery } from '@tanstack/react-query'
import { FilePen, LogIn, MonitorPlay, SquareTerminal } from 'lucide-react'
import { useId, useState } from 'react'
import { call } from '../api/client.ts'
import { audience } from '../api/metadata.ts'
import { Failed } from '../list/states.tsx'
import { exactTime, relativeTime, rowsIn, timestampOf } from '../row.ts'
import { can } from '../session.ts'
import { t } from '../text.ts'
import { DiffDialog } from './DiffDialog.tsx'

interface Entry {
  id?: string
  timestamp: string
  content: string
  detail_url?: string
  r_type: string
}

const icons = { O: FilePen, S: SquareTerminal, L: LogIn, T: MonitorPlay }

export const mayReadActivity = (): boolean => can('audits.view_activitylog')

export function Activity({ id }: { id: string }) {
  const [diff, setDiff] = useState<string>()
  const title = useId()
  const entries = useQuery({
    queryKey: ['activity', id, ...audience()],
    queryFn: () =>
      call<Entry[] | { results: Entry[] }>('/api/v1/audits/activities/', { query: { resource_id: id }, quiet: true }),
  })
  if (entries.error) return <Failed error={entries.error} retry={() => void entries.refetch()} />
  const list = rowsIn(entries.data)
  return (
    <section className="activity-rail" aria-labelledby={title}>
      <h2 id={title}>
        {t('activity')} <span className="muted">{t('activityLast')}</span>
      </h2>
      {entries.isSuccess && list.length === 0 && <p className="muted small">{t('activityNone')}</p>}
      <ol>
        {list.map((entry, index) => {
          const Icon = icons[entry.r_type as keyof typeof icons] ?? FilePen
          const timestamp = timestampOf(entry.timestamp.replace(' ', 'T'))
          const url = entry.detail_url
          return (
            <li className="event" key={entry.id ?? entry.timestamp + entry.content}>
              <Icon size={14} />
              <span id={`${title}-${index}`}>{entry.content}</span>
              <time title={timestamp ? exactTime(timestamp) : undefined}>
                {timestamp ? relativeTime(timestamp) : entry.timestamp}
              </time>
              {url && (
                <small>
                  <button
                    type="button"
                    className="linkish"
                    aria-describedby={`${title}-${index}`}
                    onClick={() =>
                      entry.r_type === 'O'
                        ? setDiff(url)
                        : window.open(
                            url.replace(/^\/core\/ops\//, '/ui/#/ops/'),
                            '_blank',
                            'noopener,width=900,height=600',
                          )
                    }
                  >
                    {t('detail')}
                  </button>
                </small>
              )}
            </li>
          )
        })}
      </ol>
      {diff && <DiffDialog url={diff} onClose={() => setDiff(undefined)} />}
    </section>
  )
}
