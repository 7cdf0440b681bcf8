import { Button, Input } from 'antd'
import { useState } from 'react'
import { t } from '../../kit/text.ts'

/** A password in place of its stars, until it is saved. */
export function PasswordEdit({
  password,
  onSave,
  onClose,
}: {
  password: string
  onSave: (password: string) => Promise<void>
  onClose: () => void
}) {
  const [value, setValue] = useState(password)
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    await onSave(value).finally(() => setBusy(false))
  }
  return (
    <form
      className="secret-line"
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        if (!busy && value !== '' && value !== password) void save()
      }}
    >
      <Input.Password
        autoFocus
        value={value}
        autoComplete="new-password"
        aria-label={t('password')}
        onChange={(event) => setValue(event.target.value)}
      />
      <Button htmlType="submit" type="primary" loading={busy} disabled={value === '' || value === password}>
        {t('save')}
      </Button>
      <Button onClick={onClose}>{t('cancel')}</Button>
    </form>
  )
}
