/** Link to the tickets that wait for the user, with their number. */
import { pathOf } from '@castellan/contract/routes'
import { useQuery } from '@tanstack/react-query'
import { Badge, Button } from 'antd'
import { Ticket } from 'lucide-react'
import { call } from '../../kit/api/client.ts'
import { can, licensed, session } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'

/** Milliseconds between two looks. */
const pollMs = 60_000

export function TicketCounter() {
  const { settings } = session()
  return can('tickets.view_ticket') && settings.TICKETS_ENABLED === true && licensed(settings) ? <Counter /> : null
}

function Counter() {
  const { id } = session().profile
  const { data } = useQuery({
    queryKey: ['assigned-tickets', id],
    queryFn: () =>
      call<{ count: number }>('/api/v1/tickets/tickets/', {
        query: { assignees__id: id, status: 'open', offset: 0, limit: 15, display: 1, draw: 1 },
        quiet: true,
      }),
    refetchInterval: pollMs,
  })
  const count = data?.count ?? 0
  const label = count > 0 ? t('assignedTicketsOpen', { count }) : t('assignedTickets')
  return (
    <Badge count={count} overflowCount={99} size="small" offset={[-8, 8]}>
      <Button
        type="text"
        icon={<Ticket size={16} />}
        aria-label={label}
        title={label}
        href={`#${pathOf('AssignedTicketList')}`}
      />
    </Badge>
  )
}
