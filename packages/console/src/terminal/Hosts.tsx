import { App, Button, Modal } from 'antd'
import { useEffect, useState } from 'react'
import { hooks } from '../kit/api/client.ts'
import { attempt } from '../kit/api/errors.ts'
import { type Confirmation, listenForConfirmations } from '../kit/confirm.ts'
import { toast } from '../kit/toast.ts'
import { loginAddress, watchSession } from './start.ts'
import { t } from './text.ts'

/** Hosts of messages, confirmations and the signed-out notice of this page. */
export function Hosts() {
  const { message } = App.useApp()
  const [question, setQuestion] = useState<Confirmation>()
  const [busy, setBusy] = useState(false)
  const [signedOut, setSignedOut] = useState(false)

  useEffect(() => {
    toast.listen(
      ({ kind, text }) => void message.open({ key: 'flash', type: kind === 'ok' ? 'success' : 'error', content: text }),
    )
    hooks.flash = toast.error
    listenForConfirmations(setQuestion)
    return watchSession(
      () => setSignedOut(true),
      () => setSignedOut(false),
    )
  }, [message])

  const answer = async () => {
    if (!question) return
    setBusy(true)
    // After an error the confirmation stays for another attempt.
    if (await attempt(question.run).finally(() => setBusy(false))) setQuestion(undefined)
  }
  return (
    <>
      <Modal
        open={question !== undefined}
        title={question?.title}
        okText={question?.verb}
        cancelText={t('cancel')}
        okButtonProps={{ danger: question?.danger, loading: busy, autoFocus: true }}
        onOk={() => void answer()}
        onCancel={() => setQuestion(undefined)}
      >
        <p>{question?.text}</p>
      </Modal>
      <Modal
        open={signedOut}
        title={t('signedOut')}
        onCancel={() => setSignedOut(false)}
        footer={
          <Button type="primary" href={loginAddress()} target="_blank">
            {t('signInAgain')}
          </Button>
        }
      >
        <p>{t('signedOutHelp')}</p>
      </Modal>
    </>
  )
}
