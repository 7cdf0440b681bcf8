import type { PasskeyPage } from '@castellan/contract/signin-page'
import { useRef, useState } from 'react'
import { hasPasskeys, NoPasskeyHere, signedByPasskey } from '../browser/passkeys.ts'
import { Form } from './Form.tsx'
import { t } from './text.ts'

const asked = async (url: string): Promise<unknown> => {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(((await answer.json()) as { error?: string }).error ?? t('failed'))
  return answer.json()
}

/** Puts the browser's answer into the hidden field `name` and sends the form. */
export function PasskeyButton({ name, optionsUrl }: { name: string; optionsUrl: string }) {
  const field = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const use = async () => {
    setProblem('')
    setBusy(true)
    try {
      const answer = await signedByPasskey(() => asked(optionsUrl))
      if (field.current) field.current.value = answer
      field.current?.form?.requestSubmit()
    } catch (error) {
      const isNamed = error instanceof Error && error.constructor === Error
      setProblem(isNamed ? error.message : t(error instanceof NoPasskeyHere ? 'passkeyUnable' : 'passkeyNone'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <input type="hidden" name={name} ref={field} />
      {problem && (
        <p className="note soft-danger" role="alert">
          {problem}
        </p>
      )}
      <button
        type="button"
        className="primary"
        data-field={name}
        disabled={busy || !hasPasskeys()}
        onClick={() => void use()}
      >
        {t('passkeyUse')}
      </button>
      {!hasPasskeys() && <small>{t('passkeyUnable')}</small>}
    </>
  )
}

export function Passkey({ page }: { page: PasskeyPage }) {
  return (
    <>
      <h1>{t('passkeyTitle')}</h1>
      <p className="lead">{t('passkeyText')}</p>
      <Form action={page.action}>
        <PasskeyButton name="passkeys" optionsUrl={page.optionsUrl} />
      </Form>
      <a className="quiet" href={page.loginUrl}>
        {t('toLogin')}
      </a>
    </>
  )
}
