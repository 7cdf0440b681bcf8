import type { ShareParticipant, TerminalShareLink, TerminalShareWish } from '@castellan/contract/web-terminal'
import { Alert, Button, Input, Modal, Radio } from 'antd'
import { useEffect, useId, useState } from 'react'
import { copyText } from '../../kit/copy.ts'
import { Select } from '../../kit/Select.tsx'
import { useDebounced } from '../../kit/use-debounced.ts'
import { t } from '../text.ts'
import { ParticipantList } from './ParticipantList.tsx'
import type { Sharing } from './useSharing.ts'

const durations = [1, 5, 10, 20, 60]
const searchDelay = 250

export interface ShareDialogProps {
  open: boolean
  sharing: Sharing
  /** The permission includes sharing, and the setting allows it. */
  mayShare: boolean
  onShare: (wish: Omit<TerminalShareWish, 'session' | 'origin'>) => void
  onSearch: (text: string) => void
  onRemove: (participant: ShareParticipant) => void
  onClose: () => void
}

export const linkTo = ({ share_id: id }: TerminalShareLink) => `${location.origin}/koko/share/${id}/`

/** Who is in the session; invites others by a link and a code. */
export function ShareDialog({ open, sharing, mayShare, onShare, onSearch, onRemove, onClose }: ShareDialogProps) {
  return (
    <Modal open={open} title={t('shareSession')} footer={null} onCancel={onClose} width={520}>
      {mayShare &&
        (sharing.link ? <Made sharing={sharing} link={sharing.link} /> : <Wish {...{ sharing, onShare, onSearch }} />)}
      <div className="field">
        <b>{t('participants')}</b>
        <ParticipantList participants={sharing.participants} onRemove={onRemove} />
      </div>
    </Modal>
  )
}

function Wish({ sharing, onShare, onSearch }: Pick<ShareDialogProps, 'sharing' | 'onShare' | 'onSearch'>) {
  const [minutes, setMinutes] = useState(10)
  const [permission, setPermission] = useState<TerminalShareWish['action_permission']>('readonly')
  const [users, setUsers] = useState<string[]>([])
  const [text, setText] = useState('')
  const searched = useDebounced(text, searchDelay)
  const ids = { minutes: useId(), users: useId(), permission: useId() }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a search follows the text only; the function is a new one in each render
  useEffect(() => {
    if (searched) onSearch(searched)
  }, [searched])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onShare({ expired_time: minutes, action_permission: permission, users })
      }}
    >
      <div className="field">
        <b id={ids.minutes}>{t('shareDuration')}</b>
        <Select
          aria-labelledby={ids.minutes}
          value={minutes}
          onChange={setMinutes}
          options={durations.map((n) => ({ value: n, label: t('shareMinutes', { n }) }))}
        />
      </div>
      <div className="field">
        <b id={ids.permission}>{t('shareAccess')}</b>
        <Radio.Group
          aria-labelledby={ids.permission}
          value={permission}
          onChange={(event) => setPermission(event.target.value)}
          options={[
            { value: 'readonly', label: t('shareReadonly') },
            { value: 'writable', label: t('shareWritable') },
          ]}
        />
        {permission === 'writable' && <span className="muted">{t('shareWritableHelp')}</span>}
      </div>
      <div className="field">
        <b id={ids.users}>{t('shareUsers')}</b>
        <Select
          mode="multiple"
          aria-labelledby={ids.users}
          placeholder={t('shareEverybody')}
          value={users}
          onChange={setUsers}
          showSearch={{ filterOption: false, onSearch: setText }}
          options={sharing.candidates.map(({ id, name, username }) => ({ value: id, label: `${name}(${username})` }))}
        />
      </div>
      {sharing.problem && <Alert type="error" showIcon title={sharing.problem} className="share-problem" />}
      <Button type="primary" htmlType="submit">
        {t('shareCreate')}
      </Button>
    </form>
  )
}

function Made({ sharing, link }: { sharing: Sharing; link: TerminalShareLink }) {
  const address = useId()
  const code = useId()
  return (
    <>
      <div className="field">
        <b id={address}>{t('shareLink')}</b>
        <Input readOnly aria-labelledby={address} value={linkTo(link)} />
      </div>
      <div className="field">
        <b id={code}>{t('shareCode')}</b>
        <Input readOnly aria-labelledby={code} value={link.code} className="mono" />
      </div>
      <div className="share-made">
        <Button
          type="primary"
          autoFocus
          onClick={() => void copyText(`${linkTo(link)}\n${t('shareCode')}: ${link.code}`)}
        >
          {t('shareCopy')}
        </Button>
        <Button onClick={sharing.clear}>{t('shareAnother')}</Button>
      </div>
    </>
  )
}
