/** Setup steps before users can connect; hidden once all are done. */
import { pathOf, type RouteName } from '@castellan/contract/routes'
import { Button } from 'antd'
import { CircleCheck, Server, ShieldCheck, UserPlus } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Card } from '../../kit/charts/Card.tsx'
import { can, workingOrganization } from '../../kit/session.ts'
import { type TextKey, t } from '../../kit/text.ts'
import { usePage } from './now.tsx'

interface Step {
  to: RouteName
  icon: ReactNode
  title: TextKey
  help: TextKey
  done: boolean
}

/** Local storage key: the organization has completed the steps. */
const settledKey = () => `settled:${workingOrganization().id}`

const mayTake = () =>
  can(['assets.add_asset', 'users.add_user', 'perms.add_assetpermission', 'perms.view_assetpermission'])

function stepsOf(assets: number, users: number, permissions: number): readonly Step[] {
  const steps: readonly Step[] = [
    { to: 'HostCreate', icon: <Server size={18} />, title: 'hostCreate', help: 'firstHostHelp', done: assets > 0 },
    // The administrator is one user already.
    { to: 'UserCreate', icon: <UserPlus size={18} />, title: 'userCreate', help: 'firstUserHelp', done: users > 1 },
    {
      to: 'AssetPermissionCreate',
      icon: <ShieldCheck size={18} />,
      title: 'assetPermissionCreate',
      help: 'firstPermissionHelp',
      done: permissions > 0,
    },
  ]
  return steps.every(({ done }) => done) ? [] : steps
}

/**
 * Remaining steps; none for users who may not do them. `undefined` until loaded: the content below waits once instead
 * of moving down.
 */
export function useFirstSteps(assets: number | undefined, users: number | undefined): readonly Step[] | undefined {
  const query = { limit: 1, offset: 0, fields_size: 'mini' }
  const page = usePage('/api/v1/perms/asset-permissions/', query, 'perms.view_assetpermission')
  const permissions = page.isError ? 1 : page.data?.count
  const isKnown = assets !== undefined && users !== undefined && permissions !== undefined
  const steps = !mayTake() ? [] : isKnown ? stepsOf(assets, users, permissions) : undefined
  const left = steps?.length
  useEffect(() => {
    if (left === 0) localStorage.setItem(settledKey(), '1')
    else if (left) localStorage.removeItem(settledKey())
  }, [left])
  return steps ?? (localStorage.getItem(settledKey()) ? [] : undefined)
}

export function FirstSteps({ steps }: { steps: readonly Step[] }) {
  const next = steps.find(({ done }) => !done)
  if (!next) return null
  return (
    <div className="grid">
      <Card title={t('firstSteps')}>
        <ol className="first-steps">
          {steps.map((step) => (
            <li key={step.to} className={step.done ? 'done' : undefined}>
              {step.done ? (
                <CircleCheck size={18} className="is-ok" role="img" aria-label={t('stepDone')} />
              ) : (
                step.icon
              )}
              <b>{t(step.title)}</b>
              <p>{t(step.help)}</p>
              {!step.done && (
                <Button type={step === next ? 'primary' : 'default'} size="small" href={`#${pathOf(step.to)}`}>
                  {t(step.title)}
                </Button>
              )}
            </li>
          ))}
        </ol>
      </Card>
    </div>
  )
}
