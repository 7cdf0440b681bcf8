/** List without rows: empty, no match, or error. */
import { Button } from 'antd'
import { CloudOff, Inbox, Lock, RotateCw, SearchX } from 'lucide-react'
import { ApiError, fieldErrors } from '../api/errors.ts'
import { type TextKey, t } from '../text.ts'

export function Nothing({
  filtered,
  title,
  text,
  action,
  onClear,
}: {
  filtered: boolean
  title: string
  text: string
  action?: { label: string; run: () => void }
  onClear?: () => void
}) {
  return (
    <div className="state">
      {filtered ? <SearchX size={24} aria-hidden /> : <Inbox size={24} aria-hidden />}
      <b>{filtered ? t('nothingFound') : title}</b>
      <p>{filtered ? t('nothingFoundText') : text}</p>
      {filtered && onClear && <Button onClick={onClear}>{t('clearFilters')}</Button>}
      {!filtered && action && (
        <Button type="primary" onClick={action.run}>
          {action.label}
        </Button>
      )}
    </div>
  )
}

const titles: Readonly<Record<number, TextKey>> = {
  401: 'signedOutTitle',
  403: 'forbiddenTitle',
  404: 'lostTitle',
}

export function Failed({ error, retry }: { error: unknown; retry?: () => void }) {
  const known = error instanceof ApiError ? error : undefined
  const forbidden = known?.status === 403
  const lost = known?.status === 404
  const Icon = forbidden ? Lock : lost ? SearchX : CloudOff
  // The error of a filter value names the value to change.
  const ofFields = known?.status === 400 ? Object.values(fieldErrors(known.body)).join('; ') : ''
  return (
    <div className="state" role="alert">
      <Icon size={24} aria-hidden className={forbidden || lost ? undefined : 'is-danger'} />
      <b>{t(titles[known?.status ?? 0] ?? 'failedTitle')}</b>
      <p>{forbidden ? t('forbiddenText') : ofFields || (known?.message ?? t('errorNetwork'))}</p>
      {known && known.status > 0 && <small className="muted mono">HTTP {known.status}</small>}
      {retry && !forbidden && (
        <Button icon={<RotateCw size={14} />} onClick={retry}>
          {t('retry')}
        </Button>
      )}
    </div>
  )
}
