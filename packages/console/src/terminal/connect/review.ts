import type { CallOptions } from '../../kit/api/client.ts'
import { call } from '../../kit/api/client.ts'
import type { TicketApi, TicketInfo } from '../wire.ts'

const pollEvery = 3000

type Word = string | { value: string } | undefined
const word = (value: Word) => (typeof value === 'object' ? value.value : value)

/** Waits for the reviewers' decision. @returns the final state of the ticket; `left` if the signal was aborted first */
export async function waitForReview(
  info: TicketInfo,
  signal: AbortSignal,
): Promise<'approved' | 'rejected' | 'closed' | 'left'> {
  while (!signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, pollEvery))
    if (signal.aborted || !info.check_ticket_api) break
    const ticket = await ask<{ status?: Word; state?: Word }>(info.check_ticket_api, signal).catch(() => undefined)
    if (word(ticket?.status) !== 'closed') continue
    const state = word(ticket?.state)
    return state === 'approved' || state === 'rejected' ? state : 'closed'
  }
  return 'left'
}

/** Withdraws the request. */
export async function withdrawReview(info: TicketInfo): Promise<void> {
  if (info.close_ticket_api) await ask(info.close_ticket_api).catch(() => undefined)
}

function ask<T>(api: TicketApi, signal?: AbortSignal): Promise<T> {
  return call<T>(api.url, { method: api.method.toUpperCase() as CallOptions['method'], quiet: true, signal })
}
