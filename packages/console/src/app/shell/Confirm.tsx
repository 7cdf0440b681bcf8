/** Identity confirmation for 412 responses; one dialog for the whole page. */
import { Alert, Button, Input, Modal, Segmented } from 'antd'
import { useCallback, useEffect, useRef, useState } from 'react'
import { NoPasskey, signedByPasskey } from '../../browser/passkeys.ts'
import { type ConfirmCode, call, hooks } from '../../kit/api/client.ts'
import { ApiError, attempt } from '../../kit/api/errors.ts'
import { encryptSecret } from '../../kit/api/secret.ts'
import { confirm } from '../../kit/confirm.ts'
import { useCountdown } from '../../kit/countdown.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import { logout } from '../startup.ts'

interface Method {
  name: string
  display_name: string
  placeholder?: string
  disabled?: boolean
}

interface Asked {
  type: ConfirmCode
  methods: Method[]
  relogin: boolean
}

const url = '/api/v1/authentication/confirm/'

/** The required confirmation. Undefined if a recent sign-in already satisfied it. */
async function whatIsAsked(code: ConfirmCode): Promise<Asked | undefined> {
  const answer = await call<{ confirm_type: ConfirmCode; content: Method[] }>(url, {
    query: { confirm_type: code },
    quiet: true,
  })
  if (answer.confirm_type !== 'relogin') return { type: answer.confirm_type, methods: answer.content, relogin: false }
  try {
    await call(url, { method: 'POST', body: { confirm_type: 'relogin', secret_key: 'x' }, quiet: true })
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return { type: 'relogin', methods: [], relogin: true }
    throw error
  }
}

/** Some secrets require a second factor: explains it and links to the setup. */
function needsFactor(): void {
  confirm({
    title: t('confirmNeedsMfa'),
    text: t('confirmNeedsMfaText'),
    verb: t('setUp'),
    run: async () => location.assign('/core/auth/profile/mfa/'),
  })
}

export function ConfirmDialog() {
  const [asked, setAsked] = useState<Asked>()
  const settle = useRef<(confirmed: boolean) => void>(() => {})
  useEffect(() => {
    hooks.confirm = async (code) => {
      try {
        const what = await whatIsAsked(code)
        if (!what) return true
        return await new Promise<boolean>((resolve) => {
          settle.current = resolve
          setAsked(what)
        })
      } catch (error) {
        if (code === 'mfa' && error instanceof ApiError && error.status === 400) needsFactor()
        else toast.error(error instanceof ApiError && error.message ? error.message : t('confirmUnknown'))
        return false
      }
    }
  }, [])
  const done = useCallback((confirmed: boolean) => {
    setAsked(undefined)
    settle.current(confirmed)
  }, [])
  if (!asked) return null
  return asked.relogin ? <Relogin onClose={() => done(false)} /> : <Step asked={asked} onDone={done} />
}

function Relogin({ onClose }: { onClose: () => void }) {
  return (
    <Modal
      open
      mask={{ closable: false }}
      title={t('confirmTitle')}
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={logout}>
          {t('signInAgain')}
        </Button>
      }
    >
      <Alert type="warning" showIcon title={t('confirmRelogin')} />
    </Modal>
  )
}

function Step({ asked, onDone }: { asked: Asked; onDone: (confirmed: boolean) => void }) {
  const first = asked.methods.find((method) => !method.disabled)
  const [name, setName] = useState(first?.name ?? '')
  const [secret, setSecret] = useState('')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const [wait, setWait] = useCountdown()
  const method = asked.methods.find((item) => item.name === name)
  const isPasskey = name === 'passkey'
  const submit = async () => {
    if (busy || !(secret || isPasskey)) return
    if (name === 'otp' && secret.length !== 6) return setProblem(t('confirmOtpLength'))
    setBusy(true)
    setProblem('')
    try {
      const secret_key = isPasskey
        ? await signedByPasskey(() => call('/api/v1/authentication/passkeys/auth/', { quiet: true }))
        : await encryptSecret(secret)
      const mfa_type = asked.type === 'mfa' ? name : ''
      await call(url, { method: 'POST', body: { confirm_type: asked.type, mfa_type, secret_key }, quiet: true })
      onDone(true)
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof NoPasskey)) throw error
      setSecret('')
      setProblem(error instanceof ApiError ? error.message : t('confirmPasskeyNone'))
    } finally {
      setBusy(false)
    }
    return undefined
  }
  const sendCode = async () => {
    await call('/api/v1/authentication/mfa/select/', { method: 'POST', body: { type: 'sms' } })
    setWait(60)
  }
  return (
    <Modal
      open
      width={480}
      mask={{ closable: false }}
      title={t('confirmTitle')}
      onCancel={() => onDone(false)}
      footer={[
        <Button key="cancel" onClick={() => onDone(false)}>
          {t('cancel')}
        </Button>,
        <Button key="ok" type="primary" loading={busy} disabled={!(secret || isPasskey)} onClick={() => void submit()}>
          {t(isPasskey ? 'confirmPasskey' : 'confirmVerb')}
        </Button>,
      ]}
    >
      <p className="confirm-text gap-below">{t('confirmText')}</p>
      {asked.methods.length > 1 && (
        <Segmented
          aria-label={t('confirmWay')}
          className="gap-below"
          value={name}
          onChange={(next) => {
            setName(next)
            setSecret('')
            setProblem('')
          }}
          options={asked.methods.map((item) => ({
            value: item.name,
            label: item.display_name,
            disabled: item.disabled,
          }))}
        />
      )}
      <div className={problem ? 'field bad' : 'field'}>
        {!isPasskey && <label htmlFor="confirm-secret">{method?.display_name ?? t('password')}</label>}
        <div className="join" hidden={isPasskey}>
          <Input
            id="confirm-secret"
            key={name}
            data-first
            type={name === 'password' ? 'password' : 'text'}
            autoComplete={name === 'password' ? 'current-password' : 'one-time-code'}
            inputMode={name === 'otp' || name === 'sms' ? 'numeric' : undefined}
            placeholder={method?.placeholder}
            value={secret}
            status={problem ? 'error' : undefined}
            onChange={(event) => setSecret(event.target.value)}
            onPressEnter={() => void submit()}
          />
          {name === 'sms' && (
            <Button disabled={wait > 0} onClick={() => void attempt(sendCode)}>
              {wait > 0 ? t('confirmSmsWait', { seconds: wait }) : t('confirmSmsSend')}
            </Button>
          )}
        </div>
        {problem && (
          <small className="is-danger" role="alert">
            {problem}
          </small>
        )}
      </div>
    </Modal>
  )
}
