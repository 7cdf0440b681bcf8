/** Reveals a secret. The server requires a confirmation first (412) and logs the view. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Modal } from 'antd'
import { Pencil } from 'lucide-react'
import { useEffect, useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { attempt, Cancelled } from '../../kit/api/errors.ts'
import { encryptSecret } from '../../kit/api/secret.ts'
import { Failed } from '../../kit/list/states.tsx'
import { at, exactTime, number, type Row, rawOf, timestampOf, wordOf } from '../../kit/row.ts'
import { can, inRoot } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import { accountSecretsUrl, accountsUrl } from './address.ts'
import { PasswordEdit } from './PasswordEdit.tsx'
import SecretHistory, { useAmountOfEarlier } from './SecretHistory.tsx'
import { SecretLine } from './SecretLine.tsx'
import { secretWord } from './secret-types.ts'

export default function SecretViewer({
  account,
  url = accountSecretsUrl,
  onClose,
}: {
  /** An account, or a template. */
  account: Row
  url?: string
  onClose: () => void
}) {
  const ofAccount = url === accountSecretsUrl
  const client = useQueryClient()
  const [history, setHistory] = useState(false)
  const [editing, setEditing] = useState(false)
  const read = useQuery({
    queryKey: ['secret', url, account.id],
    queryFn: () => call<Row>(`${url}${account.id}/`, { quiet: true }),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
  const earlier = useAmountOfEarlier(account, ofAccount && read.isSuccess)
  const cancelled = read.error instanceof Cancelled
  useEffect(() => {
    if (cancelled) onClose()
  }, [cancelled, onClose])
  if (cancelled || read.isPending) return null
  const name = wordOf(account.name)
  // Restoring an earlier secret may change its type.
  const type = String(rawOf(read.data?.secret_type ?? account.secret_type))
  const secret = wordOf(read.data?.secret)
  const mayChange = ofAccount && can('accounts.change_account') && !inRoot()
  const again = () =>
    Promise.all([read.refetch(), client.invalidateQueries({ queryKey: ['secret-history', account.id] })])
  const save = async (password: string) => {
    const saved = await attempt(async () => {
      const body = { name: account.name, secret: await encryptSecret(password) }
      await call(`${accountsUrl}${account.id}/`, { method: 'PATCH', body })
      toast.ok(t('saved'))
      await again()
    })
    if (saved) setEditing(false)
  }
  const fingerprint = wordOf(at(read.data ?? {}, 'spec_info.ssh_key_fingerprint'))
  const dates = (['date_created', 'date_updated'] as const).flatMap((field) => {
    const timestamp = timestampOf(read.data?.[field])
    return timestamp ? [{ field, timestamp }] : []
  })
  return (
    <Modal open width={600} title={t('secretOf', { name })} footer={null} onCancel={onClose}>
      {read.error ? (
        <Failed error={read.error} />
      ) : (
        <dl className="facts one">
          <div data-field="name">
            <dt>{t('name')}</dt>
            <dd>{name}</dd>
          </div>
          <div data-field="username">
            <dt>{t('username')}</dt>
            <dd className="mono">{wordOf(account.username)}</dd>
          </div>
          <div data-field="secret">
            <dt>{secretWord(type)}</dt>
            <dd>
              {editing ? (
                <PasswordEdit password={secret} onSave={save} onClose={() => setEditing(false)} />
              ) : (
                <SecretLine name={name} secret={secret}>
                  {mayChange && type === 'password' && (
                    <Button
                      type="text"
                      size="small"
                      icon={<Pencil size={14} />}
                      aria-label={t('secretEdit')}
                      title={t('secretEdit')}
                      onClick={() => setEditing(true)}
                    />
                  )}
                </SecretLine>
              )}
            </dd>
          </div>
          {fingerprint && (
            <div data-field="ssh_key_fingerprint">
              <dt>{t('sshKeyFingerprint')}</dt>
              <dd className="mono">{fingerprint}</dd>
            </div>
          )}
          {dates.map(({ field, timestamp }) => (
            <div data-field={field} key={field}>
              <dt>{t(field === 'date_created' ? 'dateCreated' : 'dateUpdated')}</dt>
              <dd>{exactTime(timestamp)}</dd>
            </div>
          ))}
          {earlier !== undefined && (
            <div data-field="histories">
              <dt>{t('secretHistory')}</dt>
              <dd>
                {earlier === 0 ? (
                  number(earlier)
                ) : (
                  <button
                    type="button"
                    className="linkish"
                    aria-expanded={history}
                    onClick={() => setHistory(!history)}
                  >
                    {number(earlier)}
                  </button>
                )}
              </dd>
            </div>
          )}
        </dl>
      )}
      {history && <SecretHistory account={account} mayRestore={mayChange} onRestored={again} />}
    </Modal>
  )
}
