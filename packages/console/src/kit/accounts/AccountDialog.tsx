/** Creates or updates an account, on one asset or on many assets at once. */
import { useQuery } from '@tanstack/react-query'
import { Modal } from 'antd'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { audience } from '../api/metadata.ts'
import { FormDialog } from '../form/FormDialog.tsx'
import type { FormSpec } from '../form/spec.ts'
import { at, number, type Row, wordOf } from '../row.ts'
import { assetSource } from '../rule-attributes.ts'
import { Status } from '../status.tsx'
import { t } from '../text.ts'
import { accountFields, secretNames, withSecret } from './account-form.ts'
import { accountsUrl, templatesUrl } from './address.ts'
import { secretTypesOf } from './secret-types.ts'

interface Outcome {
  asset: string | { name?: string }
  state: 'created' | 'updated' | 'skipped' | 'error'
  error?: string
}

const templateName = (row: Row): string => (row.username ? `${row.name}(${row.username})` : String(row.name))

function formOf(
  asset: Row | undefined,
  account: Row | undefined,
  types: readonly string[],
  fromTemplate: boolean,
  refused: FormSpec['refused'],
): FormSpec {
  const many = !asset && !account
  return {
    url: many ? `${accountsUrl}bulk/` : accountsUrl,
    method: account ? 'PATCH' : 'POST',
    noun: 'account',
    refused,
    verb: account ? undefined : 'accountAdd',
    initial: () => ({ secret_type: types[0] ?? 'password', is_active: true, privileged: false, on_invalid: 'error' }),
    groups: [
      { key: 'assets', title: 'assets', fields: ['assets'], visible: many },
      { key: 'template', title: 'accountTemplates', fields: ['template'], visible: fromTemplate },
      { key: 'basic', title: 'groupBasic', fields: ['username', 'name', 'privileged'], visible: !fromTemplate },
      {
        key: 'secret',
        title: 'secret',
        help: account ? 'secretKeepHelp' : undefined,
        fields: secretNames,
        visible: !fromTemplate,
      },
      {
        key: 'other',
        title: 'groupOther',
        folded: !fromTemplate,
        fields: fromTemplate ? ['on_invalid', 'is_active'] : ['on_invalid', 'is_active', 'comment'],
      },
    ],
    fields: {
      ...accountFields(types, Boolean(account)),
      assets: {
        label: 'assets',
        info: { type: 'm2m_related_field', required: true },
        source: { ...assetSource, plain: true },
      },
      template: { required: true, single: true, source: { url: templatesUrl, plain: true, label: templateName } },
      on_invalid: { hidden: () => !many },
    },
    clean: (body, values) => withSecret({ ...body, ...(asset && !account ? { asset: asset.id } : {}) }, values),
  }
}

export default function AccountDialog({
  asset,
  account,
  fromTemplate = false,
  onClose,
  onSaved,
}: {
  asset?: Row
  account?: Row
  /** Adds the accounts of a template to many assets. */
  fromTemplate?: boolean
  onClose: () => void
  onSaved: () => void
}) {
  const [outcome, setOutcome] = useState<{ of: Outcome[]; saved: boolean }>()
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
  /** The server reports results per asset, also when the whole request is rejected. */
  const show = (answer: unknown, saved: boolean): boolean => {
    if (Array.isArray(answer)) setOutcome({ of: answer as Outcome[], saved })
    return Array.isArray(answer)
  }
  if (outcome?.saved) return <Outcomes of={outcome.of} onClose={onClose} />
  return (
    <>
      <FormDialog
        spec={formOf(asset, account, types, fromTemplate, ({ body }) => show(body, false))}
        id={account?.id}
        title={
          account
            ? `${t('accountUpdate')}: ${wordOf(account.name)}`
            : t(fromTemplate ? 'accountsOfTemplate' : 'accountAdd')
        }
        onClose={onClose}
        onSaved={(saved) => {
          onSaved()
          return !show(saved, true)
        }}
      />
      {outcome && <Outcomes of={outcome.of} onClose={() => setOutcome(undefined)} />}
    </>
  )
}

/** Result per asset. */
function Outcomes({ of, onClose }: { of: readonly Outcome[]; onClose: () => void }) {
  const words = {
    created: ['ok', 'outcomeCreated'],
    updated: ['ok', 'outcomeUpdated'],
    skipped: ['idle', 'outcomeSkipped'],
    error: ['danger', 'outcomeFailed'],
  } as const
  const counts = Object.entries(words).flatMap(([state, [tone, word]]) => {
    const count = of.filter((item) => item.state === state).length
    return count > 0 ? [{ tone, word, count }] : []
  })
  return (
    <Modal open width={640} title={t('outcomes')} footer={null} onCancel={onClose}>
      <p className="line gap-below">
        {counts.map(({ tone, word, count }) => (
          <Status key={word} is={tone}>
            {t(word)} {number(count)}
          </Status>
        ))}
      </p>
      <div className="list-plain">
        {of.map((item) => {
          const [tone, word] = words[item.state]
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
