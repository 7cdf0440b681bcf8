/** Who is told of events of the system, and by which means. */
import { rootOrgId } from '@castellan/contract/ids'
import { useQuery } from '@tanstack/react-query'
import { Button, Checkbox, Skeleton } from 'antd'
import { useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { attempt } from '../../kit/api/errors.ts'
import { audience } from '../../kit/api/metadata.ts'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { Failed } from '../../kit/list/states.tsx'
import { wordOf } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'

import './settings.css'

const url = '/api/v1/notifications/system-msg-subscription/'

interface Subscription {
  message_type: string
  message_type_label: string
  receive_backends: string[]
  receivers: { id: string; name: string }[]
}
interface Category {
  category: string
  category_label: string
  children: Subscription[]
}
/** Messages in the product cannot be switched off. */
const always = 'site_msg'

export function Subscriptions() {
  const backends = useQuery({
    queryKey: ['backends', ...audience()],
    queryFn: () => call<{ name: string; name_display: string }[]>('/api/v1/notifications/backends/', { quiet: true }),
  })
  const found = useQuery({
    queryKey: ['list', url, ...audience()],
    queryFn: () => call<Category[]>(url, { quiet: true }),
  })
  const [changed, setChanged] = useState<Subscription>()
  const error = backends.error ?? found.error
  if (error) return <Failed error={error} retry={() => void Promise.all([backends.refetch(), found.refetch()])} />
  if (!backends.data || !found.data) return <Skeleton active title={false} />
  const save = (type: string, body: object) =>
    attempt(() => call(`${url}${type}/`, { method: 'PATCH', body }).then(() => found.refetch()))
  const toggle = ({ message_type, receive_backends }: Subscription, name: string, on: boolean) =>
    save(message_type, {
      receive_backends: on ? [...receive_backends, name] : receive_backends.filter((one) => one !== name),
    })
  return (
    <>
      <div className="scroll-x">
        <table className="settings-table">
          <thead>
            <tr>
              <th scope="col">{t('settingMessage')}</th>
              {backends.data.map(({ name, name_display }) => (
                <th scope="col" key={name}>
                  {name_display}
                </th>
              ))}
              <th scope="col">{t('settingReceivers')}</th>
              <th scope="col">
                <span className="only-read">{t('settingReceiversChange')}</span>
              </th>
            </tr>
          </thead>
          {found.data.map(({ category, category_label, children }) => (
            <tbody key={category}>
              <tr>
                <th scope="rowgroup" colSpan={backends.data.length + 3}>
                  {category_label}
                </th>
              </tr>
              {children.map((own) => (
                <tr key={own.message_type}>
                  <td>{own.message_type_label}</td>
                  {backends.data.map(({ name, name_display }) => (
                    <td key={name}>
                      <Checkbox
                        aria-label={`${own.message_type_label}: ${name_display}`}
                        checked={name === always || own.receive_backends.includes(name)}
                        disabled={name === always}
                        onChange={(event) => void toggle(own, name, event.target.checked)}
                      />
                    </td>
                  ))}
                  <td>{own.receivers.map(({ name }) => name).join(', ')}</td>
                  <td>
                    <Button
                      type="link"
                      size="small"
                      aria-label={`${t('settingReceiversChange')}: ${own.message_type_label}`}
                      onClick={() => setChanged(own)}
                    >
                      {t('change')}
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
      {changed && (
        <FormDialog
          id={changed.message_type}
          title={`${t('settingReceiversChange')}: ${changed.message_type_label}`}
          spec={{
            url: `${url}${changed.message_type}/`,
            noun: 'settingReceivers',
            local: {
              fields: { users: { type: 'm2m_related_field' } },
              save: async (body) => {
                const saved = await call<object>(`${url}${changed.message_type}/`, { method: 'PATCH', body })
                toast.ok(t('saved'))
                return { id: '', ...saved }
              },
            },
            single: true,
            submit: { verb: 'save', method: 'PATCH' },
            groups: [{ key: 'users', title: 'users', fields: ['users'] }],
            fields: {
              users: {
                widget: 'transfer',
                label: 'users',
                source: {
                  url: `/api/v1/users/users/?oid=${rootOrgId}`,
                  plain: true,
                  label: (row) => `${wordOf(row.name)}(${wordOf(row.username)})`,
                },
              },
            },
            carried: { users: changed.receivers.map(({ id, name }) => ({ id, name })) },
          }}
          onClose={() => setChanged(undefined)}
          onSaved={() => void found.refetch()}
        />
      )}
    </>
  )
}
