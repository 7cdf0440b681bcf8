/** A button that sends the entered values to a test and shows its answer. */
import { Button } from 'antd'
import { useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { ApiError } from '../../kit/api/errors.ts'
import type { FormButtonsProps } from '../../kit/form/spec.ts'
import { type TextKey, t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'

interface Answer {
  msg?: string
  error?: string
}

export function TestButton({
  url,
  label = 'test',
  body,
  refused,
}: FormButtonsProps & { url: string; label?: TextKey }) {
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    try {
      const { msg } = await call<Answer>(url, { method: 'POST', body: await body(), quiet: true })
      toast.ok(msg ?? t('testPassed'))
    } catch (error) {
      if (error instanceof ApiError && error.status === 400 && (error.body as Answer).error)
        toast.error(String((error.body as Answer).error))
      else refused(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button loading={busy} onClick={() => void run()}>
      {t(label)}
    </Button>
  )
}

/** The button of a form whose test has this address. */
export const testButton = (url: string) =>
  function TestOfForm(props: FormButtonsProps) {
    return <TestButton url={url} {...props} />
  }
