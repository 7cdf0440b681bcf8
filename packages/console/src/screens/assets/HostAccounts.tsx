/** Accounts made together with a host: rows in one frame, a dialog for each (assets sheet §4.1). */
import { Button, Checkbox, Input, Modal, Radio } from 'antd'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { isPrivilegedName, secretTypesOf, secretWord } from '../../kit/accounts/secret-types.ts'
import { encryptSecret } from '../../kit/api/secret.ts'
import type { WidgetProps } from '../../kit/form/spec.ts'
import type { OfferedProtocol } from '../../kit/form/widgets/protocols.ts'
import { Secret } from '../../kit/form/widgets/Secret.tsx'
import { FileText, Password } from '../../kit/form/widgets/texts.tsx'
import { rawOf } from '../../kit/row.ts'
import { Tick } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'

interface Account {
  id?: string
  name: string
  username: string
  privileged: boolean
  secret_type: string
  /** Encrypted as soon as the dialog is done. */
  secret?: string
  passphrase?: string
  is_active: boolean
}

const blank = (type: string): Account => ({
  name: '',
  username: '',
  privileged: false,
  secret_type: type,
  is_active: true,
})

export function HostAccounts({ value, onChange, field, disabled }: WidgetProps) {
  const types = secretTypesOf((field.with?.choices ?? []) as readonly OfferedProtocol[])
  const rows = ((Array.isArray(value) ? value : []) as Account[]).map((row) => ({
    ...row,
    secret_type: String(rawOf(row.secret_type)),
  }))
  const [editing, setEditing] = useState<{ account: Account; old?: Account }>()
  const save = (account: Account, old?: Account) => {
    const rest = rows.filter((row) => row.username !== account.username && row.username !== old?.username)
    onChange([...rest, account])
    setEditing(undefined)
  }
  return (
    <div>
      {rows.length > 0 && (
        <div className="rows">
          <div className="head account-row">
            <span>{t('username')}</span>
            <span>{t('secret')}</span>
            <span>{t('privileged')}</span>
            <span />
          </div>
          {rows.map((row) => (
            <div className="account-row" key={row.username}>
              <span className="mono clip">{row.username}</span>
              <span>
                {secretWord(row.secret_type)}
                {!row.secret && <span className="muted small"> · {row.id ? t('secretCopied') : t('secretNone')}</span>}
              </span>
              <span>
                <Tick yes={row.privileged} word={t('privileged')} />
              </span>
              <span className="end">
                <Button
                  type="text"
                  size="small"
                  icon={<Pencil size={14} />}
                  aria-label={t('update')}
                  onClick={() => setEditing({ account: row, old: row })}
                />
                <Button
                  type="text"
                  size="small"
                  icon={<Trash2 size={14} />}
                  aria-label={t('removeName', { name: row.username })}
                  onClick={() => onChange(rows.filter((other) => other !== row))}
                />
              </span>
            </div>
          ))}
        </div>
      )}
      <Button
        type="text"
        size="small"
        icon={<Plus size={14} />}
        disabled={disabled}
        onClick={() => setEditing({ account: blank(types[0] ?? 'password') })}
      >
        {t('accountAdd')}
      </Button>
      {editing && (
        <AccountDialog
          types={types}
          account={editing.account}
          isNew={!editing.old}
          onClose={() => setEditing(undefined)}
          onSave={(account) => save(account, editing.old)}
        />
      )}
    </div>
  )
}

function AccountDialog({
  types,
  account,
  isNew,
  onClose,
  onSave,
}: {
  types: readonly string[]
  account: Account
  isNew: boolean
  onClose: () => void
  onSave: (account: Account) => void
}) {
  const [values, setValues] = useState(account)
  const [named, setNamed] = useState(!isNew)
  const [secret, setSecret] = useState('')
  const [passphrase, setPassphrase] = useState('')
  const setUsername = (username: string) =>
    setValues((old) => ({
      ...old,
      username,
      name: named ? old.name : username,
      privileged: old.privileged || isPrivilegedName(username),
    }))
  const done = async () =>
    onSave({
      ...values,
      name: values.name || values.username,
      secret: secret ? await encryptSecret(secret) : values.secret,
      ...(passphrase && values.secret_type === 'ssh_key' ? { passphrase: await encryptSecret(passphrase) } : {}),
    })
  const info = { type: 'string' }
  const shared = {
    info,
    field: {},
    invalid: false,
    disabled: false,
    values: {},
    context: { query: new URLSearchParams() },
  }
  return (
    <Modal
      open
      width={560}
      title={t(isNew ? 'accountAdd' : 'accountUpdate')}
      okText={t(isNew ? 'add' : 'save')}
      cancelText={t('cancel')}
      okButtonProps={{ disabled: !values.username.trim() }}
      onCancel={onClose}
      onOk={() => void done()}
    >
      <div className="cols-2 dialog-form">
        <div className="field half">
          <label htmlFor="account-username">{t('username')}</label>
          <Input
            id="account-username"
            autoFocus
            className="mono"
            value={values.username}
            onChange={(event) => setUsername(event.target.value)}
          />
        </div>
        <div className="field half">
          <label htmlFor="account-name">{t('name')}</label>
          <Input
            id="account-name"
            value={values.name}
            onChange={(event) => {
              setNamed(true)
              setValues({ ...values, name: event.target.value })
            }}
          />
        </div>
        <div className="field full">
          <b>{t('secretType')}</b>
          <Radio.Group
            value={values.secret_type}
            options={types.map((type) => ({ value: type, label: secretWord(type) }))}
            onChange={(event) => {
              setSecret('')
              setValues({ ...values, secret_type: event.target.value as string, secret: undefined })
            }}
          />
        </div>
        <div className="field full">
          <label htmlFor="account-secret">{secretWord(values.secret_type)}</label>
          {values.secret_type === 'password' ? (
            <Secret {...shared} id="account-secret" value={secret} onChange={(next) => setSecret(String(next))} />
          ) : (
            <FileText {...shared} id="account-secret" value={secret} onChange={(next) => setSecret(String(next))} />
          )}
          {(values.secret || values.id) && !secret && <small className="muted">{t('secretKept')}</small>}
        </div>
        {values.secret_type === 'ssh_key' && (
          <div className="field full">
            <label htmlFor="account-passphrase">{t('passphrase')}</label>
            <Password
              {...shared}
              id="account-passphrase"
              value={passphrase}
              onChange={(next) => setPassphrase(String(next))}
            />
          </div>
        )}
        <div className="field full">
          <Checkbox
            checked={values.privileged}
            onChange={(event) => setValues({ ...values, privileged: event.target.checked })}
          >
            {t('privileged')} <span className="muted small">{t('privilegedHelp')}</span>
          </Checkbox>
        </div>
      </div>
    </Modal>
  )
}
