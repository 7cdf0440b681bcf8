/** What a type of platforms supports, as the server says it. */
import type { AssetCategory } from '@castellan/contract/asset-types'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import type { Values } from '../../kit/form/spec.ts'
import { firstProtocols, type OfferedProtocol } from '../../kit/form/widgets/protocols.ts'
import { staleAfter } from '../../kit/query-freshness.ts'

export interface Constraints {
  charset_enabled?: boolean
  domain_enabled?: boolean
  su_enabled?: boolean
  su_methods?: readonly string[]
  protocols?: readonly OfferedProtocol[]
  automation: Readonly<Record<string, unknown>>
}

export interface Kind {
  category: AssetCategory
  /** Empty for a type that is named in the form. */
  type: string
}

export interface Method {
  id: string
  name: string
}

/** The automations of a platform, in the order of the form. */
export const automationItems = [
  'ping',
  'gather_facts',
  'change_secret',
  'push_account',
  'verify_account',
  'gather_accounts',
] as const

export const methodsOf = ({ automation }: Constraints, item: string): readonly Method[] =>
  (automation[`${item}_methods`] ?? []) as readonly Method[]

const readConstraints = async ({ category, type }: Kind): Promise<Constraints> => {
  if (!type) return { automation: {} }
  const url = '/api/v1/assets/categories/constraints/'
  return call<Constraints>(url, { query: { category, type }, quiet: true })
}

export const useConstraints = (kind: Kind | undefined) =>
  useQuery({
    queryKey: ['constraints', kind?.category, kind?.type, ...audience()],
    enabled: kind !== undefined,
    queryFn: () => (kind ? readConstraints(kind) : Promise.reject(new Error('No type of platforms'))),
    staleTime: staleAfter(60_000),
  })

/** Values of a new platform: everything its type supports is enabled. */
export function firstValues(constraints: Constraints): Values {
  const { automation, protocols = [], su_methods } = constraints
  const items = automationItems.flatMap((item): [string, unknown][] => [
    [`${item}_enabled`, automation[`${item}_enabled`] === true],
    [`${item}_method`, methodsOf(constraints, item)[0]?.id ?? null],
    [`${item}_params`, {}],
  ])
  return {
    charset: 'utf-8',
    domain_enabled: constraints.domain_enabled === true,
    su_enabled: constraints.su_enabled === true,
    su_method: su_methods?.[0] ?? null,
    protocols: firstProtocols(undefined, protocols, 'platform'),
    automation: {
      ansible_enabled: automation.ansible_enabled === true,
      ansible_config: automation.ansible_config ?? {},
      ...Object.fromEntries(items),
    },
    custom_fields: [],
  }
}
