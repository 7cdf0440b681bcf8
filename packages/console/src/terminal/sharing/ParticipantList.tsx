import type { ShareParticipant } from '@castellan/contract/web-terminal'
import { Button } from 'antd'
import { Eye, Keyboard } from 'lucide-react'
import { displayName } from '../session-facts.ts'
import { t } from '../text.ts'

/** Who is in a session, and who may type. */
export function ParticipantList(props: {
  participants: readonly ShareParticipant[]
  onRemove?: ((participant: ShareParticipant) => void) | undefined
}) {
  const { participants, onRemove } = props
  return (
    <ul className="participants" aria-label={t('participants')}>
      {participants.map((one) => (
        <li key={one.terminal_id}>
          {one.writable ? <Keyboard size={14} aria-hidden /> : <Eye size={14} aria-hidden />}
          <b className="clip">{displayName(one.user)}</b>
          <span className="muted clip">
            {one.primary ? t('shareOwner') : one.writable ? t('shareWritable') : t('shareReadonly')}
          </span>
          <span className="muted mono">{one.remote_addr}</span>
          {onRemove && !one.primary && (
            <Button size="small" danger onClick={() => onRemove(one)} aria-label={t('shareRemove', { user: one.user })}>
              {t('shareRemoveNow')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
