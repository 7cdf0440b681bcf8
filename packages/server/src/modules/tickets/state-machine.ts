/** The rules by which a ticket moves: pure, so that every sequence of decisions can be tried. */

export type Decision = 'approve' | 'reject' | 'close'
export type TicketState = 'pending' | 'approved' | 'rejected' | 'closed'

/** What decides about the next transition. `step` counts from 1 to `levels`. */
export interface Position {
  readonly status: 'open' | 'closed'
  readonly state: TicketState
  readonly step: number
  readonly levels: number
}

export interface Transition {
  readonly to: Position
  /** The state in which the current step ends. */
  readonly step: Exclude<TicketState, 'pending'>
  /** The step that begins; undefined when the ticket ends. */
  readonly next?: number
  /** The ticket was granted: its effect happens now, once. */
  readonly granted: boolean
}

const ends = { approve: 'approved', reject: 'rejected', close: 'closed' } as const

/** The first position of a ticket. */
export const opened = (levels: number): Position => ({ status: 'open', state: 'pending', step: 1, levels })

/** The transition of a decision about the current step; undefined for a ticket that has ended. */
export function transition(at: Position, decision: Decision): Transition | undefined {
  if (at.status !== 'open') return undefined
  const state = ends[decision]
  if (decision === 'approve' && at.step < at.levels)
    return { to: { ...at, step: at.step + 1 }, step: state, next: at.step + 1, granted: false }
  return { to: { ...at, status: 'closed', state }, step: state, granted: decision === 'approve' }
}
