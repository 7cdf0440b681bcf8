/** A list without rows: nothing yet, nothing found, or no answer. */
import { Button } from 'antd'
import { ApiError, fieldErrors } from '../api/errors.ts'
import { t } from '../text.ts'

export function Nothing({
  filtered,
  text,
  action,
  onClear,
}: {
  filtered: boolean
  text: string
  action?: { label: string; run: () => void }
  onClear?: () => void
}) {
  return (
    <div className="state">
      <b>{filtered ? t('nothingFound') : t('nothingYet')}</b>
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

export function Failed({ error, retry }: { error: unknown; retry?: () => void }) {
  const known = error instanceof ApiError ? error : undefined
  const forbidden = known?.status === 403
  // Of a filter's value: it says what to change.
  const ofFields = known?.status === 400 ? Object.values(fieldErrors(known.body)).join('; ') : ''
  return (
    <div className="state" role="alert">
      <b>{forbidden ? t('forbiddenTitle') : known?.status === 404 ? t('lostTitle') : t('failedTitle')}</b>
      <p>{forbidden ? t('forbiddenText') : ofFields || (known?.message ?? t('errorNetwork'))}</p>
      {known && known.status > 0 && <small className="muted mono">HTTP {known.status}</small>}
      {retry && !forbidden && <Button onClick={retry}>{t('retry')}</Button>}
    </div>
  )
}
