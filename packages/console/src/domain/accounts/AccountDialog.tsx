/** Creates or updates an account, on one asset or on many assets at once. */
import { useQuery } from '@tanstack/react-query'
import { Modal } from 'antd'
import { useState } from 'react'
import { call, withQuery } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import type { FormSpec, FormSubmit } from '../../kit/form/spec.ts'
import { templatesUrl } from '../../kit/form/widgets/special-accounts.ts'
import { at, number, type Row, wordOf } from '../../kit/row.ts'
import { Status } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import { assetSource } from '../acls/rule-attributes.ts'
import { type AccountForm, accountFields, nameWithUsername, secretNames, withSecret } from './account-form.ts'
import { accountsUrl } from './address.ts'
import { type PushingPlatform, type PushMethod, pushFields, pushMethodOf } from './push.tsx'
import { secretTypesOf } from './secret-types.ts'

interface Outcome {
  asset: string | { name?: string }
  state: 'created' | 'updated' | 'skipped' | 'error'
  error?: string
}

/** What the platform of an asset allows for accounts. */
interface PlatformFacts {
  /** Secret types. */
  types: readonly string[]
  /** Whether an account may be reached through another one. */
  switches: boolean
  /** How accounts are set up on the asset; undefined if they cannot be. */
  push?: PushMethod
}

interface Platform extends PushingPlatform {
  protocols: { secret_types?: string[] }[]
  su_enabled?: boolean
}

function factsOf(platform: Platform | undefined): PlatformFacts {
  if (!platform)
    // Several assets: the server skips those that cannot do it.
    return {
      types: ['password', 'ssh_key', 'token', 'access_key', 'api_key'],
      switches: false,
      push: { method: '', takesKeys: true },
    }
  const push = pushMethodOf(platform)
  return {
    types: secretTypesOf(platform.protocols),
    switches: platform.su_enabled === true,
    ...(push ? { push } : {}),
  }
}

function formOf(
  asset: Row | undefined,
  account: Row | undefined,
  { types, switches, push }: PlatformFacts,
  fromTemplate: boolean,
  onError: FormSubmit['onError'],
): FormSpec<AccountForm> {
  const many = !asset && !account
  const assetId = asset?.id ?? at(account ?? {}, 'asset.id')
  return {
    url: many ? `${accountsUrl}bulk/` : accountsUrl,
    submit: {
      method: account ? 'PATCH' : 'POST',
      onError,
      verb: account ? undefined : 'accountAdd',
      clean: (body, values) => withSecret({ ...body, ...(asset && !account ? { asset: asset.id } : {}) }, values),
    },
    noun: 'account',
    initial: () => ({ secret_type: types[0] ?? 'password', is_active: true, privileged: false, on_invalid: 'error' }),
    groups: [
      { key: 'assets', title: 'assets', fields: ['assets'], visible: many },
      { key: 'template', title: 'accountTemplates', fields: ['template'], visible: fromTemplate },
      {
        key: 'basic',
        title: 'groupBasic',
        fields: ['username', 'name', 'privileged', many ? 'su_from_username' : 'su_from'],
        visible: !fromTemplate,
      },
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
        fields: ['push_now', 'params', 'on_invalid', 'is_active', ...(fromTemplate ? [] : (['comment'] as const))],
      },
    ],
    fields: {
      ...accountFields(types, Boolean(account)),
      assets: {
        label: 'assets',
        info: { type: 'm2m_related_field', required: true },
        source: { ...assetSource, plain: true },
      },
      template: {
        validation: { required: true },
        choices: { single: true },
        source: { url: templatesUrl, plain: true, label: nameWithUsername },
      },
      su_from: {
        texts: { help: 'suFromHelp' },
        state: { hidden: () => !switches },
        source: {
          url: withQuery(`${accountsUrl}su-from-accounts/`, { account: account?.id ?? '', asset: wordOf(assetId) }),
          plain: true,
          label: nameWithUsername,
        },
      },
      ...pushFields(push),
      su_from_username: { widget: 'text', layout: { mono: true }, texts: { help: 'suFromUsernameHelp' } },
      on_invalid: { state: { hidden: () => !many } },
    },
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
    queryFn: () => call<Platform>(`/api/v1/assets/platforms/${String(platformId)}/`, { quiet: true }),
  })
  if (platformId !== undefined && platform.isPending) return null
  const facts = factsOf(platform.data)
  /** The server reports results per asset, also when the whole request is rejected. */
  const show = (answer: unknown, saved: boolean): boolean => {
    if (Array.isArray(answer)) setOutcome({ of: answer as Outcome[], saved })
    return Array.isArray(answer)
  }
  if (outcome?.saved) return <Outcomes of={outcome.of} onClose={onClose} />
  return (
    <>
      <FormDialog
        spec={formOf(asset, account, facts, fromTemplate, ({ body }) => show(body, false))}
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
        <span>
          {t('outcomesTotal')} {number(of.length)}
        </span>
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
