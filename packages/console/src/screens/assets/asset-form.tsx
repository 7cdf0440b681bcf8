import type { AssetCategory } from '@castellan/contract/asset-types'
import { pathOf } from '@castellan/contract/routes'
import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { useParams, useSearchParams } from 'react-router'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import { FormPage } from '../../kit/form/FormPage.tsx'
import type { FormSpec, Values, WidgetProps } from '../../kit/form/spec.ts'
import { firstProtocols, type OfferedProtocol, portOfAddress, sentProtocols } from '../../kit/form/widgets/protocols.ts'
import { Failed } from '../../kit/list/states.tsx'
import { PageHead, useFeature } from '../../kit/page.tsx'
import { staleAfter } from '../../kit/query-freshness.ts'
import { type Row, rawOf, rowsIn, wordOf } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import { AssetAccounts } from './AssetAccounts.tsx'
import { assetGroups, categoryFields } from './asset-groups.ts'
import { assetsUrl, path } from './asset-list.tsx'
import { categoryOf, categoryOfScreen, collectionOf } from './categories.ts'

type Platform = Row & { protocols: OfferedProtocol[]; domain_enabled?: boolean }

const platformsUrl = '/api/v1/assets/platforms/'

/** Reached by a URL, from which the port of the connection follows. */
const byUrl: ReadonlySet<AssetCategory> = new Set(['cloud', 'web', 'gpt'])

/** Accounts of an asset that exists are changed on its page, one by one. */
function AccountsElsewhere({ context }: WidgetProps) {
  return (
    <p className="muted">
      {t('accountsElsewhere')}{' '}
      <a className="linkish" href={`#${pathOf('AssetDetail', String(context.id))}?activeTab=Account`}>
        {t('accountsOpen')}
      </a>
    </p>
  )
}

interface SentProtocol {
  name: string
  port: number
}

/** Protocols as they are sent: a port that is part of the address follows it. */
function protocolsOf(rows: unknown, { protocols }: Platform, { address }: Values): unknown {
  if (!Array.isArray(rows)) return rows
  return (rows as SentProtocol[]).map(({ name, port }) => {
    const fromAddress = protocols.find((one) => one.name === name)?.port_from_addr
    return { name, port: fromAddress ? portOfAddress(String(address ?? '')) : port }
  })
}

function formOf(category: AssetCategory, platform: Platform, node: string | null, url: string): FormSpec {
  const type = String(rawOf(platform.type) ?? '')
  return {
    url,
    path,
    resource: 'assets.asset',
    noun: 'asset',
    initial: () => ({
      platform,
      ...(category === 'gpt' ? { address: 'https://api.openai.com/v1/' } : {}),
      nodes: node ? [node] : [],
      labels: [],
      is_active: true,
      protocols: sentProtocols(firstProtocols(undefined, platform.protocols, 'asset'), 'asset'),
      accounts: [],
    }),
    groups: assetGroups,
    fields: {
      ...categoryFields(type),
      name: { half: true, rules: ['noParenthesis'] },
      address: {
        half: true,
        mono: true,
        help: byUrl.has(category) ? 'addressUrlHelp' : 'addressHelp',
        rules: ['noEmoji'],
      },
      platform: { half: true, single: true, source: { url: `${platformsUrl}?category=${category}&type=${type}` } },
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
      accounts: {
        component: (props) => (props.context.id ? <AccountsElsewhere {...props} /> : <AssetAccounts {...props} />),
        required: false,
        with: { choices: platform.protocols },
      },
      domain: {
        half: true,
        single: true,
        source: { url: '/api/v1/assets/domains/', plain: true },
        hidden: () => platform.domain_enabled === false,
      },
      labels: { half: true, source: { url: '/api/v1/assets/labels/', label: (row) => `${row.name}:${row.value}` } },
    },
    clean: (body, values, context) => {
      const { accounts, nodes, protocols, ...rest } = body
      return {
        ...rest,
        ...(context.id ? {} : { accounts }),
        ...(Array.isArray(nodes) && nodes.length === 0 ? {} : { nodes }),
        protocols: protocolsOf(protocols, platform, values),
      }
    },
    after: () => path,
  }
}

/** The platform the form is for: of the asset that exists, else the one that was chosen, else the first of its category. */
async function platformFor(category: AssetCategory, asset: string | undefined, chosen: string | null) {
  if (asset) return call<Platform>(`${assetsUrl}${asset}/platform/`, { quiet: true })
  const found = chosen && (await call<Platform>(`${platformsUrl}${chosen}/`, { quiet: true }))
  if (found && categoryOf(found) === category) return found
  const offered = await call<Row[] | { results: Row[] }>(platformsUrl, { query: { category }, quiet: true })
  return (rowsIn(offered)[0] ?? null) as Platform | null
}

/** Create or change an asset. Its category decides the fields, its platform the protocols. */
export default function AssetForm() {
  const feature = useFeature()
  const category = categoryOfScreen(feature.name)
  const { id } = useParams()
  const [query] = useSearchParams()
  const asset = id ?? (query.has('platform') ? undefined : (query.get('clone_from') ?? undefined))
  const chosen = query.get('platform')
  const platform = useQuery({
    queryKey: ['platform-of-form', category, asset, chosen, ...audience()],
    queryFn: () => platformFor(category, asset, chosen),
    staleTime: staleAfter(60_000),
  })
  if (platform.error) return <Failed error={platform.error} retry={() => void platform.refetch()} />
  if (platform.isPending) {
    return (
      <div className="page">
        <Skeleton active title={false} paragraph={{ rows: 8 }} />
      </div>
    )
  }
  if (!platform.data) {
    return (
      <div className="page">
        <PageHead title={t(feature.title)} back={path} />
        <p>{t('platformsNone')}</p>
      </div>
    )
  }
  const url = `${collectionOf(category)}${id ? '' : `?platform=${platform.data.id}`}`
  return <FormPage spec={formOf(category, platform.data, query.get('node'), url)} />
}
