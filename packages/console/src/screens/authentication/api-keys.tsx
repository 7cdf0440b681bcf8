import { pathOf } from '@castellan/contract/routes'
import { Alert, Button, Modal } from 'antd'
import { Copy } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { copyText } from '../../kit/copy.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import type { ListSpec } from '../../kit/list/spec.ts'
import { wordsOf } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'

const url = '/api/v1/authentication/access-keys/'

interface Made {
  id: string
  secret: string
}

/** API keys that sign requests of programs. A secret is shown once. */
export default function ApiKeys() {
  const [made, setMade] = useState<Made & { reload: () => void }>()
  const spec: ListSpec = {
    id: 'ApiKey',
    url,
    path: pathOf('ApiKey'),
    resource: 'authentication.accesskey',
    noun: 'apiKey',
    empty: 'apiKeysEmpty',
    help: 'apiKeysHelp',
    nameColumn: 'id',
    link: () => undefined,
    mobileTime: 'date_created',
    // All addresses is the default; only restrictions are shown.
    mobileSubtitle: (row) =>
      wordsOf(row.ip_group)
        .filter((address) => address !== '*')
        .join(', '),
    shown: ['id', 'ip_group', 'is_active', 'date_created', 'date_last_used'],
    fixed: ['id'],
    exclude: ['secret'],
    cells: { id: { width: 320, mono: true }, is_active: { falseWord: t('disabled'), width: 110 } },
    create: {
      label: 'apiKeyCreate',
      visible: can('authentication.add_accesskey'),
      run: async ({ reload }) => setMade({ ...(await call<Made>(url, { method: 'POST', body: {} })), reload }),
    },
    clone: false,
    selectable: false,
    importing: false,
    exporting: false,
    rowActions: [
      {
        key: 'toggle',
        label: (row) => t(row.is_active ? 'deactivate' : 'activate'),
        visible: () => can('authentication.change_accesskey'),
        run: async (row, acting) => {
          await call(`${url}${row.id}/`, { method: 'PATCH', body: { is_active: !row.is_active } })
          acting.reload()
        },
      },
    ],
  }
  return (
    <>
      <ListPage spec={spec} />
      {made && (
        <Modal
          open
          width={640}
          mask={{ closable: false }}
          title={t('apiKeyMade')}
          onCancel={() => {
            made.reload()
            setMade(undefined)
          }}
          footer={null}
        >
          <Alert type="warning" showIcon title={t('apiKeyOnce')} className="gap-below" />
          {(['id', 'secret'] as const).map((key) => (
            <div className="field" key={key}>
              <b>{key === 'id' ? 'ID' : t('apiKeySecret')}</b>
              <div className="secret-line">
                <code className="mono">{made[key]}</code>
                <Button icon={<Copy size={14} />} aria-label={t('copy')} onClick={() => void copyText(made[key])} />
              </div>
            </div>
          ))}
        </Modal>
      )}
    </>
  )
}
