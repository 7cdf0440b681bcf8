/** Accounts made together with an asset: rows in one frame, a dialog for each. */
import { Button } from 'antd'
import { LayoutTemplate, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { accountFields, secretNames, withSecret } from '../../kit/accounts/account-form.ts'
import { secretTypesOf, secretWord } from '../../kit/accounts/secret-types.ts'
import type { Fields } from '../../kit/api/metadata.ts'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import type { FormSpec, WidgetProps } from '../../kit/form/spec.ts'
import type { OfferedProtocol } from '../../kit/form/widgets/protocols.ts'
import { lazyComponent } from '../../kit/lazy-component.tsx'
import { type Row, rawOf } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { Tick } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'

const TemplatePicker = lazyComponent(() => import('../../kit/accounts/TemplatePicker.tsx'))

interface Account {
  id?: string
  name: string
  username: string
  privileged: boolean
  secret_type: string
  /** Encrypted when the dialog closes. */
  secret?: string
  passphrase?: string
  is_active: boolean
  /** The template of the account, including its secret. */
  template?: string
}

const blank = (type: string): Account => ({
  name: '',
  username: '',
  privileged: false,
  secret_type: type,
  is_active: true,
})

const ofTemplate = (template: Row): Account => ({
  name: String(template.name),
  username: String(template.username ?? ''),
  privileged: template.privileged === true,
  secret_type: String(rawOf(template.secret_type)),
  is_active: true,
  template: template.id,
})

const alike = (a: Account, b: Account): boolean => a.username === b.username && a.secret_type === b.secret_type

/** Source of a row's secret, if it was not entered here. */
const sourceOf = (row: Account): string | undefined =>
  row.secret ? undefined : t(row.template ? 'secretOfTemplate' : row.id ? 'secretCopied' : 'secretNone')

export function AssetAccounts({ value, onChange, field, disabled }: WidgetProps) {
  const protocols = (field.with?.choices ?? []) as readonly OfferedProtocol[]
  const types = secretTypesOf(protocols)
  const rows = ((Array.isArray(value) ? value : []) as Account[]).map((row) => ({
    ...row,
    secret_type: String(rawOf(row.secret_type)),
  }))
  const [editing, setEditing] = useState<{ account: Account; old?: Account }>()
  const [picking, setPicking] = useState(false)
  const save = (account: Account, old?: Account) =>
    onChange([...rows.filter((row) => row.username !== account.username && row.username !== old?.username), account])
  const addTemplates = (templates: readonly Row[]) => {
    const fresh = templates.map(ofTemplate)
    const clash = fresh.find((one, at) => [...rows, ...fresh.slice(0, at)].some((row) => alike(row, one)))
    if (clash) return toast.error(t('accountTwice', { name: clash.username }))
    onChange([...rows, ...fresh])
    return setPicking(false)
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
            <div className="account-row" key={`${row.username} ${row.secret_type}`}>
              <span className="mono clip">{row.username}</span>
              <span>
                {secretWord(row.secret_type)}
                {sourceOf(row) && <span className="muted small"> · {sourceOf(row)}</span>}
              </span>
              <span>
                <Tick yes={row.privileged} word={t('privileged')} />
              </span>
              <span className="end">
                <Button
                  type="text"
                  size="small"
                  icon={<Pencil size={14} />}
                  disabled={disabled || row.template !== undefined}
                  aria-label={t('changeName', { name: row.username })}
                  onClick={() => setEditing({ account: row, old: row })}
                />
                <Button
                  type="text"
                  size="small"
                  icon={<Trash2 size={14} />}
                  disabled={disabled}
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
      {can('accounts.view_accounttemplate') && (
        <Button
          type="text"
          size="small"
          icon={<LayoutTemplate size={14} />}
          disabled={disabled}
          onClick={() => setPicking(true)}
        >
          {t('fromTemplate')}
        </Button>
      )}
      {editing && (
        <FormDialog
          spec={formOf(types, editing.account, editing.old !== undefined)}
          title={t(editing.old ? 'accountUpdate' : 'accountAdd')}
          onClose={() => setEditing(undefined)}
          onSaved={(saved) => save(saved as unknown as Account, editing.old)}
        />
      )}
      {picking && (
        <TemplatePicker
          protocols={protocols.map(({ name }) => name)}
          atLeast={1}
          may={(row) => !rows.some((one) => one.template === row.id)}
          onClose={() => setPicking(false)}
          onPick={addTemplates}
        />
      )}
    </div>
  )
}

const fields = (): Fields => ({
  username: { type: 'string', label: t('username'), required: true, max_length: 128 },
  name: { type: 'string', label: t('name'), required: true, max_length: 128 },
  privileged: { type: 'boolean', label: t('privileged') },
  secret_type: { type: 'choice', label: t('secretType') },
  passphrase: { type: 'string', label: t('passphrase'), write_only: true, max_length: 1024 },
})

/** The account stays in the form of the asset until that is sent. */
function formOf(types: readonly string[], account: Account, stands: boolean): FormSpec {
  const hasStoredSecret = stands && Boolean(account.secret ?? account.id)
  return {
    url: 'host-account',
    noun: 'account',
    verb: stands ? 'save' : 'add',
    initial: () => ({ ...account, passphrase: undefined }),
    groups: [
      { key: 'basic', title: 'groupBasic', fields: ['username', 'name', 'privileged'] },
      { key: 'secret', title: 'secret', help: hasStoredSecret ? 'secretKeepHelp' : undefined, fields: secretNames },
    ],
    fields: accountFields(types, false),
    local: {
      fields: fields(),
      save: (body) => ({ ...account, ...body }) as unknown as Row,
    },
    clean: async (body, values) => {
      const out = await withSecret(body, values)
      return out.secret || out.secret_type === account.secret_type ? out : { ...out, secret: undefined }
    },
  }
}
