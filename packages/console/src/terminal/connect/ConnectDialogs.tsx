import { Button, Modal } from 'antd'
import { useEffect, useState } from 'react'
import { putOnClipboard } from '../../kit/copy.ts'
import { toast } from '../../kit/toast.ts'
import { t } from '../text.ts'
import type { TicketInfo } from '../wire.ts'
import { ConnectDialog } from './ConnectDialog.tsx'
import type { Connector } from './useConnector.ts'

/** Dialogs between starting a connection and its pane. */
export function ConnectDialogs({ connector }: { connector: Connector }) {
  const { step, stop } = connector
  if (step.at === 'asking') return <ConnectDialog key={step.asset.id} step={step} connector={connector} />
  if (step.at === 'waiting') return <Waiting info={step.info} onLeave={step.leave} />
  if (step.at === 'mayAsk') {
    return (
      <Modal
        open
        title={t('reviewNeeded')}
        okText={t('askForReview')}
        cancelText={t('cancel')}
        onOk={step.again}
        onCancel={stop}
      >
        <p>{t('reviewNeededHelp')}</p>
      </Modal>
    )
  }
  if (step.at === 'refused') {
    return (
      <Modal
        open
        title={t('notConnected')}
        onCancel={stop}
        footer={
          <Button type="primary" autoFocus onClick={stop}>
            {t('close')}
          </Button>
        }
      >
        <p>{step.refusal.title}</p>
        {step.refusal.detail && <p className="muted">{step.refusal.detail}</p>}
      </Modal>
    )
  }
  return null
}

function Waiting({ info, onLeave }: { info: TicketInfo; onLeave: () => void }) {
  const seconds = useSeconds()
  const link = info.ticket_detail_page_url && new URL(info.ticket_detail_page_url, location.origin).href
  const copy = async () => {
    if (link && (await putOnClipboard(link))) toast.ok(t('linkCopied'))
  }
  return (
    <Modal
      open
      title={t('waitingForReview')}
      mask={{ closable: false }}
      onCancel={onLeave}
      footer={
        <>
          {link && <Button onClick={() => void copy()}>{t('copyTicketLink')}</Button>}
          <Button danger onClick={onLeave}>
            {t('withdraw')}
          </Button>
        </>
      }
    >
      <p>{t('reviewers', { names: info.assignees?.join(', ') ?? '' })}</p>
      <p className="muted num">{t('waitedFor', { seconds })}</p>
    </Modal>
  )
}

function useSeconds(): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((now) => now + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  return seconds
}
