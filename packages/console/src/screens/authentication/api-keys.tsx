import { pathOf } from '@castellan/contract/routes'
import { useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import type { ListSpec } from '../../kit/list/spec.ts'
import { wordsOf } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import type { WireRow } from '../../kit/wire.ts'
import { SecretOnce } from './SecretOnce.tsx'

const url = '/api/v1/authentication/access-keys/'

interface Made {
  id: string
  secret: string
}

/** API keys that sign requests of programs. A secret is shown once. */
export default function ApiKeys() {
  const [made, setMade] = useState<Made & { reload: () => void }>()
  const spec: ListSpec<WireRow<typeof url>> = {
    id: 'ApiKey',
    url,
    path: pathOf('ApiKey'),
    resource: 'authentication.accesskey',
    noun: 'apiKey',
    texts: { empty: 'apiKeysEmpty', help: 'apiKeysHelp' },
    row: { nameColumn: 'id', link: () => undefined },
    card: {
      time: 'date_created',
      // All addresses is the default; only restrictions are shown.
      subtitle: (row) =>
        wordsOf(row.ip_group)
          .filter((address) => address !== '*')
          .join(', '),
    },
    columns: {
      extra: ['secret'],
      shown: ['id', 'secret', 'ip_group', 'is_active', 'date_created', 'date_last_used'],
      fixed: ['id'],
      cells: {
        id: { width: 320, mono: true },
        // Known to nobody: it was shown once.
        secret: { label: t('apiKeySecret'), width: 110, render: () => <span className="muted">********</span> },
        is_active: { falseWord: t('disabled'), width: 110 },
      },
    },
    actions: {
      create: {
        label: 'apiKeyCreate',
        visible: can('authentication.add_accesskey'),
        run: async ({ reload }) => setMade({ ...(await call<Made>(url, { method: 'POST', body: {} })), reload }),
      },
      clone: false,
      row: [
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
    },
    bulk: false,
    files: { import: false, export: false },
  }
  return (
    <>
      <ListPage spec={spec} />
      {made && (
        <SecretOnce
          title={t('apiKeyMade')}
          warning={t('apiKeyOnce')}
          values={{ ID: made.id, [t('apiKeySecret')]: made.secret }}
          onClose={() => {
            made.reload()
            setMade(undefined)
          }}
        />
      )}
    </>
  )
}
