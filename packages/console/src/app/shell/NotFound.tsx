import { Button } from 'antd'
import { Lock, type LucideIcon, SearchX } from 'lucide-react'
import { useRouteError } from 'react-router'
import { t } from '../../kit/text.ts'

function Plain({ icon: Icon, title, text, code }: { icon: LucideIcon; title: string; text: string; code: string }) {
  return (
    <div className="state whole" role="alert">
      <Icon size={24} aria-hidden />
      <h1>{title}</h1>
      <p>{text}</p>
      <small className="muted mono">{code}</small>
      <Button href="/ui/">{t('home')}</Button>
    </div>
  )
}

export const NotFound = () => <Plain icon={SearchX} title={t('notFoundTitle')} text={t('notFoundText')} code="404" />
export const Forbidden = () => <Plain icon={Lock} title={t('forbiddenTitle')} text={t('forbiddenText')} code="403" />

/** A screen that broke; a reload also fetches files that a new version has replaced. */
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
