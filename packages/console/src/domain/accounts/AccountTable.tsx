/** Table of accounts: all, of an asset, or of a permission. */
import { pathOf } from '@castellan/contract/routes'
import { Button } from 'antd'
import { Eraser, Eye, KeyRound, LayoutTemplate, PlugZap, Upload } from 'lucide-react'
import { useMemo, useState } from 'react'
import { call, withQuery } from '../../kit/api/client.ts'
import { attempt } from '../../kit/api/errors.ts'
import { Connectivity } from '../../kit/cells.tsx'
import { lazyComponent } from '../../kit/lazy-component.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import type { ListActions, ListSpec } from '../../kit/list/spec.ts'
import { type FieldOf, type Row, rawOf, wordOf } from '../../kit/row.ts'
import { can, inRoot } from '../../kit/session.ts'
import { Tick } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import type { WireRow } from '../../kit/wire.ts'
import { AssetLink } from './AssetLink.tsx'
import { clearSecrets, isTestable, verify } from './account-actions.ts'
import { accountsOrder, accountsUrl } from './address.ts'
import { isPushable, mayPush, usePush } from './push.tsx'

const AccountDialog = lazyComponent(() => import('./AccountDialog.tsx'))
const TemplatePicker = lazyComponent(() => import('../../kit/form/widgets/TemplatePicker.tsx'))
const SecretViewer = lazyComponent(() => import('./SecretViewer.tsx'))

type Opened =
  | { kind: 'edit'; row: Row; reload: () => void }
  | { kind: 'secret'; row: Row }
  | { kind: 'new' | 'template'; reload: () => void }

const namesOf = (protocols: unknown): string[] =>
  (Array.isArray(protocols) ? protocols : []).map((protocol: { name?: string }) => String(protocol.name))

/** Button to add accounts from templates, for users who may create accounts and view templates. */
function fromTemplate(readOnly: boolean | undefined, open: (what: Opened) => void): ListActions['toolbar'] {
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

/** An account. Metadata describes `params` as readable, but no account has it. */
type AccountRow = WireRow<typeof accountsUrl, 'params'>

/** A table with columns of its own. */
interface Table {
  /** Storage key of the column choice. */
  id: string
  shown: readonly FieldOf<AccountRow>[]
}

/** The username, if it differs from the account name. */
const usernameOf = (row: Row) => row.username !== row.name && <span className="mono">{wordOf(row.username)}</span>

function specOf({
  asset,
  url,
  query,
  readOnly,
  table,
  header,
  open,
  push,
}: {
  asset?: Row
  url: string
  query?: Record<string, string>
  readOnly?: boolean
  table?: Table
  header: ListActions['toolbar']
  open: (what: Opened) => void
  push: ReturnType<typeof usePush>['ask']
}): ListSpec<AccountRow> {
  const change = can('accounts.change_account') && !inRoot() && !readOnly
  return {
    id: table?.id ?? (asset ? 'AssetAccountList' : 'AccountList'),
    url,
    data: { metadataUrl: accountsUrl, query, order: accountsOrder },
    path: pathOf('AssetAccountList'),
    resource: 'accounts.account',
    noun: 'account',
    texts: { empty: 'accountsEmpty' },
    search: { inAddress: !asset && !readOnly, exclude: ['asset'] },
    columns: {
      shown:
        table?.shown ??
        (asset
          ? ['name', 'username', 'privileged', 'secret_type', 'connectivity', 'is_active', 'date_updated']
          : ['name', 'username', 'asset', 'privileged', 'secret_type', 'connectivity', 'is_active', 'date_updated']),
      fixed: ['name'],
      exclude: ['spec_info', 'params'],
      hideFirst: ['connectivity', 'privileged'],
      cells: {
        username: { width: 140, mono: true },
        asset: { width: 200, render: (row) => <AssetLink account={row} /> },
        privileged: { width: 100, render: (row) => <Tick yes={row.privileged === true} word={t('privileged')} /> },
        secret_type: { width: 120 },
        connectivity: { width: 120, render: (row) => <Connectivity value={row.connectivity} /> },
        is_active: { falseWord: t('disabled'), width: 110 },
      },
    },
    row: { icon: () => <KeyRound size={16} className="kind" />, secondary: { field: 'username', render: usernameOf } },
    card: {
      // A card has no column for it, but it distinguishes accounts with the same name.
      subtitle: asset
        ? undefined
        : (row) => (
            <>
              {usernameOf(row)}
              <span>{wordOf(row.asset)}</span>
            </>
          ),
      badge: (row) => <Connectivity value={row.connectivity} />,
    },
    actions: {
      create: readOnly ? undefined : { label: 'accountAdd', run: ({ reload }) => open({ kind: 'new', reload }) },
      toolbar: header,
      clone: false,
      update: readOnly ? false : { run: (row, { reload }) => open({ kind: 'edit', row, reload }) },
      remove: readOnly ? false : undefined,
      row: [
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
          visible: (row) => can('accounts.verify_account') && change && isTestable(row),
          run: (row, { reload }) => verify([row.id], reload),
        },
        {
          key: 'push',
          label: () => t('accountPush'),
          icon: <Upload size={14} />,
          visible: (row) => mayPush() && !readOnly && isPushable(row),
          run: (row, { reload }) => push([row], reload),
        },
        {
          key: 'clear',
          label: () => t('secretClear'),
          icon: <Eraser size={14} />,
          visible: () => change,
          run: (_row, acting) => clearSecrets(acting),
        },
      ],
    },
    files: {
      import: asset || readOnly ? false : undefined,
      export: readOnly
        ? false
        : {
            url: url.replace('/accounts/accounts/', '/accounts/account-secrets/'),
            confirm: 'mfa',
            note: 'exportSecretNote',
            permission: 'accounts.view_accountsecret',
          },
    },
    bulk: readOnly
      ? false
      : {
          actions: [
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
            {
              key: 'push',
              label: t('accountPush'),
              visible: mayPush(),
              run: ({ rows, reload }) => push(rows, reload),
            },
            { key: 'clear', label: t('secretClear'), visible: change, run: clearSecrets },
          ],
        },
  }
}

export function AccountTable({
  asset,
  query,
  url,
  readOnly,
  table,
  onTotal,
}: {
  asset?: Row
  query?: Record<string, string>
  url?: string
  readOnly?: boolean
  table?: Table
  onTotal?: (total: number) => void
}) {
  const [opened, setOpened] = useState<Opened>()
  const address = url ?? (asset ? withQuery(accountsUrl, { asset: asset.id }) : accountsUrl)
  const close = () => setOpened(undefined)
  // A stable component: a new one per render would remount its button.
  const push = usePush()
  const header = useMemo(() => fromTemplate(readOnly, setOpened), [readOnly])
  return (
    <>
      <ListView
        spec={specOf({ asset, url: address, query, readOnly, table, header, open: setOpened, push: push.ask })}
        onTotal={onTotal}
      />
      {push.dialog}
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
