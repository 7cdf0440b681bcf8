import { pathOf } from '@castellan/contract/routes'
import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { useParams, useSearchParams } from 'react-router'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import { FormPage } from '../../kit/form/FormPage.tsx'
import type { FormSpec } from '../../kit/form/spec.ts'
import { firstProtocols, type OfferedProtocol, sentProtocols } from '../../kit/form/widgets/protocols.ts'
import { Failed } from '../../kit/list/states.tsx'
import { staleAfter } from '../../kit/query-freshness.ts'
import { type Row, wordOf } from '../../kit/row.ts'
import { path } from './asset-list.tsx'
import { HostAccounts } from './HostAccounts.tsx'

type Platform = Row & { protocols: OfferedProtocol[]; domain_enabled?: boolean }

function formOf(platform: Platform, node: string | null, url: string): FormSpec {
  return {
    url,
    path,
    resource: 'assets.asset',
    noun: 'host',
    initial: () => ({
      platform,
      nodes: node ? [node] : [],
      labels: [],
      is_active: true,
      protocols: sentProtocols(firstProtocols(undefined, platform.protocols, 'asset'), 'asset'),
      accounts: [],
    }),
    groups: (context) => [
      { key: 'basic', title: 'groupBasic', help: 'hostBasicHelp', fields: ['name', 'address', 'platform', 'nodes'] },
      { key: 'protocols', title: 'groupProtocols', help: 'hostProtocolsHelp', fields: ['protocols'] },
      { key: 'accounts', title: 'accounts', help: 'hostAccountsHelp', fields: ['accounts'], visible: !context.id },
      { key: 'other', title: 'groupOther', fields: ['domain', 'labels', 'is_active', 'comment'] },
    ],
    fields: {
      name: { half: true, rules: ['noParenthesis'] },
      address: {
        half: true,
        mono: true,
        help: 'addressHelp',
        rules: ['noEmoji'],
      },
      platform: { half: true, single: true, source: { url: `/api/v1/assets/platforms/?category=host` } },
      nodes: {
        half: true,
        required: false,
        source: { url: '/api/v1/assets/nodes/', label: (row) => wordOf(row.full_value ?? row.name) },
      },
      protocols: {
        widget: 'protocols',
        required: true,
        with: { choices: platform.protocols, platform: pathOf('PlatformDetail', platform.id) },
      },
      accounts: { component: HostAccounts, required: false, with: { choices: platform.protocols } },
      domain: {
        half: true,
        single: true,
        source: { url: '/api/v1/assets/domains/', plain: true },
        hidden: () => platform.domain_enabled === false,
      },
      labels: { half: true, source: { url: '/api/v1/assets/labels/', label: (row) => `${row.name}:${row.value}` } },
    },
    clean: (body, _values, context) => {
      const out = { ...body }
      if (context.id) delete out.accounts
      if (Array.isArray(out.nodes) && out.nodes.length === 0) delete out.nodes
      if (Array.isArray(out.protocols))
        out.protocols = (out.protocols as { name: string; port: number }[]).map(({ name, port }) => ({ name, port }))
      return out
    },
    after: () => path,
  }
}

/** Make or change a host; which protocols it may have its platform says. */
export default function HostForm() {
  const { id } = useParams()
  const [query] = useSearchParams()
  const wanted = query.get('platform') || '1'
  const platform = useQuery({
    queryKey: ['platform', wanted, ...audience()],
    queryFn: () => call<Platform>(`/api/v1/assets/platforms/${wanted}/`, { quiet: true }),
    staleTime: staleAfter(60_000),
  })
  if (platform.error) return <Failed error={platform.error} retry={() => void platform.refetch()} />
  if (!platform.data) {
    return (
      <div className="page">
        <Skeleton active title={false} paragraph={{ rows: 8 }} />
      </div>
    )
  }
  const url = `/api/v1/assets/hosts/${id ? '' : `?platform=${wanted}`}`
  return <FormPage spec={formOf(platform.data, query.get('node'), url)} />
}
