/** Makes or changes an account: on one asset, or the same on many at once (accounts sheet §2). */
import { useQuery } from '@tanstack/react-query'
import { Modal } from 'antd'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { audience } from '../api/metadata.ts'
import { FormDialog } from '../form/FormDialog.tsx'
import type { FieldSpec, FormSpec, Values } from '../form/spec.ts'
import { at, type Row, wordOf } from '../row.ts'
import { Status } from '../status.tsx'
import { t } from '../text.ts'
import { accountsUrl } from './address.ts'
import { isPrivilegedName, secretTypesOf, secretWord } from './secret-types.ts'

interface Outcome {
  asset: string | { name?: string }
  state: 'created' | 'updated' | 'skipped' | 'error' | string
  error?: string
}

const secretField = (type: string, more: FieldSpec): Record<string, FieldSpec> => ({
  [`${type}_secret`]: {
    ...more,
    local: true,
    label: 'secret',
    hidden: (values) => (values.secret_type ?? 'password') !== type,
  },
})

/** Local fields of every secret type; only the shown one is sent, as `secret`. */
const secretFields: Record<string, FieldSpec> = {
  ...secretField('password', { widget: 'secret' }),
  ...secretField('ssh_key', { widget: 'file-text', label: 'sshKeyPrivate' }),
  ...secretField('token', { widget: 'file-text', label: 'token' }),
  ...secretField('access_key', { widget: 'file-text', label: 'accessKey' }),
  ...secretField('api_key', { widget: 'file-text', label: 'apiKey' }),
}

function formOf(asset: Row | undefined, account: Row | undefined, types: readonly string[]): FormSpec {
  const many = !asset && !account
  const names = Object.keys(secretFields)
  return {
    url: many ? `${accountsUrl}bulk/` : accountsUrl,
    method: account ? 'PATCH' : 'POST',
    noun: 'account',
    verb: account ? undefined : 'accountAdd',
    initial: () => ({ secret_type: types[0] ?? 'password', is_active: true, privileged: false, on_invalid: 'error' }),
    groups: [
      { key: 'assets', title: 'assets', fields: ['assets'], has: many },
      { key: 'basic', title: 'groupBasic', fields: ['username', 'name', 'privileged'] },
      {
        key: 'secret',
        title: 'secret',
        help: account ? 'secretKeepHelp' : undefined,
        fields: ['secret_type', ...names, 'passphrase'],
      },
      { key: 'other', title: 'groupOther', folded: true, fields: ['on_invalid', 'is_active', 'comment'] },
    ],
    fields: {
      ...secretFields,
      assets: {
        required: true,
        source: { url: '/api/v1/assets/assets/', plain: true, label: (row) => `${row.name}(${row.address})` },
      },
      username: {
        half: true,
        mono: true,
        disabled: Boolean(account),
        follow: (value, values): Values => ({
          ...(account || (values.name && values.name !== values.named) ? {} : { name: value, named: value }),
          ...(isPrivilegedName(String(value)) ? { privileged: true } : {}),
        }),
      },
      name: { half: true, required: true },
      privileged: { widget: 'checkbox', help: 'privilegedHelp' },
      secret_type: { options: types.map((type) => ({ value: type, label: secretWord(type) })), widget: 'choice' },
      passphrase: { widget: 'password', secret: true, hidden: (values) => values.secret_type !== 'ssh_key' },
      on_invalid: { hidden: () => !many },
    },
    clean: (body, values) => {
      const out: Record<string, unknown> = { ...body, ...(asset && !account ? { asset: asset.id } : {}) }
      for (const key of Object.keys(out)) if (key.endsWith('_secret') || key === 'named') delete out[key]
      if (out.passphrase === undefined || out.passphrase === '') delete out.passphrase
      const secret = values[`${String(values.secret_type ?? 'password')}_secret`]
      if (secret) out.secret = secret
      return out
    },
  }
}

export default function AccountDialog({
  asset,
  account,
  onClose,
  onSaved,
}: {
  asset?: Row
  account?: Row
  onClose: () => void
  onSaved: () => void
}) {
  const [outcome, setOutcome] = useState<Outcome[]>()
  const platformId = at(asset ?? {}, 'platform.id') ?? at(account ?? {}, 'asset.platform.id')
  const platform = useQuery({
    queryKey: ['platform', String(platformId), ...audience()],
    enabled: platformId !== undefined,
    queryFn: () =>
      call<{ protocols: { secret_types?: string[] }[] }>(`/api/v1/assets/platforms/${String(platformId)}/`, {
        quiet: true,
      }),
  })
  if (platformId !== undefined && platform.isPending) return null
  const types = platform.data
    ? secretTypesOf(platform.data.protocols)
    : ['password', 'ssh_key', 'token', 'access_key', 'api_key']
  const done = (saved: unknown) => {
    onSaved()
    if (Array.isArray(saved)) setOutcome(saved as Outcome[])
    else onClose()
  }
  if (outcome) return <Outcomes of={outcome} onClose={onClose} />
  return (
    <FormDialog
      spec={formOf(asset, account, types)}
      id={account?.id}
      title={account ? `${t('accountUpdate')}: ${wordOf(account.name)}` : t('accountAdd')}
      onClose={onClose}
      onSaved={done}
    />
  )
}

/** What became of an account on each asset. */
function Outcomes({ of, onClose }: { of: readonly Outcome[]; onClose: () => void }) {
  const words = {
    created: ['ok', 'outcomeCreated'],
    updated: ['ok', 'outcomeUpdated'],
    skipped: ['idle', 'outcomeSkipped'],
  } as const
  return (
    <Modal open width={640} title={t('outcomes')} footer={null} onCancel={onClose}>
      <div className="list-plain">
        {of.map((item) => {
          const [tone, word] = words[item.state as keyof typeof words] ?? (['danger', 'outcomeFailed'] as const)
          return (
            <div className="row" key={wordOf(item.asset)}>
              <span className="clip grow">{wordOf(item.asset)}</span>
              <Status is={tone}>{t(word)}</Status>
              {item.error && <span className="muted small">{item.error}</span>}
            </div>
          )
        })}
      </div>
    </Modal>
  )
}
