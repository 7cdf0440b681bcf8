/** Table of accounts: all, of an asset, or of a permission. */
import { pathOf } from '@castellan/contract/routes'
import { Button } from 'antd'
import { Eraser, Eye, KeyRound, LayoutTemplate, PlugZap } from 'lucide-react'
import { useMemo, useState } from 'react'
import { call, withQuery } from '../api/client.ts'
import { attempt } from '../api/errors.ts'
import { Connectivity } from '../cells.tsx'
import { confirm } from '../confirm.ts'
import { lazyComponent } from '../lazy-component.tsx'
import { ListView } from '../list/ListView.tsx'
import type { Acting, ListSpec } from '../list/spec.ts'
import { at, number, type Row, rawOf, wordOf } from '../row.ts'
import { can, inRoot } from '../session.ts'
import { Tick } from '../status.tsx'
import { openTaskLog } from '../task-log.ts'
import { t } from '../text.ts'
import { toast } from '../toast.ts'
import { accountsOrder, accountsUrl } from './address.ts'

const AccountDialog = lazyComponent(() => import('./AccountDialog.tsx'))
const TemplatePicker = lazyComponent(() => import('./TemplatePicker.tsx'))
const SecretViewer = lazyComponent(() => import('./SecretViewer.tsx'))

type Opened =
  | { kind: 'edit'; row: Row; reload: () => void }
  | { kind: 'secret'; row: Row }
  | { kind: 'new' | 'template'; reload: () => void }

const namesOf = (protocols: unknown): string[] =>
  (Array.isArray(protocols) ? protocols : []).map((protocol: { name?: string }) => String(protocol.name))

/** Verifies accounts in the background. */
async function verify(ids: readonly string[], onEnd: () => void): Promise<void> {
  const { task } = await call<{ task: string }>(`${accountsUrl}tasks/`, {
    method: 'POST',
    body: { action: 'verify', accounts: ids },
  })
  openTaskLog(task, { onEnd })
}

const clearSecrets = ({ rows, reload, clear }: Acting) =>
  confirm({
    title: t('secretClear'),
    text: t('secretClearText', { count: number(rows.length) }),
    verb: t('secretClear'),
    danger: true,
    run: async () => {
      await call(`${accountsUrl}clear-secret/`, { method: 'PATCH', body: { account_ids: rows.map((row) => row.id) } })
      toast.ok(t('done'))
      clear()
      reload()
    },
  })

/** Button to add accounts from templates, for users who may create accounts and view templates. */
function fromTemplate(readOnly: boolean | undefined, open: (what: Opened) => void): ListSpec['header'] {
  if (readOnly || inRoot() || !can('accounts.add_account') || !can('accounts.view_accounttemplate')) return undefined
  return function FromTemplate({ reload }) {
    return (
      <Button icon={<LayoutTemplate size={16} />} onClick={() => open({ kind: 'template', reload })}>
        {t('fromTemplate')}
      </Button>
    )
  }
}

/** Accounts of one asset, created from the chosen templates. */
async function addFromTemplates(asset: Row, templates: readonly Row[]): Promise<void> {
  await call(accountsUrl, {
    method: 'POST',
    body: templates.map((row) => ({
      template: row.id,
      name: row.name,
      username: row.username,
      secret_type: rawOf(row.secret_type),
      privileged: row.privileged,
      asset: asset.id,
    })),
  })
  toast.ok(t('created'))
}

/** The username, if it differs from the account name. */
const usernameOf = (row: Row) => row.username !== row.name && <span className="mono">{wordOf(row.username)}</span>

