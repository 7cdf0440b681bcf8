import type { LeavePage } from '@castellan/contract/signin-page'
import { useEffect, useRef } from 'react'
import { t } from './text.ts'

/** Sends the browser on to a provider that takes requests as posted forms only. */
export function Leave({ page }: { page: LeavePage }) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.submit(), [])
  return (
    <form ref={form} method="post" action={page.action}>
      <h1>{t('leaveTitle', { provider: page.provider })}</h1>
      <p className="lead">{t('leaveText')}</p>
      {Object.entries(page.fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button type="submit" className="primary">
        {t('goOn')}
      </button>
    </form>
  )
}
