import { pathOf } from '@castellan/contract/routes'
import { Alert, Button, Input, Modal } from 'antd'
import { useState } from 'react'
import { createdPasskey, hasPasskeys, NoPasskey, NoPasskeyHere } from '../../browser/passkeys.ts'
import { call } from '../../kit/api/client.ts'
import { ApiError, Cancelled } from '../../kit/api/errors.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import type { ListSpec } from '../../kit/list/spec.ts'
import { can, session } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import type { WireRow } from '../../kit/wire.ts'

const url = '/api/v1/authentication/passkeys/'

/** Keys of the user's own devices, with which they sign in. */
export default function Passkeys() {
  const [creating, setCreating] = useState<{ reload: () => void }>()
  const spec: ListSpec<WireRow<typeof url>> = {
    id: 'Passkey',
    url,
    path: pathOf('Passkey'),
    resource: 'authentication.passkey',
    noun: 'passkey',
    texts: { empty: 'passkeysEmpty', help: 'passkeysHelp' },
    row: { link: () => undefined },
    card: { time: 'date_last_used', subtitle: (row) => row.platform },
    columns: {
      shown: ['name', 'is_active', 'date_last_used', 'date_created'],
      fixed: ['name'],
      cells: { is_active: { falseWord: t('disabled'), width: 110 } },
    },
    actions: {
      create: {
        label: 'passkeyCreate',
        visible: can('authentication.add_passkey'),
        run: ({ reload }) => setCreating({ reload }),
      },
      clone: false,
      row: [
        {
          key: 'toggle',
          label: (row) => t(row.is_active ? 'deactivate' : 'activate'),
          visible: () => can('authentication.change_passkey'),
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
      {creating && (
        <CreateDialog
          onClose={(created) => {
            setCreating(undefined)
            if (created) creating.reload()
          }}
        />
      )}
    </>
  )
}

function CreateDialog({ onClose }: { onClose: (created: boolean) => void }) {
  const [name, setName] = useState('')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const isLocal = session().profile.source?.value === 'local'
  const obstacle = !isLocal ? t('passkeyLocalOnly') : !hasPasskeys() ? t('passkeyUnable') : ''
  const create = async () => {
    setBusy(true)
    setProblem('')
    try {
      const key = await createdPasskey(() => call(`${url}register/`, { query: { name }, quiet: true }))
      await call(`${url}register/`, { method: 'POST', body: { ...key, key_name: name }, quiet: true })
      onClose(true)
    } catch (error) {
      if (error instanceof Cancelled) return
      if (error instanceof NoPasskey) setProblem(t(error instanceof NoPasskeyHere ? 'passkeyUnable' : 'passkeyNotMade'))
      else if (error instanceof ApiError) setProblem(error.message)
      else throw error
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      width={600}
      title={t('passkeyCreate')}
      onCancel={() => onClose(false)}
      footer={[
        <Button key="cancel" onClick={() => onClose(false)}>
          {t('cancel')}
        </Button>,
        <Button key="ok" type="primary" loading={busy} disabled={obstacle !== ''} onClick={() => void create()}>
          {t('passkeyCreateVerb')}
        </Button>,
      ]}
    >
      {(obstacle || problem) && <Alert type="error" showIcon title={obstacle || problem} className="gap-below" />}
      {!obstacle && (
        <div className="field" data-field="name">
          <label htmlFor="passkey-name">{t('name')}</label>
          <Input
            id="passkey-name"
            data-first
            maxLength={128}
            placeholder={t('passkeyNamePlaceholder')}
            value={name}
            onChange={(event) => setName(event.target.value)}
            onPressEnter={() => void create()}
          />
        </div>
      )}
    </Modal>
  )
}
