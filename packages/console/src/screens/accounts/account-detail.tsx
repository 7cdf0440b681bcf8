import { pathOf } from '@castellan/contract/routes'
import { Button } from 'antd'
import { Eye, KeyRound, Pencil } from 'lucide-react'
import { useState } from 'react'
import { AssetLink } from '../../domain/accounts/AssetLink.tsx'
import { clearSecrets, isTestable, removeFromAsset, verify } from '../../domain/accounts/account-actions.ts'
import { nameWithUsername } from '../../domain/accounts/account-form.ts'
import { accountsUrl } from '../../domain/accounts/address.ts'
import { isPushable, mayPush, usePush } from '../../domain/accounts/push.tsx'
import { call, withQuery } from '../../kit/api/client.ts'
import { attempt } from '../../kit/api/errors.ts'
import { Connectivity } from '../../kit/cells.tsx'
import type { DetailContext, DetailSpec } from '../../kit/detail/DetailPage.tsx'
import { QuickActions } from '../../kit/detail/QuickActions.tsx'
import { RemoteSelect } from '../../kit/form/widgets/Remote.tsx'
import { lazyComponent } from '../../kit/lazy-component.tsx'
import { at, wordOf } from '../../kit/row.ts'
import { can, inRoot } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import type { WireRow } from '../../kit/wire.ts'

const AccountDialog = lazyComponent(() => import('../../domain/accounts/AccountDialog.tsx'))
const SecretViewer = lazyComponent(() => import('../../domain/accounts/SecretViewer.tsx'))

type Account = WireRow<typeof accountsUrl>

/** The secret, and the form of the account. */
function HeadActions({ row, reload }: DetailContext<Account>) {
  const [opened, setOpened] = useState<'secret' | 'form'>()
  const close = () => setOpened(undefined)
  return (
    <>
      {can('accounts.view_accountsecret') && (
        <Button type="primary" icon={<Eye size={16} />} onClick={() => setOpened('secret')}>
          {t('secretView')}
        </Button>
      )}
      {can('accounts.change_account') && !inRoot() && (
        <Button icon={<Pencil size={16} />} onClick={() => setOpened('form')}>
          {t('update')}
        </Button>
      )}
      {opened === 'secret' && <SecretViewer account={row} onClose={close} />}
      {opened === 'form' && <AccountDialog account={row} onClose={close} onSaved={reload} />}
    </>
  )
}

function Actions({ row, reload }: DetailContext<Account>) {
  const may = can('accounts.change_account')
  const change = (body: unknown) => call(`${accountsUrl}${row.id}/`, { method: 'PATCH', body }).then(reload)
  const push = usePush()
  return (
    <>
      <QuickActions
        actions={[
          {
            key: 'active',
            title: t('accountActive'),
            on: row.is_active === true,
            disabled: !may && t('noRight'),
            run: () => change({ is_active: !row.is_active }),
          },
          {
            key: 'privileged',
            title: t('privileged'),
            help: t('privilegedHelp'),
            on: row.privileged === true,
            disabled: !may && t('noRight'),
            run: () => change({ privileged: !row.privileged }),
          },
          {
            key: 'clear',
            title: t('secretClear'),
            help: t('secretClearHelp'),
            verb: t('secretClear'),
            danger: true,
            visible: may && !inRoot(),
            run: () => clearSecrets({ rows: [row], reload }),
          },
          {
            key: 'verify',
            title: t('accountVerify'),
            help: t('accountVerifyHelp'),
            verb: t('test'),
            visible: can('accounts.verify_account') && !inRoot() && isTestable(row),
            run: () => verify([row.id], reload),
          },
          {
            key: 'push',
            title: t('accountPush'),
            help: t('accountPushHelp'),
            verb: t('accountPushVerb'),
            visible: mayPush() && isPushable(row),
            run: () => push.ask([row], reload),
          },
          {
            key: 'remove',
            title: t('accountRemove'),
            help: t('accountRemoveHelp'),
            verb: t('accountRemoveVerb'),
            danger: true,
            visible: can('accounts.delete_account') && !inRoot() && isPushable(row) && row.privileged !== true,
            run: () => removeFromAsset(row, reload),
          },
        ]}
      />
      {push.dialog}
    </>
  )
}

/** The account from which this one is reached, if its platform allows switching. */
function SuFrom({ row, reload }: DetailContext<Account>) {
  const [busy, setBusy] = useState(false)
  if (at(row, 'asset.auto_config.su_enabled') !== true) return null
  const change = async (chosen: unknown) => {
    setBusy(true)
    const body = { su_from: at(Object(chosen), 'id') ?? null, name: row.name }
    await attempt(() => call(`${accountsUrl}${row.id}/`, { method: 'PATCH', body }).then(reload))
    setBusy(false)
  }
  return (
    <section>
      <div className="section-head">
        <h2>{t('suFrom')}</h2>
      </div>
      <p className="muted small">{t('suFromHelp')}</p>
      <RemoteSelect
        many={false}
        clearable
        title={t('suFrom')}
        value={row.su_from}
        disabled={busy || inRoot() || !can('accounts.change_account')}
        source={{
          url: withQuery(`${accountsUrl}su-from-accounts/`, { account: row.id, fields_size: 'mini' }),
          label: nameWithUsername,
        }}
        onChange={(chosen) => void change(chosen)}
      />
    </section>
  )
}

export const detail: DetailSpec<Account> = {
  url: accountsUrl,
  path: pathOf('AssetAccountList'),
  resource: 'accounts.account',
  noun: 'account',
  icon: () => <KeyRound size={20} />,
  under: (row) => (
    <>
      <span className="mono">{wordOf(row.username)}</span> · {wordOf(row.asset)}
    </>
  ),
  update: false,
  headActions: (context) => <HeadActions {...context} />,
  facts: [
    { name: 'asset', render: (row) => <AssetLink account={row} /> },
    { name: 'username', mono: true },
    'secret_type',
    'has_secret',
    'privileged',
    'is_active',
    { name: 'connectivity', render: (row) => <Connectivity value={row.connectivity} /> },
    'su_from',
    'source',
    'version',
    'date_created',
    'date_updated',
    'created_by',
    'comment',
    { name: 'id', mono: true },
  ],
  sections: (context) => (
    <>
      <Actions {...context} />
      <SuFrom {...context} />
    </>
  ),
}
