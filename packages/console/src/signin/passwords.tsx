import type {
  ForgotPage,
  ForgotStartPage,
  MessagePage,
  PasswordResetPage,
  PasswordRules,
} from '@castellan/contract/signin-page'
import { useEffect, useState } from 'react'
import { useCountdown } from '../kit/countdown.ts'
import { Captcha, Field, Form, Submit } from './Form.tsx'
import { t } from './text.ts'

export function ForgotStart({ page }: { page: ForgotStartPage }) {
  return (
    <>
      <h1>{t('forgotTitle')}</h1>
      <p className="lead">{t('forgotText')}</p>
      <Form>
        <Field name="username" label={t('username')} value={page.username} autoComplete="username" focus />
        {page.captcha && <Captcha captcha={page.captcha} />}
        <Submit>{t('next')}</Submit>
      </Form>
      <a className="quiet" href={page.loginUrl}>
        {t('toLogin')}
      </a>
    </>
  )
}

export function Forgot({ page }: { page: ForgotPage }) {
  const [kind, setKind] = useState(page.formType)
  const [told, setTold] = useState('')
  const [left, setLeft] = useCountdown()
  const send = async (form: HTMLFormElement | null) => {
    if (!form) return
    const data = new FormData(form)
    const answer = await fetch(page.sendCodeUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-CSRFToken': page.csrf },
      body: JSON.stringify({ form_type: kind, email: data.get('email') ?? '', sms: data.get('sms') ?? '' }),
    }).catch(() => undefined)
    const { msg, detail, error } = ((await answer?.json().catch(() => undefined)) ?? {}) as {
      msg?: string
      detail?: string
      error?: string
    }
    setTold(answer?.ok ? t('sent') : (msg ?? detail ?? error ?? t('failed')))
    if (answer?.ok) setLeft(60)
  }
  return (
    <>
      <h1>{t('forgotTitle')}</h1>
      <p className="lead">{t(kind === 'sms' ? 'forgotPhoneText' : 'forgotCodeText', { name: page.username })}</p>
      <Form>
        <input type="hidden" name="form_type" value={kind} />
        {page.methods.length > 1 && (
          <div className="languages">
            {page.methods.map((method) => (
              <button
                type="button"
                key={method}
                className={method === kind ? 'on' : ''}
                onClick={() => setKind(method)}
              >
                {t(method)}
              </button>
            ))}
          </div>
        )}
        {kind === 'email' ? (
          <Field name="email" type="email" label={t('email')} autoComplete="email" focus />
        ) : (
          <Field name="sms" type="tel" label={t('sms')} autoComplete="tel" focus />
        )}
        <Field
          name="code"
          label={t('code')}
          autoComplete="one-time-code"
          numeric
          mono
          after={
            <span>
              <button
                type="button"
                className="linkish"
                disabled={left > 0}
                onClick={(event) => void send(event.currentTarget.form)}
              >
                {left > 0 ? t('sendAgain', { seconds: left }) : t('sendCode')}
              </button>{' '}
              <small>{told}</small>
            </span>
          }
        />
        <Submit>{t('next')}</Submit>
      </Form>
      <a className="quiet" href={page.loginUrl}>
        {t('toLogin')}
      </a>
    </>
  )
}

/** Password rules, each checked once satisfied. */
function rulesOf(rules: PasswordRules): { text: string; kept: (value: string) => boolean }[] {
  return [
    { text: t('ruleLength', { limit: rules.minLength }), kept: (value) => value.length >= rules.minLength },
    ...(rules.upper ? [{ text: t('ruleUpper'), kept: (value: string) => /[A-Z]/.test(value) }] : []),
    ...(rules.lower ? [{ text: t('ruleLower'), kept: (value: string) => /[a-z]/.test(value) }] : []),
    ...(rules.digit ? [{ text: t('ruleDigit'), kept: (value: string) => /\d/.test(value) }] : []),
    ...(rules.special ? [{ text: t('ruleSpecial'), kept: (value: string) => /[^A-Za-z0-9]/.test(value) }] : []),
  ]
}

const reasons = { first: 'resetFirst', expired: 'resetExpired', reset: 'resetText' } as const

export function PasswordReset({ page }: { page: PasswordResetPage }) {
  const [value, setValue] = useState('')
  const [differ, setDiffer] = useState(false)
  const rules = rulesOf(page.rules)
  const check = (data: FormData) => {
    const same = data.get('new_password') === data.get('confirm_password')
    setDiffer(!same)
    return same && rules.every((rule) => rule.kept(String(data.get('new_password') ?? '')))
  }
  return (
    <>
      <h1>{t('resetTitle')}</h1>
      <p className="lead">{t(reasons[page.reason], { name: page.username })}</p>
      <div
        onInput={(event) =>
          (event.target as HTMLInputElement).name === 'new_password' &&
          setValue((event.target as HTMLInputElement).value)
        }
      >
        <Form secrets={['new_password', 'confirm_password']} check={check}>
          <Field name="new_password" type="password" label={t('newPassword')} autoComplete="new-password" focus />
          <ul className="rules">
            {rules.map((rule) => (
              <li key={rule.text} className={rule.kept(value) ? 'is-ok' : ''}>
                {rule.text}
              </li>
            ))}
          </ul>
          <Field
            name="confirm_password"
            type="password"
            label={t('again')}
            autoComplete="new-password"
            error={differ ? t('differ') : undefined}
          />
          <Submit disabled={!rules.every((rule) => rule.kept(value))}>{t('setPassword')}</Submit>
        </Form>
      </div>
      <a className="quiet" href={page.loginUrl}>
        {t('toLogin')}
      </a>
    </>
  )
}

export function Message({ page }: { page: MessagePage }) {
  const { redirect } = page
  const [left] = useCountdown(redirect?.auto ? redirect.seconds : 0)
  useEffect(() => {
    if (redirect?.auto && left === 0) location.assign(redirect.url)
  }, [left, redirect])
  return (
    <>
      <h1 className={page.kind === 'error' ? 'is-danger' : undefined}>{page.title}</h1>
      <p className="lead">{page.message}</p>
      {redirect && (
        <a className="button primary" href={redirect.url}>
          {redirect.label ?? t('goOn')}
        </a>
      )}
      {redirect?.auto && <p className="quiet">{t('goesOn', { seconds: left })}</p>}
      {page.cancel && (
        <a className="quiet" href={page.cancel.url}>
          {t('cancel')}
        </a>
      )}
    </>
  )
}
