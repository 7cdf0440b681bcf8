import type {
  LoginPage,
  MfaFactor,
  MfaPage,
  PasswordVerifyPage,
  WaitConfirmPage,
} from '@castellan/contract/signin-page'
import { useEffect, useState } from 'react'
import { useCountdown } from '../kit/countdown.ts'
import { Captcha, Field, Form, Submit } from './Form.tsx'
import { PasskeyButton } from './passkey.tsx'
import { t } from './text.ts'

export function Login({ page }: { page: LoginPage }) {
  return (
    <>
      <h1>{t('signInTo', { name: page.brand.title || 'Castellan' })}</h1>
      <Form secrets={['password']}>
        <Field
          name="username"
          label={t('username')}
          value={page.username}
          autoComplete="username"
          focus={!page.username}
        />
        <Field
          name="password"
          type="password"
          label={t('password')}
          autoComplete="current-password"
          focus={Boolean(page.username)}
          after={page.forgotUrl && <a href={page.forgotUrl}>{t('forgot')}</a>}
        />
        {page.extra?.kind === 'challenge' && (
          <Field name="challenge" label={t('challenge')} autoComplete="one-time-code" />
        )}
        {page.extra?.kind === 'mfa' && <Factors factors={page.extra.factors} />}
        {page.extra?.kind === 'captcha' && <Captcha captcha={page.extra} />}
        <label className="check">
          <input type="checkbox" name="auto_login" value="on" disabled={page.autoLogin.disabled} />{' '}
          {page.autoLogin.label}
        </label>
        <Submit>{t('signIn')}</Submit>
      </Form>
      {page.methods.length > 0 && (
        <>
          <p className="or">{t('or')}</p>
          {page.methods.map((method) => (
            <a className="button" key={method.name} href={method.url}>
              {method.logo && <img src={method.logo} alt="" height={16} />} {method.label}
            </a>
          ))}
        </>
      )}
    </>
  )
}

/** Selection of a factor, and the code field or the button of a passkey. `verb` sends a code, where the form is only this. */
function Factors({ factors, chosen, verb }: { factors: readonly MfaFactor[]; chosen?: string; verb?: string }) {
  const usable = factors.filter((factor) => !factor.disabled)
  const [name, setName] = useState(chosen ?? usable[0]?.name ?? '')
  const [left, setLeft] = useCountdown()
  const [told, setTold] = useState('')
  const factor = factors.find((item) => item.name === name)
  const send = async () => {
    setLeft(60)
    const answer = await fetch('/api/v1/authentication/mfa/select/', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ type: name }),
    }).catch(() => undefined)
    setTold(t(answer?.ok ? 'sent' : 'failed'))
    // If sending failed, the code can be requested again at once.
    if (!answer?.ok) setLeft(0)
  }
  return (
    <>
      {usable.length > 1 ? (
        <div className="field" data-field="mfa_type">
          <label htmlFor="mfa_type">{t('method')}</label>
          <select id="mfa_type" name="mfa_type" value={name} onChange={(event) => setName(event.target.value)}>
            {factors.map((item) => (
              <option key={item.name} value={item.name} disabled={item.disabled}>
                {item.label}
              </option>
            ))}
          </select>
        </div>
      ) : (
        <input type="hidden" name="mfa_type" value={name} />
      )}
      {factor?.optionsUrl ? (
        <PasskeyButton name="code" optionsUrl={factor.optionsUrl} />
      ) : (
        <>
          <CodeField factor={factor} left={left} told={told} focus={verb !== undefined} onSend={() => void send()} />
          {verb && <Submit>{verb}</Submit>}
        </>
      )}
    </>
  )
}

/** The typed code, and a button to have one sent. */
function CodeField({
  factor,
  left,
  told,
  focus,
  onSend,
}: {
  factor: MfaFactor | undefined
  left: number
  told: string
  focus: boolean
  onSend: () => void
}) {
  return (
    <Field
      name="code"
      label={factor ? `${t('code')} · ${factor.label}` : t('code')}
      autoComplete="one-time-code"
      numeric
      mono
      focus={focus}
      after={
        factor?.challenge && (
          <span>
            <button type="button" className="linkish" disabled={left > 0} onClick={onSend}>
              {left > 0 ? t('sendAgain', { seconds: left }) : t('sendCode')}
            </button>{' '}
            <small>{told}</small>
          </span>
        )
      }
    />
  )
}

export function Mfa({ page }: { page: MfaPage }) {
  return (
    <>
      <h1>{t('mfaTitle')}</h1>
      <p className="lead">{t('mfaText', { name: page.username })}</p>
      <Form>
        <Factors factors={page.factors} chosen={page.factor} verb={t('confirm')} />
      </Form>
      <a className="quiet" href="/core/auth/logout/">
        {t('otherUser')}
      </a>
    </>
  )
}

export function PasswordVerify({ page }: { page: PasswordVerifyPage }) {
  return (
    <>
      <h1>{t('verifyTitle')}</h1>
      <p className="lead">{t('verifyText', { name: page.username })}</p>
      <Form secrets={['password']}>
        <Field name="password" type="password" label={t('password')} autoComplete="current-password" focus />
        <Submit>{t('confirm')}</Submit>
      </Form>
    </>
  )
}

const pollMs = 1000

/** Shows who is asked and for how long, and polls until one of them has decided. */
export function WaitConfirm({ page }: { page: WaitConfirmPage }) {
  const [problem, setProblem] = useState('')
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const since = Date.now()
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - since) / 1000)), 1000)
    return () => clearInterval(timer)
  }, [])
  const cancel = async () => {
    await fetch(page.statusUrl, { method: 'DELETE' }).catch(() => undefined)
    location.assign(page.loginUrl)
  }
  useEffect(() => {
    const look = async () => {
      const answer = await fetch(page.statusUrl)
      const { error, msg } = (await answer.json()) as { error?: string; msg?: string }
      if (msg === 'ok' && !error) location.assign(page.guardUrl)
      else if (error && error !== 'login_confirm_wait') {
        clearInterval(timer)
        setProblem(msg ?? t('refused'))
      }
    }
    // If the server is temporarily unavailable, polling continues.
    const timer = setInterval(() => void look().catch(() => undefined), pollMs)
    return () => clearInterval(timer)
  }, [page])
  return (
    <>
      <h1>{t('waitTitle')}</h1>
      {problem ? (
        <p className="note soft-danger" role="alert">
          {problem}
        </p>
      ) : (
        <>
          <p className="lead">{t('waitText')}</p>
          <p data-field="reviewers">{t('waitReviewers', { names: page.reviewers.join(', ') })}</p>
          <p>{t('waitSeconds', { seconds })}</p>
        </>
      )}
      {page.ticketUrl && !problem && (
        <button
          type="button"
          className="button"
          onClick={() => void navigator.clipboard?.writeText(new URL(page.ticketUrl ?? '', location.href).href)}
        >
          {t('copyLink')}
        </button>
      )}
      {problem ? (
        <a className="quiet" href={page.loginUrl}>
          {t('toLogin')}
        </a>
      ) : (
        <button type="button" className="linkish" onClick={() => void cancel()}>
          {t('waitCancel')}
        </button>
      )}
    </>
  )
}
