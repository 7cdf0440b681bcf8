import { pathOf } from '@castellan/contract/routes'
import { useQuery } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { CircleCheck, CircleSlash, CircleX, Clock, MessageSquare } from 'lucide-react'
import { useState } from 'react'
import { collectionOf, ticketState, typeOf } from '../../domain/tickets/ticket.tsx'
import { call } from '../../kit/api/client.ts'
import { attempt } from '../../kit/api/errors.ts'
import { audience } from '../../kit/api/metadata.ts'
import { Time } from '../../kit/cells.tsx'
import type { DetailContext, DetailSpec } from '../../kit/detail/DetailPage.tsx'
import { type Row, rawOf, wordOf } from '../../kit/row.ts'
import { session } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { asRequested, NarrowDialog } from './NarrowDialog.tsx'
import { TicketSession } from './TicketSession.tsx'

interface Step {
  state: string
  assignees: string[]
  assignees_display: string[]
  processor_display: string
  approval_level: number
  approval_date: string
}

const stepsOf = (row: Row) => (row.process_map ?? []) as Step[]
const isOpen = (row: Row) => rawOf(row.status) === 'open'

/** Whether the user is asked to decide the current step. */
function isAsked(row: Row): boolean {
  const step = stepsOf(row).find(({ approval_level }) => approval_level === Number(rawOf(row.approval_step)))
  return isOpen(row) && step?.assignees.includes(session().profile.id) === true
}

/** Whether the user is an assignee of any step. */
const isAssignee = (row: Row) => stepsOf(row).some(({ assignees }) => assignees.includes(session().profile.id))

/** Types whose tickets belong to a session. */
const withSession = new Set(['login_asset_confirm', 'command_confirm'])

const isMine = (row: Row): boolean => {
  const { id, name, username } = session().profile
  const applicant = row.applicant as { id?: string } | string | null
  return typeof applicant === 'string' ? applicant === `${name}(${username})` : applicant?.id === id
}

/** Approves; a request for assets is granted as it was asked for. */
async function approve(row: Row): Promise<unknown> {
  const type = typeOf(row)
  const url = `${collectionOf(type)}${row.id}/`
  if (type !== 'apply_asset') return call(`${url}approve/`, { method: 'PUT' })
  const asked = await call<Row>(url)
  return call(`${url}approve/`, {
    method: 'PATCH',
    body: asRequested(asked),
  })
}

function Decisions({ row, fields, reload }: DetailContext) {
  const [busy, setBusy] = useState(false)
  const [isNarrowing, setNarrowing] = useState(false)
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true)
    await attempt(work)
    setBusy(false)
    reload()
  }
  const put = (decision: 'reject' | 'close') =>
    call(`${collectionOf(typeOf(row))}${row.id}/${decision}/`, { method: 'PUT' })
  return (
    <>
      {isAsked(row) && (
        <>
          <Button type="primary" disabled={busy} onClick={() => void run(() => approve(row))}>
            {t('ticketApprove')}
          </Button>
          {typeOf(row) === 'apply_asset' && row.apply_accounts !== undefined && (
            <Button disabled={busy} onClick={() => setNarrowing(true)}>
              {t('ticketNarrow')}
            </Button>
          )}
          <Button danger disabled={busy} onClick={() => void run(() => put('reject'))}>
            {t('ticketReject')}
          </Button>
        </>
      )}
      {isOpen(row) && isMine(row) && (
        <Button disabled={busy} onClick={() => void run(() => put('close'))}>
          {t('ticketClose')}
        </Button>
      )}
      {isNarrowing && <NarrowDialog row={row} fields={fields} onClose={() => setNarrowing(false)} onSaved={reload} />}
    </>
  )
}

const stepIcons = { pending: Clock, approved: CircleCheck, rejected: CircleX, closed: CircleSlash } as const

