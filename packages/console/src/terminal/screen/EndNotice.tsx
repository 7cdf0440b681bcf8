import type { SessionEndReason } from '@castellan/contract/web-terminal'
import { Button } from 'antd'
import { CircleAlert, CircleCheck, CirclePause } from 'lucide-react'
import { type PlainKey, t } from '../text.ts'

export interface Ending {
  reason: SessionEndReason | 'lost'
  /** Message of the gateway for the user. */
  text: string
  /** The target never responded. */
  neverStarted: boolean
}

const sentences: Record<Ending['reason'], PlainKey> = {
  none: 'endNone',
  lost: 'endLost',
  unauthenticated: 'endUnauthenticated',
  token_invalid: 'endTokenInvalid',
  permission_denied: 'endPermissionDenied',
  permission_expired: 'endPermissionExpired',
  connect_failed: 'endConnectFailed',
  host_key_mismatch: 'endHostKey',
  recording_failed: 'endRecording',
  idle_timeout: 'endIdle',
  max_time: 'endMaxTime',
  terminated: 'endTerminated',
  user_disabled: 'endUserDisabled',
  signed_out: 'endSignedOut',
  server_unreachable: 'endServer',
  internal: 'endInternal',
}

/** The message for the end of a session, in the user's language. */
export function endSentence(ending: Ending): string {
  if (ending.reason === 'lost' && ending.neverStarted) return t('endNoGateway')
  return t(sentences[ending.reason])
}

/** Shows why a session has ended and the next step; the last output stays readable above it. */
export function EndNotice(props: { ending: Ending; byEnter?: boolean; onReconnect: () => void; onClose: () => void }) {
  const { ending } = props
  const ordinary = ending.reason === 'none'
  return (
    <div className="term-notice" role="status">
      {ordinary ? <CircleCheck size={16} /> : <CircleAlert size={16} className="is-wrong" />}
      <div className="grow">
        <b>{ending.text || endSentence(ending)}</b>
      </div>
      <Button size="small" type="primary" onClick={props.onReconnect}>
        {t('reconnect')}
        {props.byEnter && <kbd>Enter</kbd>}
      </Button>
      <Button size="small" onClick={props.onClose}>
        {t('close')}
      </Button>
    </div>
  )
}

/** Shown while an administrator has paused the session: input is discarded. */
export function PausedNotice({ by, watching = false }: { by: string; watching?: boolean }) {
  return (
    <div className="term-notice paused" role="alert">
      <CirclePause size={16} />
      <div className="grow">
        <b>{by ? t('pausedBy', { user: by }) : t('paused')}</b>
        {!watching && <span>{t('pausedHelp')}</span>}
      </div>
    </div>
  )
}
