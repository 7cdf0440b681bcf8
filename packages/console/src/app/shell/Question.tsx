import { Button, Modal } from 'antd'
import { useEffect, useState } from 'react'
import { attempt } from '../../kit/api/errors.ts'
import { type Confirmation, listenForConfirmations } from '../../kit/confirm.ts'
import { t } from '../../kit/text.ts'

/** Host of confirmations; stays open if the action failed. */
export function QuestionDialog() {
  const [question, setQuestion] = useState<Confirmation>()
  const [busy, setBusy] = useState(false)
  useEffect(() => listenForConfirmations(setQuestion), [])
  if (!question) return null
  const run = async () => {
    setBusy(true)
    if (await attempt(question.run).finally(() => setBusy(false))) setQuestion(undefined)
  }
  return (
    <Modal
      open
      width={460}
      title={question.title}
      onCancel={() => setQuestion(undefined)}
      footer={[
        <Button key="no" data-first={question.danger || undefined} onClick={() => setQuestion(undefined)}>
          {t('cancel')}
        </Button>,
        <Button
          key="yes"
          type="primary"
          danger={question.danger}
          loading={busy}
          data-first={question.danger ? undefined : true}
          onClick={() => void run()}
        >
          {question.verb}
        </Button>,
      ]}
    >
      <p className="confirm-text">{question.text}</p>
    </Modal>
  )
}
