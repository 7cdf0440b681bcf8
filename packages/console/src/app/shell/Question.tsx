import { Button, Modal } from 'antd'
import { useEffect, useState } from 'react'
import { attempt } from '../../kit/api/errors.ts'
import { type Confirmation, listenForConfirmations } from '../../kit/confirm.ts'
import { dialogWidth } from '../../kit/dialog/width.ts'
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
  const cancel = () => {
    setQuestion(undefined)
    question.cancel?.()
  }
  return (
    <Modal
      open
      width={question.details ? dialogWidth : 460}
      title={question.title}
      onCancel={cancel}
      footer={[
        <Button key="no" data-first={question.danger || undefined} onClick={cancel}>
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
      {question.details}
    </Modal>
  )
}
