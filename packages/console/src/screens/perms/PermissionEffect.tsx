/** What a permission will do, beside the form that changes it (LOOK: the effect beside the form). */
import { useQuery } from '@tanstack/react-query'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import type { Values } from '../../kit/form/spec.ts'
import { number, type Page } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import { accountWord } from './permission.ts'

const idsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : []).map((item) =>
    typeof item === 'string' ? item : String((item as { id?: string; pk?: string }).id ?? (item as { pk?: string }).pk),
  )

/** Distinct objects: those named, and those that come with each group or node. */
async function reach(
  named: readonly string[],
  containers: readonly string[],
  url: (container: string) => string,
): Promise<{ count: number; exact: boolean }> {
  const pages = await Promise.all(
    containers.map((container) =>
      call<Page>(url(container), { query: { limit: 100, offset: 0, fields_size: 'mini' }, quiet: true }),
    ),
  )
  const ids = new Set([...named, ...pages.flatMap((page) => page.results.map((row) => row.id))])
  const exact = pages.every((page) => page.count <= page.results.length)
  return { count: exact ? ids.size : Math.max(ids.size, ...pages.map((page) => page.count)), exact }
}

const useReach = (
  kind: string,
  named: readonly string[],
  containers: readonly string[],
  url: (container: string) => string,
) =>
  useQuery({
    queryKey: ['reach', kind, named.join(), containers.join(), ...audience()],
    queryFn: () => reach(named, containers, url),
    placeholderData: (old) => old,
  })

const shown = (data: { count: number; exact: boolean } | undefined): string =>
  data ? `${data.exact ? '' : '≥ '}${number(data.count)}` : '…'

export function PermissionEffect({ values }: { values: Values }) {
  const people = useReach(
    'people',
    idsOf(values.users),
    idsOf(values.user_groups),
    (id) => `/api/v1/users/users/?group_id=${id}`,
  )
  const assets = useReach(
    'assets',
    idsOf(values.assets),
    idsOf(values.nodes),
    (id) => `/api/v1/assets/assets/?node_id=${id}&show_current_asset=0`,
  )
  const accounts = ((values.accounts ?? []) as string[]).filter((name) => name !== '@SPEC')
  const none = people.data?.count === 0 || assets.data?.count === 0
  return (
    <aside className="effect-panel">
      <h2>{t('effectTitle')}</h2>
      <div className="effect">
        <div>
          <strong>{shown(people.data)}</strong>
          <span>{t('effectPeople')}</span>
        </div>
        <div>
          <strong>{shown(assets.data)}</strong>
          <span>{t('effectAssets')}</span>
        </div>
        <div>
          <strong>{accounts.includes('@ALL') ? t('all') : number(accounts.length)}</strong>
          <span>{t('effectAccounts')}</span>
        </div>
      </div>
      <p className="lead">
        {none
          ? t('effectNone')
          : t('effectText', {
              people: shown(people.data),
              assets: shown(assets.data),
              accounts: accounts.map(accountWord).join(', ') || '–',
            })}
      </p>
      {values.is_active === false && <p className="is-warning small">{t('effectInactive')}</p>}
    </aside>
  )
}