function specOf({
  asset,
  url,
  query,
  readOnly,
  header,
  open,
}: {
  asset?: Row
  url: string
  query?: Record<string, string>
  readOnly?: boolean
  header: ListSpec['header']
  open: (what: Opened) => void
}): ListSpec {
  const change = can('accounts.change_account') && !inRoot() && !readOnly
  return {
    id: asset ? 'AssetAccountList' : 'AccountList',
    url,
    fieldsUrl: accountsUrl,
    query,
    path: pathOf('AssetAccountList'),
    resource: 'accounts.account',
    noun: 'account',
    empty: 'accountsEmpty',
    order: accountsOrder,
    inAddress: !asset && !readOnly,
    shown: asset
      ? ['name', 'privileged', 'secret_type', 'connectivity', 'is_active', 'date_updated']
      : ['name', 'asset', 'privileged', 'secret_type', 'connectivity', 'date_updated'],
    fixed: ['name'],
    exclude: ['spec_info', 'username', 'params'],
    filtersExclude: ['asset'],
    icon: () => <KeyRound size={16} className="kind" />,
    secondary: (row) => usernameOf(row),
    // A card has no column for it, but it distinguishes accounts with the same name.
    mobileSubtitle: asset
      ? undefined
      : (row) => (
          <>
            {usernameOf(row)}
            <span>{wordOf(row.asset)}</span>
          </>
        ),
    statusBadge: (row) => <Connectivity value={row.connectivity} />,
    cells: {
      asset: {
        width: 200,
        render: (row) =>
          can('assets.view_asset') && at(row, 'asset.id') ? (
            <a href={`#${pathOf('AssetDetail', String(at(row, 'asset.id')))}`}>{wordOf(row.asset)}</a>
          ) : (
            wordOf(row.asset)
          ),
      },
      privileged: { width: 100, render: (row) => <Tick yes={row.privileged === true} word={t('privileged')} /> },
      secret_type: { width: 120 },
      connectivity: { width: 120, render: (row) => <Connectivity value={row.connectivity} /> },
      is_active: { falseWord: t('disabled'), width: 110 },
    },
    create: readOnly ? undefined : { label: 'accountAdd', run: ({ reload }) => open({ kind: 'new', reload }) },
    header,
    clone: false,
    update: readOnly ? false : { run: (row, { reload }) => open({ kind: 'edit', row, reload }) },
    remove: readOnly ? false : undefined,
    selectable: !readOnly,
    importing: asset || readOnly ? false : undefined,
    exporting: readOnly
      ? false
      : {
          url: url.replace('/accounts/accounts/', '/accounts/account-secrets/'),
          confirm: 'mfa',
          note: 'exportSecretNote',
          permission: 'accounts.view_accountsecret',
        },
    rowActions: [
      {
        key: 'secret',
        label: () => t('secretView'),
        icon: <Eye size={14} />,
        visible: () => can('accounts.view_accountsecret'),
        run: (row) => open({ kind: 'secret', row }),
      },
      {
        key: 'verify',
        label: () => t('accountVerify'),
        icon: <PlugZap size={14} />,
        visible: () => can('accounts.verify_account') && change,
        run: (row, { reload }) => verify([row.id], reload),
      },
      {
        key: 'clear',
        label: () => t('secretClear'),
        icon: <Eraser size={14} />,
        visible: () => change,
        run: (_row, acting) => clearSecrets(acting),
      },
    ],
    batchActions: [
      {
        key: 'verify',
        label: t('accountVerify'),
        visible: can('accounts.verify_account') && change,
        run: ({ rows, reload }) =>
          verify(
            rows.map((row) => row.id),
            reload,
          ),
      },
      { key: 'clear', label: t('secretClear'), visible: change, run: clearSecrets },
    ],
  }
}

export function AccountTable({
  asset,
  query,
  url,
  readOnly,
  onTotal,
}: {
  asset?: Row
  query?: Record<string, string>
  url?: string
  readOnly?: boolean
  onTotal?: (total: number) => void
}) {
  const [opened, setOpened] = useState<Opened>()
  const address = url ?? (asset ? withQuery(accountsUrl, { asset: asset.id }) : accountsUrl)
  const close = () => setOpened(undefined)
  // A stable component: a new one per render would remount its button.
  const header = useMemo(() => fromTemplate(readOnly, setOpened), [readOnly])
  return (
    <>
      <ListView spec={specOf({ asset, url: address, query, readOnly, header, open: setOpened })} onTotal={onTotal} />
      {opened?.kind === 'secret' && <SecretViewer account={opened.row} onClose={close} />}
      {opened?.kind === 'template' && asset && (
        <TemplatePicker
          protocols={namesOf(asset.protocols)}
          atLeast={1}
          onClose={close}
          onPick={async (rows) => {
            if (!(await attempt(() => addFromTemplates(asset, rows)))) return
            opened.reload()
            close()
          }}
        />
      )}
      {(opened?.kind === 'edit' || opened?.kind === 'new' || (opened?.kind === 'template' && !asset)) && (
        <AccountDialog
          fromTemplate={opened.kind === 'template'}
          asset={asset}
          account={opened.kind === 'edit' ? opened.row : undefined}
          onClose={close}
          onSaved={opened.reload}
        />
      )}
    </>
  )
}
