import type {
  MfaSettingsPage,
  OtpBindPage,
  OtpDisablePage,
  OtpInstallPage,
  OtpStartPage,
} from '@castellan/contract/signin-page'
import { useState } from 'react'
import { Field, Form, Submit } from './Form.tsx'
import { t } from './text.ts'

export function OtpStart({ page }: { page: OtpStartPage }) {
  return (
    <>
      <h1>{t('otpTitle')}</h1>
      <p className="lead">{page.forced ? t('otpForced') : t('otpText')}</p>
      {page.forced && <p className="lead">{t('otpText')}</p>}
      <a className="button primary" href={page.nextUrl}>
        {t('next')}
      </a>
    </>
  )
}

export function OtpInstall({ page }: { page: OtpInstallPage }) {
  return (
    <>
      <h1>{t('installTitle')}</h1>
      <p className="lead">{t('installText')}</p>
      {(page.apps?.ios || page.apps?.android) && (
        <p className="links">
          {page.apps.ios && <a href={page.apps.ios}>iOS</a>}
          {page.apps.android && <a href={page.apps.android}>Android</a>}
        </p>
      )}
      <a className="button primary" href={page.nextUrl}>
        {t('next')}
      </a>
    </>
  )
}

/** The server's QR code is an SVG. It is shown as an image, so that it cannot execute scripts. */
export function OtpBind({ page }: { page: OtpBindPage }) {
  return (
    <>
      <h1>{t('bindTitle')}</h1>
      <p className="lead">{t('bindText')}</p>
      <img className="qr" alt={t('bindTitle')} src={`data:image/svg+xml;utf8,${encodeURIComponent(page.qrSvg)}`} />
      <p className="secret">
        <small>{t('bindSecret')}</small>
        <code>{page.secret.match(/.{1,4}/g)?.join(' ')}</code>
      </p>
      <Form>
        <Field name="otp_code" label={t('sixDigits')} autoComplete="one-time-code" numeric mono focus />
        <Submit>{t('bindVerb')}</Submit>
      </Form>
    </>
  )
}

export function OtpDisable({ page }: { page: OtpDisablePage }) {
  return (
    <>
      <h1>{t('disableTitle')}</h1>
      <p className="lead">
        {page.username} · {t('disableText')}
      </p>
      <Form>
        <Field name="otp_code" label={t('sixDigits')} autoComplete="one-time-code" numeric mono focus />
        <Submit>{t('disableVerb')}</Submit>
      </Form>
    </>
  )
}

/** Whether a second factor is required, and which are set up. */
export function MfaSettings({ page }: { page: MfaSettingsPage }) {
  const [on, setOn] = useState(page.level > 0 || page.forced)
  const [problem, setProblem] = useState('')
  const toggle = async () => {
    setProblem('')
    const answer = await fetch('/api/v1/users/profile/', {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json', 'X-CSRFToken': page.csrf },
      body: JSON.stringify({ mfa_level: on ? 0 : 1 }),
    })
    if (answer.ok) setOn(!on)
    else if (answer.status === 412) location.assign(page.verifyUrl)
    else setProblem(t('failed'))
  }
  return (
    <>
      <h1>{t('mfaSettings', { name: page.username })}</h1>
      <label className="check">
        <input type="checkbox" checked={on} disabled={page.forced} onChange={() => void toggle()} /> {t('mfaOn')}
      </label>
      {page.forced && <p className="lead">{t('mfaForced')}</p>}
      {problem && (
        <p className="note soft-danger" role="alert">
          {problem}
        </p>
      )}
      <ul className="factors">
        {page.factors.map((factor) => (
          <li key={factor.name}>
            <span>
              <b>{factor.label}</b>
              <small>{factor.help ?? t(factor.enabled ? 'enabled' : 'notEnabled')}</small>
            </span>
            {!factor.enabled && factor.enableUrl && <a href={factor.enableUrl}>{t('enable')}</a>}
            {factor.enabled && factor.disableUrl && <a href={factor.disableUrl}>{t('disable')}</a>}
          </li>
        ))}
      </ul>
      <a className="quiet" href={page.backUrl}>
        {t('toProfile')}
      </a>
    </>
  )
}
