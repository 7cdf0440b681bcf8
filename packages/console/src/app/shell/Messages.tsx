/** Site messages: live count, a drawer with unread messages, a dialog for each. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Badge, Button, Drawer, Modal, Skeleton } from 'antd'
import { Bell, CheckCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { dialogClose } from '../../ant-design/classes.ts'
import { useMobile } from '../../browser/media.ts'
import { call } from '../../kit/api/client.ts'
import { attempt } from '../../kit/api/errors.ts'
import { openSocket } from '../../kit/api/socket.ts'
import { confirm } from '../../kit/confirm.ts'
import { lazyComponent } from '../../kit/lazy-component.tsx'
import { Failed } from '../../kit/list/states.tsx'
import { exactTime, relativeTime, timestampOf } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'

const SafeHtml = lazyComponent(() => import('./SafeHtml.tsx'))
const base = '/api/v1/notifications/site-messages/'
const week = 7 * 86_400_000

interface Message {
  id: string
  has_read: boolean
  date_created: string
  content: { subject: string; message: string }
}

/** The count pushed by the server; sent again after a reconnect. */
function useUnread(): [number, (count: number) => void] {
  const [count, setCount] = useState(0)
  useEffect(
    () =>
      openSocket(
        '/ws/notifications/site-msg/',
        (message) => {
          const { unread_count } = message as { unread_count?: number }
          if (typeof unread_count === 'number') setCount(unread_count)
        },
        undefined,
        (how) => toast.error(t(how === 'lost' ? 'socketLost' : 'socketRefused')),
      ),
    [],
  )
  return [count, setCount]
}

export function MessageBell() {
  const [count, setCount] = useUnread()
  const [open, setOpen] = useState(false)
  const label = count > 0 ? t('messagesUnread', { count }) : t('messages')
  return (
    <>
      <Badge count={count} overflowCount={99} size="small" offset={[-8, 8]}>
        <Button type="text" icon={<Bell size={16} />} aria-label={label} title={label} onClick={() => setOpen(!open)} />
      </Badge>
      {open && <MessageDrawer onClose={() => setOpen(false)} onCount={setCount} />}
    </>
  )
}

function when(value: string): string {
  const timestamp = timestampOf(value)
  if (!timestamp) return value
  return Date.now() - timestamp.getTime() > week ? exactTime(timestamp) : relativeTime(timestamp)
}

function MessageDrawer({ onClose, onCount }: { onClose: () => void; onCount: (count: number) => void }) {
  const mobile = useMobile()
  const client = useQueryClient()
  const [shown, setShown] = useState<Message>()
  const list = useQuery({
    queryKey: ['site-messages'],
    queryFn: () =>
      call<{ count: number; results: Message[] }>(base, {
        query: { offset: 0, limit: 15, has_read: false },
        quiet: true,
      }),
    staleTime: 0,
  })
  useEffect(() => {
    if (list.data) onCount(list.data.count)
  }, [list.data, onCount])
  const read = async (path: string, body: unknown) => {
    await attempt(() => call(`${base}${path}`, { method: 'PATCH', body }))
    setShown(undefined)
    await client.invalidateQueries({ queryKey: ['site-messages'] })
  }
  const markOne = (message: Message) => read('mark-as-read/', { ids: [message.id] })
  const markAll = () =>
    confirm({
      title: t('messagesReadAll'),
      text: t('messagesReadAllText'),
      verb: t('messagesReadAll'),
      run: () => read('mark-as-read-all/', {}),
    })
  return (
    <Drawer
      open
      mask={false}
      size={mobile ? '70%' : 380}
      title={t('messages')}
      onClose={onClose}
      extra={
        (list.data?.count ?? 0) > 0 && (
          <Button
            type="text"
            size={mobile ? 'middle' : 'small'}
            icon={<CheckCheck size={14} />}
            aria-label={t('messagesReadAll')}
            title={t('messagesReadAll')}
            onClick={markAll}
          >
            {!mobile && t('messagesReadAll')}
          </Button>
        )
      }
    >
      {list.isPending && <Skeleton active title={false} />}
      {list.error && <Failed error={list.error} retry={() => void list.refetch()} />}
      {list.data?.results.length === 0 && <p className="muted">{t('messagesNone')}</p>}
      {list.data?.results.map((message) => (
        <div className="message" key={message.id}>
          <button type="button" onClick={() => setShown(message)}>
            <b>{message.content.subject}</b>
            <time>{when(message.date_created)}</time>
          </button>
          <Button type="link" size="small" onClick={() => void markOne(message)}>
            {t('messagesRead')}
          </Button>
        </div>
      ))}
      {shown && (
        <Modal
          open
          mask={{ closable: false }}
          title={shown.content.subject}
          okText={t('messagesRead')}
          cancelText={t('cancel')}
          onOk={() => void markOne(shown)}
          onCancel={(event) => {
            // The close icon marks the message as read; the button and Esc only close.
            const from = event.currentTarget
            if (from instanceof Element && from.matches(dialogClose)) void markOne(shown)
            else setShown(undefined)
          }}
        >
          <p className="muted small">{when(shown.date_created)}</p>
          <SafeHtml html={shown.content.message} />
        </Modal>
      )}
    </Drawer>
  )
}
