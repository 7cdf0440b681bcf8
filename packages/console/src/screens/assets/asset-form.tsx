import type { AssetCategory } from '@castellan/contract/asset-types'
import { pathOf } from '@castellan/contract/routes'
import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { type PushingPlatform, pushMethodOf } from '../../domain/accounts/push.tsx'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import { FormPage } from '../../kit/form/FormPage.tsx'
import type { FormSpec, Values, WidgetProps } from '../../kit/form/spec.ts'
import { firstProtocols, type OfferedProtocol, portOfAddress, sentProtocols } from '../../kit/form/widgets/protocols.ts'
import { Failed } from '../../kit/list/states.tsx'
import { PageHead, useScreen } from '../../kit/page.tsx'
import { staleAfter } from '../../kit/query-freshness.ts'
import { type Row, rawOf, rowsIn, wordOf } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import { AssetAccounts } from './AssetAccounts.tsx'
import { assetGroups, categoryFields } from './asset-groups.ts'
import { assetsUrl, newLabelSource, path } from './asset-list.tsx'
import { type AssetFormRow, categoryOf, categoryOfScreen, collectionOf } from './categories.ts'

export type Platform = Row & PushingPlatform & { protocols: OfferedProtocol[]; domain_enabled?: boolean }

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

/** Values that were entered before another platform was chosen. */
interface Moved {
  platform: string
  values: Values
}

/** The values with the protocols that the new platform demands. */
function carriedTo({ protocols }: Platform, { values }: Moved): Values {
  const kept = (Array.isArray(values.protocols) ? values.protocols : []) as readonly SentProtocol[]
  const offered = kept.filter(({ name }) => protocols.some((one) => one.name === name))
  return { ...values, protocols: sentProtocols(firstProtocols(offered, protocols, 'asset'), 'asset') }
}

/** The form of an asset. @param url collection, which decides the fields */
export function formOf(
  category: AssetCategory,
  platform: Platform,
  node: string | null,
  url: string,
  moved?: Moved,
  move?: (moved: Moved) => void,
): FormSpec<AssetFormRow> {
  const type = String(rawOf(platform.type) ?? '')
  return {
    url,
    ...(moved ? { carried: carriedTo(platform, moved) } : {}),
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
      name: { layout: { half: true }, validation: { rules: ['noParenthesis'] } },
      address: {
        layout: { half: true, mono: true },
        texts: { help: byUrl.has(category) ? 'addressUrlHelp' : 'addressHelp' },
        validation: { rules: ['noEmoji'] },
      },
      platform: {
        layout: { half: true },
        choices: { single: true },
        source: { url: `${platformsUrl}?category=${category}&type=${type}` },
        // Another platform has other protocols and fields.
        follow: (value, values) => {
          const chosen = rawOf(value)
          if (chosen !== undefined && chosen !== null && String(chosen) !== String(platform.id))
            move?.({ platform: String(chosen), values })
          return {}
        },
      },
      nodes: {
        layout: { half: true },
        validation: { required: false },
        source: { url: '/api/v1/assets/nodes/', label: (row) => wordOf(row.full_value ?? row.name) },
      },
      protocols: {
        widget: 'protocols',
        validation: { required: true },
        with: { choices: platform.protocols, platform: pathOf('PlatformDetail', platform.id) },
      },
      accounts: {
        component: (props) => (props.context.id ? <AccountsElsewhere {...props} /> : <AssetAccounts {...props} />),
        validation: { required: false },
        with: { choices: platform.protocols, push: pushMethodOf(platform) },
      },
      domain: {
        layout: { half: true },
        choices: { single: true },
        source: { url: '/api/v1/assets/domains/', plain: true },
        state: { hidden: () => platform.domain_enabled === false },
      },
      labels: {
        layout: { half: true },
        source: newLabelSource,
      },
    },
    submit: {
      clean: (body, values, context) => {
        const { accounts, nodes, protocols, ...rest } = body
        return {
          ...rest,
          ...(context.id ? {} : { accounts }),
          ...(Array.isArray(nodes) && nodes.length === 0 ? {} : { nodes }),
          protocols: protocolsOf(protocols, platform, values),
        }
      },
    },
    saved: { to: () => path },
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

/** A form that is declared by its platform, once that is found. */
export function PlatformForm({
  keyOf,
  find,
  spec,
}: {
  /** What the platform depends on. */
  keyOf: readonly unknown[]
  find: () => Promise<Platform | null>
  spec: (platform: Platform) => FormSpec<AssetFormRow>
}) {
  const screen = useScreen()
  const platform = useQuery({
    queryKey: ['platform-of-form', ...keyOf, ...audience()],
    queryFn: find,
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
        <PageHead title={t(screen.title)} back={path} />
        <p>{t('platformsNone')}</p>
      </div>
    )
  }
  return <FormPage key={platform.data.id} spec={spec(platform.data)} />
}

/** Create or change an asset. Its category decides the fields, its platform the protocols. */
export default function AssetForm() {
  const screen = useScreen()
  const category = categoryOfScreen(screen.name)
  const { id } = useParams()
  const [query, setQuery] = useSearchParams()
  const [left, setLeft] = useState<Moved>()
  const chosen = query.get('platform')
  // The address follows the choice; until then the form stays as it is.
  const moved = left?.platform === chosen ? left : undefined
  const asset = moved ? undefined : (id ?? (query.has('platform') ? undefined : (query.get('clone_from') ?? undefined)))
  const move = (next: Moved) => {
    setLeft(next)
    setQuery(
      (old) => {
        old.set('platform', next.platform)
        return old
      },
      { replace: true },
    )
  }
  const url = (platform: Platform) => `${collectionOf(category)}${id && !moved ? '' : `?platform=${platform.id}`}`
  return (
    <PlatformForm
      keyOf={[category, asset, chosen]}
      find={() => platformFor(category, asset, chosen)}
      spec={(platform) => formOf(category, platform, query.get('node'), url(platform), moved, move)}
    />
  )
}