/** The levels of approval in order: who decided, or who is asked. */
function Steps({ row }: { row: Row }) {
  return (
    <>
      <div className="section-head">
        <h2>{t('ticketSteps')}</h2>
      </div>
      <ol data-field="process_map">
        {stepsOf(row).map((step) => {
          const Icon = stepIcons[step.state as keyof typeof stepIcons] ?? Clock
          const tone = step.state === 'rejected' ? 'is-danger' : step.state === 'approved' ? 'is-ok' : undefined
          return (
            <li className="event" key={step.approval_level}>
              <Icon size={14} className={tone} />
              <span>
                {t('ticketStepLevel', { level: step.approval_level })}{' '}
                {step.state === 'pending'
                  ? t('ticketStepWaits', { names: step.assignees_display.join(', ') })
                  : t('ticketStepDone', { name: step.processor_display })}
              </span>
              {step.state !== 'pending' && <Time value={step.approval_date} />}
            </li>
          )
        })}
      </ol>
    </>
  )
}

interface Comment {
  id: string
  body: string
  user_display: string
  date_created: string
}

function Comments({ row }: { row: Row }) {
  const url = `/api/v1/tickets/comments/?ticket_id=${row.id}`
  const [text, setText] = useState('')
  const { data, refetch } = useQuery({
    queryKey: ['ticket-comments', row.id, row.date_updated, ...audience()],
    queryFn: () => call<Comment[]>(url, { quiet: true }),
  })
  const send = () =>
    attempt(async () => {
      await call(url, { method: 'POST', body: { body: text, ticket: row.id } })
      setText('')
      await refetch()
    })
  return (
    <>
      <div className="section-head">
        <h2>{t('ticketHistory')}</h2>
      </div>
      <ol data-field="comments">
        {data?.map((comment) => (
          <li className="event" key={comment.id}>
            <MessageSquare size={14} />
            <span>
              <b>{comment.user_display}</b>
              <p className="pre-line">{comment.body}</p>
            </span>
            <Time value={comment.date_created} />
          </li>
        ))}
      </ol>
      <Input.TextArea
        rows={3}
        aria-label={t('ticketComment')}
        placeholder={t('ticketComment')}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="at-end">
        <Button disabled={text.trim() === ''} onClick={() => void send()}>
          {t('ticketReply')}
        </Button>
      </div>
    </>
  )
}

const spec = (type: string, facts: readonly string[]): DetailSpec<Row, string> => ({
  url: collectionOf(type),
  resource: 'tickets.ticket',
  noun: 'ticket',
  path: pathOf('MyTicketList'),
  title: (row) => wordOf(row.title),
  badge: ticketState,
  facts: [
    'serial_num',
    'type',
    { name: 'applicant', render: (row) => String((row.rel_snapshot as { applicant?: string }).applicant ?? '') },
    'org_name',
    'date_created',
    ...facts,
    'comment',
  ],
  sections: ({ row }) => (
    <>
      {withSession.has(typeOf(row)) && <TicketSession row={row} isAssignee={isAssignee(row)} />}
      <Steps row={row} />
      <Comments row={row} />
    </>
  ),
  headActions: (context) => <Decisions {...context} />,
  update: false,
  remove: false,
})

export const assetRequest = spec('apply_asset', [
  ...['apply_nodes', 'apply_assets', 'apply_accounts', 'apply_actions'],
  ...['apply_date_start', 'apply_date_expired', 'apply_permission_name'],
])
export const signIn = spec('login_confirm', ['apply_login_ip', 'apply_login_city', 'apply_login_datetime'])
export const assetSignIn = spec('login_asset_confirm', ['apply_login_asset', 'apply_login_account', 'apply_login_user'])
export const command = spec('command_confirm', [
  ...['apply_run_user', 'apply_run_asset', 'apply_run_account', 'apply_run_command'],
  ...['apply_from_session', 'apply_from_cmd_filter_acl'],
])
export const anyTicket = spec('general', [])
