import { gatewayPlatformName } from '@castellan/contract/asset-types'
import { pathOf } from '@castellan/contract/routes'
import { useParams, useSearchParams } from 'react-router'
import { call } from '../../kit/api/client.ts'
import type { FormSpec } from '../../kit/form/spec.ts'
import { at, type Page, type Row, rowsIn } from '../../kit/row.ts'
import type { TextKey } from '../../kit/text.ts'
import { formOf, type Platform, PlatformForm } from './asset-form.tsx'
import { assetGroups } from './asset-groups.ts'
import type { AssetFormRow } from './categories.ts'
import { domainPath, gatewaysUrl } from './GatewayTable.tsx'

const findPlatform = async () => {
  const found = await call<Row[] | Page>('/api/v1/assets/platforms/', {
    query: { name: gatewayPlatformName },
    quiet: true,
  })
  return (rowsIn(found)[0] ?? null) as Platform | null
}

const groupHelp: Readonly<Record<string, TextKey>> = {
  basic: 'gatewayBasicHelp',
  accounts: 'gatewayAccountsHelp',
}

/** The form of a host whose platform is given, and of a new one also the domain whose page it was opened from. */
function gatewayFormOf(platform: Platform, domain: string | null): FormSpec<AssetFormRow> {
  const host = formOf('host', platform, null, gatewaysUrl)
  const domainOf = (row: Row) => domain ?? String(at(row, 'domain.id') ?? '')
  return {
    ...host,
    path: domain ? domainPath(domain) : pathOf('DomainList'),
    resource: 'assets.gateway',
    noun: 'gateway',
    groups: assetGroups.map((group) => ({ ...group, help: groupHelp[group.key] ?? group.help })),
    initial: async (context) => ({ ...(await host.initial?.(context)), ...(domain ? { domain } : {}) }),
    fields: {
      ...host.fields,
      address: { ...host.fields?.address, texts: { help: 'gatewayAddressHelp' } },
      platform: { ...host.fields?.platform, state: { disabled: true } },
      domain: {
        ...host.fields?.domain,
        state: { disabled: (_values, context) => domain !== null && context.id === undefined },
        texts: { help: 'gatewayDomainHelp' },
      },
    },
    saved: {
      to: (saved) => (domainOf(saved) ? domainPath(domainOf(saved)) : pathOf('DomainList')),
      detail: (saved) => pathOf('AssetDetail', saved.id),
    },
  }
}

/** Create or change a gateway. */
export default function GatewayForm() {
  const { id } = useParams()
  const [query] = useSearchParams()
  return (
    <PlatformForm
      keyOf={['gateway', id]}
      find={findPlatform}
      spec={(platform) => gatewayFormOf(platform, query.get('domain'))}
    />
  )
}
