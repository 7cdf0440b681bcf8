import type { AssetCategory } from '@castellan/contract/asset-types'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { PlugZap, SquareTerminal } from 'lucide-react'
import { AccountTable } from '../../domain/accounts/AccountTable.tsx'
import { AccessButton } from '../../domain/perms/AccessButton.tsx'
import { call } from '../../kit/api/client.ts'
import { attempt } from '../../kit/api/errors.ts'
import { audience, metadataOf } from '../../kit/api/metadata.ts'
import { Connectivity, Labels, Protocols } from '../../kit/cells.tsx'
import type { DetailContext, DetailSpec } from '../../kit/detail/DetailPage.tsx'
import { everyFact, type Fact, Facts } from '../../kit/detail/Facts.tsx'
import { QuickActions } from '../../kit/detail/QuickActions.tsx'
import { RelationCard } from '../../kit/detail/RelationCard.tsx'
import { at, type Row, rawOf, wordOf, wordsOf } from '../../kit/row.ts'
import { can, inRoot } from '../../kit/session.ts'
import { Badge } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import type { WireRow } from '../../kit/wire.ts'
import { assetsUrl, labelSource, mayTest, path, startTask } from './asset-list.tsx'
import { categoryOf, collectionOf, updatePath } from './categories.ts'
import { HostKeys } from './HostKeys.tsx'
import { HardwareFacts } from './hardware.tsx'
import { KindIcon } from './kinds.tsx'
import { PermittedUsers } from './PermittedUsers.tsx'

function badge(row: WireRow<typeof assetsUrl>) {
  const state = rawOf(row.connectivity)
  if (row.is_active === false) return <Badge is="idle">{t('disabled')}</Badge>
  return state === 'ok' ? (
    <Badge is="ok">{t('reachable')}</Badge>
  ) : state === 'err' ? (
    <Badge is="danger">{t('unreachable')}</Badge>
  ) : null
}

/** Only these are reached by SSH. */
const withHostKeys: ReadonlySet<AssetCategory> = new Set(['host', 'device'])

/** What is special about assets of a category; an asset of another one has no such value. */
const detailFacts: readonly Fact<Row, `spec_info.${string}`>[] = [
  'db_name',
  'use_ssl',
  'allow_invalid_cert',
  'autofill',
  'username_selector',
  'password_selector',
  'submit_selector',
  'proxy',
].map((name) => ({
  name: `spec_info.${name}`,
  mono: name.endsWith('_selector') || name === 'proxy' || name === 'db_name',
  visible: (row) =>
    at(row, `spec_info.${name}`) !== undefined &&
    (!name.endsWith('_selector') || rawOf(at(row, 'spec_info.autofill')) === 'basic'),
}))

/** The fields that the platform of a custom asset declares; only its own collection has them. */
function CustomFacts({ asset }: { asset: Row }) {
  const url = `${collectionOf('custom')}${asset.id}/`
  const read = useQuery({
    queryKey: ['object-page', url, ...audience()],
    queryFn: () => call<Row>(url, { quiet: true }),
  })
  const metadata = useQuery(metadataOf(url))
  const fields = metadata.data?.actions?.GET?.custom_info?.children ?? {}
  const row = read.data && ({ id: asset.id, ...(read.data.custom_info as object) } as Row)
  const names = everyFact(fields)
  if (!row || names.length === 0) return null
  return (
    <>
      <div className="section-head">
        <h2>{t('groupCustom')}</h2>
      </div>
      <Facts row={row} fields={fields} facts={names} />
    </>
  )
}

