/** Effect of a permission, beside its form. */
import { useQuery } from '@tanstack/react-query'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import type { FormContext, Values } from '../../kit/form/spec.ts'
import { idsOf } from '../../kit/form/widgets/names.ts'
import { accountWord } from '../../kit/form/widgets/special-accounts.ts'
import { number, type Row } from '../../kit/row.ts'
import { Status } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'

interface Side {
  pairs: number
  users: { count: number; items: (Row & { name: string; assets: number })[] }
  assets: { count: number; items: (Row & { name: string })[] }
}

export interface Effect {
  users: number
  assets: number
  gain: Side
  lose: Side
}

/** Effect of a change, computed by the server. Nothing is saved. */
const useEffectOf = (body: Readonly<Record<string, unknown>>) =>
  useQuery({
    queryKey: ['permission-effect', JSON.stringify(body), ...audience()],
    queryFn: ({ signal }) => call<Effect>('/api/v1/perms/effect/', { method: 'POST', body, quiet: true, signal }),
    placeholderData: (old) => old,
    retry: false,
  })

const most = 5

/** Users who gain or lose access, with their assets. */
function EffectSide({ side, is }: { side: Side; is: 'gain' | 'lose' }) {
  if (side.pairs === 0) return null
  const more = side.users.count - most
  return (
    <section className="effect-side">
      <Status is={is === 'gain' ? 'ok' : 'warning'}>
        {t(is === 'gain' ? 'effectGain' : 'effectLose', {
          people: number(side.users.count),
          assets: number(side.assets.count),
        })}
      </Status>
      <ul>
        {side.users.items.slice(0, most).map((one) => (
          <li key={one.id}>
            {one.name} <small>{t('effectAssetsOf', { assets: number(one.assets) })}</small>
          </li>
        ))}
        {more > 0 && <li className="muted">{t('effectMore', { count: number(more) })}</li>}
      </ul>
    </section>
  )
}

export function PermissionEffect({ values, context }: { values: Values; context: FormContext }) {
  const { data } = useEffectOf({
    ...(context.id ? { id: context.id } : {}),
    users: idsOf(values.users),
    user_groups: idsOf(values.user_groups),
    assets: idsOf(values.assets),
    nodes: idsOf(values.nodes),
    is_active: values.is_active !== false,
    ...(values.date_expired ? { date_expired: values.date_expired } : {}),
  })
  const accounts = ((values.accounts ?? []) as string[]).filter((name) => name !== '@SPEC' && !name.startsWith('%'))
  const shown = (count: number | undefined) => (count === undefined ? '…' : number(count))
  const none = data !== undefined && values.is_active !== false && (data.users === 0 || data.assets === 0)
  return (
    <aside className="effect-panel" aria-live="polite">
      <h2>{t('effectTitle')}</h2>
      <div className="effect">
        <div>
          <strong>{shown(data?.users)}</strong>
          <span>{t('effectPeople', { count: shown(data?.users) })}</span>
        </div>
        <div>
          <strong>{shown(data?.assets)}</strong>
          <span>{t('effectAssets', { count: shown(data?.assets) })}</span>
        </div>
        <div>
          <strong>{accounts.includes('@ALL') ? t('all') : number(accounts.length)}</strong>
          <span>{t('effectAccounts', { count: accounts.includes('@ALL') ? t('all') : accounts.length })}</span>
        </div>
      </div>
      <p className="lead">
        {none
          ? t('effectNone')
          : t('effectText', {
              people: shown(data?.users),
              assets: shown(data?.assets),
              accounts: accounts.map(accountWord).join(', ') || '–',
            })}
      </p>
      {data && <EffectSide side={data.gain} is="gain" />}
      {data && <EffectSide side={data.lose} is="lose" />}
      {data && !none && data.gain.pairs + data.lose.pairs === 0 && <p className="muted">{t('effectNothingChanges')}</p>}
      {values.is_active === false && <p className="is-warning small">{t('effectInactive')}</p>}
    </aside>
  )
}
