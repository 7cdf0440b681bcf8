import type { CallOptions } from '../../kit/api/client.ts'
import { call } from '../../kit/api/client.ts'
import { openSocket } from '../../kit/api/socket.ts'
import type { TicketApi, TicketInfo } from '../wire.ts'

/** Interval of looking at the ticket while no message of the server arrives. Milliseconds. */
const pollEvery = 3000

type Word = string | { value: string } | undefined
const word = (value: Word) => (typeof value === 'object' ? value.value : value)

interface Ticket {
  status?: Word
  state?: Word
  process_map?: { processor_display?: string }[]
}

export interface Decision {
  /** The final state of the ticket; `left` if the wait was given up first. */
  state: 'approved' | 'rejected' | 'closed' | 'left'
  /** Who decided. */
  name: string
}

/**
 * Waits for the reviewers' decision. The applicant gets a site message with it, which arrives here at once. A wait that
 * is given up, also by closing the page, withdraws the request.
 */
export async function waitForReview(info: TicketInfo, signal: AbortSignal): Promise<Decision> {
  let look = () => {}
  const closeSocket = openSocket('/ws/notifications/site-msg/', () => look())
  const leave = () => void withdraw(info)
  addEventListener('pagehide', leave)
  signal.addEventListener('abort', () => look(), { once: true })
  try {
    while (!signal.aborted && info.check_ticket_api) {
      const { promise: told, resolve } = Promise.withResolvers<void>()
      look = resolve
      const ticket = await ask<Ticket>(info.check_ticket_api, signal).catch(() => undefined)
      if (word(ticket?.status) === 'closed') {
        const state = word(ticket?.state)
        const name =
          ticket?.process_map?.findLast(({ processor_display }) => processor_display)?.processor_display ?? ''
        return { state: state === 'approved' || state === 'rejected' ? state : 'closed', name }
      }
      const timer = setTimeout(resolve, pollEvery)
      if (!signal.aborted) await told
      clearTimeout(timer)
    }
    await withdraw(info)
    return { state: 'left', name: '' }
  } finally {
    removeEventListener('pagehide', leave)
    closeSocket()
  }
}

async function withdraw(info: TicketInfo): Promise<void> {
  if (info.close_ticket_api) await ask(info.close_ticket_api).catch(() => undefined)
}

function ask<T>(api: TicketApi, signal?: AbortSignal): Promise<T> {
  const keepalive = api.method.toUpperCase() !== 'GET'
  return call<T>(api.url, { method: api.method.toUpperCase() as CallOptions['method'], quiet: true, signal, keepalive })
}