function Sections({ row, reload }: DetailContext<WireRow<typeof assetsUrl>>) {
  const url = `${assetsUrl}${row.id}/`
  const may = can('assets.change_asset')
  const nodes = (row.nodes ?? []) as Row[]
  const labels = (row.labels ?? []) as Row[]
  const setLabels = (ids: string[]) => call(url, { method: 'PATCH', body: { labels: ids.map((pk) => ({ pk })) } })
  const setNodes = (ids: string[]) => call(url, { method: 'PATCH', body: { nodes: ids } })
  return (
    <>
      <div className="columns-2">
        <QuickActions
          actions={[
            {
              key: 'active',
              title: t('assetActive'),
              help: t('assetActiveHelp'),
              on: row.is_active === true,
              disabled: !may && t('noRight'),
              run: () => call(url, { method: 'PATCH', body: { is_active: !row.is_active } }).then(reload),
            },
            {
              key: 'refresh',
              title: t('hardware'),
              help: t('hardwareHelp'),
              verb: t('refresh'),
              visible:
                can('assets.refresh_assethardwareinfo') &&
                at(row, 'auto_config.ansible_enabled') === true &&
                at(row, 'auto_config.gather_facts_enabled') === true &&
                !inRoot(),
              run: () => startTask(row.id, 'refresh', reload),
            },
            {
              key: 'test',
              title: t('testConnection'),
              help: t('testConnectionHelp'),
              verb: t('test'),
              visible: mayTest(row),
              run: () => startTask(row.id, 'test', reload),
            },
          ]}
        />
        <RelationCard
          title={t('nodes')}
          source={{ url: '/api/v1/assets/nodes/', label: (node) => wordOf(node.full_value ?? node.name) }}
          members={nodes}
          disabled={!may}
          add={(ids) => setNodes([...nodes.map((node) => node.id), ...ids])}
          remove={
            nodes.length > 1 ? (id) => setNodes(nodes.map((node) => node.id).filter((old) => old !== id)) : undefined
          }
          onChanged={reload}
        />
        {can('assets.view_label') && (
          <RelationCard
            title={t('labels')}
            source={labelSource}
            members={labels}
            disabled={!may}
            add={(ids) => setLabels([...labels.map((label) => label.id), ...ids])}
            remove={(id) => setLabels(labels.map((label) => label.id).filter((old) => old !== id))}
            onChanged={reload}
          />
        )}
      </div>
      {categoryOf(row) === 'host' && <HardwareFacts row={row} />}
      {categoryOf(row) === 'custom' && <CustomFacts asset={row} />}
      {withHostKeys.has(categoryOf(row)) && <HostKeys asset={row} />}
    </>
  )
}

export const detail: DetailSpec<WireRow<typeof assetsUrl>> = {
  url: assetsUrl,
  path,
  resource: 'assets.asset',
  noun: 'asset',
  icon: (row) => <KindIcon row={row} size={20} />,
  badge,
  under: (row) => (
    <>
      <span className="mono">{wordOf(row.address)}</span> · {wordOf(row.platform)} · {wordsOf(row.nodes).join(', ')}
    </>
  ),
  update: { to: updatePath },
  headActions: ({ row, reload }) => (
    <>
      <AccessButton asset={row} />
      {mayTest(row) && (
        <Button
          className="desk-only"
          icon={<PlugZap size={16} />}
          onClick={() => void attempt(() => startTask(row.id, 'test', reload))}
        >
          {t('testConnection')}
        </Button>
      )}
      {can('rbac.view_webterminal') && (
        <Button
          type="primary"
          icon={<SquareTerminal size={16} />}
          disabled={row.is_active === false}
          href={`/luna/?login_to=${row.id}`}
          target="_blank"
        >
          {t('connect')}
        </Button>
      )}
    </>
  ),
  facts: [
    'platform',
    { name: 'protocols', render: (row) => <Protocols of={row.protocols} most={Number.POSITIVE_INFINITY} /> },
    'nodes',
    'domain',
    {
      name: 'labels',
      render: (row) => wordsOf(row.labels).length > 0 && <Labels of={row.labels} most={Number.POSITIVE_INFINITY} />,
    },
    { name: 'connectivity', render: (row) => <Connectivity value={row.connectivity} /> },
    { name: 'address', mono: true },
    'category',
    'type',
    'is_active',
    ...detailFacts,
    'date_verified',
    'date_created',
    'created_by',
    'comment',
    { name: 'id', mono: true },
  ],
  sections: (context) => <Sections {...context} />,
  tabs: [
    {
      key: 'Account',
      title: 'accounts',
      permission: 'accounts.view_account',
      render: ({ row }) => <AccountTable asset={row} />,
    },
    {
      key: 'PermUserList',
      title: 'permittedPeople',
      permission: 'perms.view_assetpermission',
      render: ({ row }) => <PermittedUsers asset={row} />,
    },
  ],
}
