/** Plain forms: labeled fields, errors beside them, secrets encrypted before sending. */
import type { CaptchaPicture } from '@castellan/contract/signin-page'
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { csrfToken } from '../browser/cookies.ts'
import { encryptSecret } from '../kit/api/secret.ts'
import { page } from './page.ts'
import { t } from './text.ts'

const errorsOf = (name: string): readonly string[] => page.errors?.[name] ?? []

/**
 * Posts to its own address, or to `action`. Values of `secrets` are replaced by their encrypted form in hidden fields, so that plain
 * values never leave the browser.
 */
export function Form({
  secrets = [],
  check,
  action = location.pathname + location.search,
  children,
}: {
  secrets?: readonly string[]
  check?: (data: FormData) => boolean
  action?: string
  children: ReactNode
}) {
  const sent = useRef(false)
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    // Another window of this browser may have started a session since.
    data.set('csrfmiddlewaretoken', csrfToken() ?? page.csrf)
    if (sent.current || (check && !check(data))) return
    sent.current = true
    setBusy(true)
    for (const name of secrets) data.set(name, await encryptSecret(String(data.get(name) ?? '')))
    const real = document.createElement('form')
    real.method = 'post'
    real.action = action
    for (const [name, value] of data) {
      const input = document.createElement('input')
      input.type = 'hidden'
      input.name = name
      input.value = String(value)
      real.append(input)
    }
    document.body.append(real)
    real.submit()
  }
  return (
    <form onSubmit={(event) => void submit(event)} aria-busy={busy} noValidate>
      <input type="hidden" name="csrfmiddlewaretoken" value={page.csrf} />
      <Refusal />
      {children}
    </form>
  )
}

/** Errors without a field. */
function Refusal() {
  const texts = [...errorsOf(''), ...errorsOf('non_field_errors'), ...errorsOf('__all__')]
  return (
    <>
      {page.notice && <p className="note soft-info">{page.notice}</p>}
      {texts.length > 0 && (
        <p className="note soft-danger" role="alert">
          {texts.join(' ')}
        </p>
      )}
    </>
  )
}

export function Field({
  name,
  label,
  type = 'text',
  value,
  autoComplete,
  focus,
  mono,
  error,
  after,
  numeric,
}: {
  name: string
  label: string
  type?: 'text' | 'password' | 'email' | 'tel'
  value?: string
  autoComplete?: string
  focus?: boolean
  mono?: boolean
  numeric?: boolean
  error?: string
  after?: ReactNode
}) {
  const id = useId()
  const [shown, setShown] = useState(false)
  // The error belongs to the previous value.
  const [typed, setTyped] = useState(false)
  const errors = error ? [error] : typed ? [] : errorsOf(name)
  const secret = type === 'password'
  return (
    <div className={errors.length > 0 ? 'field bad' : 'field'} data-field={name}>
      <label htmlFor={id}>{label}</label>
      <span className="control">
        <input
          id={id}
          name={name}
          type={secret && shown ? 'text' : type}
          defaultValue={value}
          onInput={() => setTyped(true)}
          autoComplete={autoComplete}
          className={mono ? 'mono' : undefined}
          inputMode={numeric ? 'numeric' : undefined}
          maxLength={numeric ? 8 : undefined}
          // biome-ignore lint/a11y/noAutofocus: the first field of a page that is only this form
          autoFocus={focus}
          aria-invalid={errors.length > 0}
          aria-describedby={errors.length > 0 ? `${id}-error` : undefined}
        />
        {secret && (
          <button type="button" className="eye" onClick={() => setShown(!shown)}>
            {t(shown ? 'hide' : 'show')}
          </button>
        )}
      </span>
      {errors.length > 0 && (
        <small id={`${id}-error`} className="is-danger" role="alert">
          {errors.join(' ')}
        </small>
      )}
      {after}
    </div>
  )
}

/** A picture with a calculation, and a button for another one. */
export function Captcha({ captcha }: { captcha: CaptchaPicture }) {
  const [shown, setShown] = useState(captcha)
  const again = async () => {
    const headers = { 'X-Requested-With': 'XMLHttpRequest' }
    const answer = await fetch('/core/auth/captcha/refresh/', { headers }).catch(() => undefined)
    // The picture stays where no other one comes.
    if (!answer?.ok) return
    const { key, image_url } = (await answer.json()) as { key: string; image_url: string }
    setShown({ key, imageUrl: image_url })
  }
  return (
    <>
      <input type="hidden" name="captcha_0" value={shown.key} />
      <Field
        name="captcha_1"
        label={t('captcha')}
        autoComplete="off"
        after={
          <span className="captcha">
            <img src={shown.imageUrl} alt={t('captcha')} height={38} />
            <button type="button" className="linkish" onClick={() => void again()}>
              {t('captchaNew')}
            </button>
          </span>
        }
      />
    </>
  )
}

export const Submit = ({ children, disabled }: { children: ReactNode; disabled?: boolean }) => (
  <button type="submit" className="primary" disabled={disabled}>
    {children}
  </button>
)
