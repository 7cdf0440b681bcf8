/** Accounts made together with an asset: rows in one frame, a dialog for each. */
import { Button } from 'antd'
import { LayoutTemplate, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type AccountForm, accountFields, secretNames, withSecret } from '../../domain/accounts/account-form.ts'
import { mayPush, type PushMethod, pushFields } from '../../domain/accounts/push.tsx'
import { secretTypesOf, secretWord } from '../../domain/accounts/secret-types.ts'
import type { ParamsOfMethods } from '../../domain/assets/method-params.ts'
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

const TemplatePicker = lazyComponent(() => import('../../kit/form/widgets/TemplatePicker.tsx'))

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
  /** Sets the account up on the asset as soon as that is saved. */
  push_now?: boolean
  params?: ParamsOfMethods
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
  const push = field.with?.push as PushMethod | undefined
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
      <div className="rows">
        <div className="head account-row">
          <span data-column="name">{t('name')}</span>
          <span data-column="username">{t('username')}</span>
          <span>{t('secret')}</span>
          <span data-column="privileged">{t('privileged')}</span>
          <span data-column="template">{t('ofTemplate')}</span>
          <span />
        </div>
        {rows.length === 0 && <div className="muted small">{t('accountsNoneYet')}</div>}
        {rows.map((row) => (
          <div className="account-row" key={`${row.username} ${row.secret_type}`}>
            <span className="clip">{row.name}</span>
            <span className="mono clip">{row.username}</span>
            <span>
              {secretWord(row.secret_type)}
              {sourceOf(row) && <span className="muted small"> · {sourceOf(row)}</span>}
              {row.push_now && <span className="muted small"> · {t('pushedWhenSaved')}</span>}
            </span>
            <span>
              <Tick yes={row.privileged} word={t('privileged')} />
            </span>
            <span>
              <Tick yes={row.template !== undefined} word={t('ofTemplate')} />
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
          spec={formOf(types, push, editing.account, editing.old !== undefined)}
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
  push_now: { type: 'boolean', label: t('pushNow') },
  params: { type: 'field', label: t('methodParams') },
})

/** The account stays in the form of the asset until that is sent. */
function formOf(
  types: readonly string[],
  push: PushMethod | undefined,
  account: Account,
  stands: boolean,
): FormSpec<AccountForm> {
  const hasStoredSecret = stands && Boolean(account.secret ?? account.id)
  return {
    url: 'host-account',
    noun: 'account',
    submit: {
      verb: stands ? 'save' : 'add',
      clean: async (body, values) => {
        const out = await withSecret(body, values)
        return out.secret || out.secret_type === account.secret_type ? out : { ...out, secret: undefined }
      },
    },
    initial: () => ({ ...account, passphrase: undefined }),
    groups: [
      { key: 'basic', title: 'groupBasic', fields: ['username', 'name', 'privileged'] },
      { key: 'secret', title: 'secret', help: hasStoredSecret ? 'secretKeepHelp' : undefined, fields: secretNames },
      {
        key: 'push',
        title: 'accountPushVerb',
        fields: ['push_now', 'params'],
        visible: push !== undefined && mayPush(),
      },
    ],
    fields: { ...accountFields(types, false), ...pushFields(push) },
    local: {
      fields: fields(),
      save: (body) => ({ ...account, ...body }) as unknown as Row,
    },
  }
}
