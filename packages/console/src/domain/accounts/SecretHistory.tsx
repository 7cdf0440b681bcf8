/** Earlier secrets of an account, newest first, without the current one. */
import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { Undo2 } from 'lucide-react'
import { call, withQuery } from '../../kit/api/client.ts'
import { confirm } from '../../kit/confirm.ts'
import { Failed } from '../../kit/list/states.tsx'
import { exactTime, type Row, rowsIn, timestampOf, wordOf } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import { accountSecretsUrl, accountsUrl } from './address.ts'
import { SecretLine } from './SecretLine.tsx'

interface Earlier {
  id: number
  secret: string
  version: number
  history_date: string
}

const historiesOf = (account: Row) => `${accountSecretsUrl}${account.id}/histories/`

/** The number of earlier secrets; undefined until it is known. */
export function useAmountOfEarlier(account: Row, enabled: boolean): number | undefined {
  const read = useQuery({
    queryKey: ['secret-history', account.id, 'count'],
    enabled,
    gcTime: 0,
    queryFn: () => call<{ count: number }>(withQuery(historiesOf(account), { limit: 1 }), { quiet: true }),
  })
  return read.data?.count
}

/** Makes an earlier secret the current one again, after a confirmation. */
const restore = (account: Row, { id, version }: Earlier, onRestored: () => unknown) =>
  confirm({
    title: t('secretRestoreTitle'),
    text: t('secretRestoreText', { name: wordOf(account.name), version }),
    verb: t('secretRestore'),
    run: async () => {
      await call(`${accountsUrl}${account.id}/restore-secret/`, { method: 'POST', body: { history: id } })
      toast.ok(t('secretRestored'))
      await onRestored()
    },
  })

export default function SecretHistory({
  account,
  mayRestore,
  onRestored,
}: {
  account: Row
  mayRestore: boolean
  onRestored: () => unknown
}) {
  const records = useQuery({
    queryKey: ['secret-history', account.id],
    gcTime: 0,
    queryFn: () => call<Earlier[]>(historiesOf(account), { quiet: true }),
  })
  if (records.isPending) return <Skeleton active title={false} />
  if (records.error) return <Failed error={records.error} retry={() => void records.refetch()} />
  return rowsIn(records.data).map((record) => {
    const timestamp = timestampOf(record.history_date)
    return (
      <div className="row" key={record.id} data-version={record.version}>
        <span className="muted small">{t('secretVersion', { version: record.version })}</span>
        <span className="grow">
          <SecretLine name={`${wordOf(account.name)}-${record.version}`} secret={record.secret} saves={false} />
        </span>
        <span className="muted small">{timestamp ? exactTime(timestamp) : record.history_date}</span>
        {mayRestore && (
          <Button
            type="text"
            size="small"
            icon={<Undo2 size={14} />}
            aria-label={t('secretRestore')}
            title={t('secretRestore')}
            onClick={() => restore(account, record, onRestored)}
          />
        )}
      </div>
    )
  })
}
