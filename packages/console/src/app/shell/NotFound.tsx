import { pathOf } from '@castellan/contract/routes'
import { Button } from 'antd'
import { Lock, type LucideIcon, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRouteError } from 'react-router'
import { type TextKey, t } from '../../kit/text.ts'
import { type DenialReason, usable } from '../screens.ts'

function Plain({
  icon: Icon,
  title,
  text,
  code,
  children,
}: {
  icon: LucideIcon
  title: string
  text: string
  code: string
  children?: ReactNode
}) {
  return (
    <div className="state whole" role="alert">
      <Icon size={24} aria-hidden />
      <h1>{title}</h1>
      <p>{text}</p>
      <small className="muted mono">{code}</small>
      <div className="line">
        {children}
        <Button href="/ui/">{t('home')}</Button>
      </div>
    </div>
  )
}

export const NotFound = () => <Plain icon={SearchX} title={t('notFoundTitle')} text={t('notFoundText')} code="404" />

const reasons = {
  permission: ['forbiddenTitle', 'forbiddenText'],
  license: ['forbiddenLicenseTitle', 'forbiddenLicenseText'],
  setting: ['forbiddenSettingTitle', 'forbiddenSettingText'],
} as const satisfies Record<DenialReason, readonly [TextKey, TextKey]>

/** The 403 page with the actual reason: requesting a role does not help without a license. */
export function Forbidden({ reason }: { reason: DenialReason }) {
  const [title, text] = reasons[reason]
  return (
    <Plain icon={Lock} title={t(title)} text={t(text)} code="403">
      {reason === 'license' && usable('License') && (
        <Button type="primary" href={`#${pathOf('License')}`}>
          {t('licenseShow')}
        </Button>
      )}
    </Plain>
  )
}

/** A screen that failed. A reload also loads files replaced by a new version. */
export function Oops() {
  const error = useRouteError()
  return (
    <div className="state whole" role="alert">
      <h1>{t('brokenTitle')}</h1>
      <p>{t('brokenText')}</p>
      <small className="muted mono">{error instanceof Error ? error.message : String(error)}</small>
      <Button type="primary" onClick={() => location.reload()}>
        {t('reload')}
      </Button>
    </div>
  )
}
