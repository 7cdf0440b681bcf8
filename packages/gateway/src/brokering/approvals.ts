import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { log } from '../log.ts'
import type { ServerApi } from '../server-client/api.ts'
import { ServerRefusal } from '../server-client/http.ts'
import { plain, type ReviewTicket } from '../server-client/wire.ts'

/** How a wait ended. `name` is who decided, if anybody. */
export interface ApprovalOutcome {
  kind: 'approved' | 'rejected' | 'withdrawn' | 'closed'
  name: string
}

/** Interval of looking at a ticket while the server cannot announce decisions. Milliseconds. */
const pollEvery = 2000
/** The same while it can, in case an announcement is lost. */
const rarelyEvery = 60_000
/** Interval of extending a token that waits. Milliseconds. */
const renewEvery = 60_000
const idOf = (ticket: ReviewTicket) => /[\da-f-]{36}/i.exec(ticket.close_ticket_api.url)?.[0] ?? ''

/**
 * Waits for decisions about tickets. Each wait is on disk while it lasts: a gateway that starts again closes the tickets
 * of waits that its predecessor did not end.
 */
export class Approvals {
  private readonly api: ServerApi
  private readonly folder: string
  private readonly isAnnounced: () => boolean
  private readonly waiting = new Set<() => void>()
  /** Number of announcements, so that one during a look is not missed. */
  private announcements = 0

  /** @param isAnnounced whether the server can announce decisions now */
  constructor(api: ServerApi, stateDir: string, isAnnounced: () => boolean) {
    this.api = api
    this.isAnnounced = isAnnounced
    this.folder = join(stateDir, 'approvals')
  }

  /** Closes the tickets of an earlier run, for which nobody waits any more. */
  async open(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    for (const name of await readdir(this.folder)) {
      const file = join(this.folder, name)
      try {
        // A name with `.new` was being written: nobody was told yet that the wait has begun.
        if (name.endsWith('.json')) await this.withdraw(JSON.parse(await readFile(file, 'utf8')) as ReviewTicket)
        await rm(file, { force: true })
      } catch (error) {
        log.error({ err: error, name }, 'a ticket of an earlier run could not be closed')
      }
    }
  }

  /** A decision was made somewhere: every wait looks at its ticket now. */
  lookAgain(): void {
    this.announcements += 1
    for (const look of this.waiting) look()
  }

  /**
   * Waits until the ticket is decided or `cancelled` resolves, which withdraws it.
   * @param renew extends what waits for the approval
   */
  async decision(
    ticket: ReviewTicket,
    cancelled: Promise<unknown>,
    renew?: () => Promise<unknown>,
  ): Promise<ApprovalOutcome> {
    const file = join(this.folder, `${idOf(ticket)}.json`)
    await writeFile(`${file}.new`, JSON.stringify(ticket), { mode: 0o600 })
    await rename(`${file}.new`, file)
    let gaveUp = false
    // The decision may have been announced before this wait began: the first look is at once.
    let seen = -1
    let renewed = performance.now()
    const giveUp = cancelled.then(() => {
      gaveUp = true
    })
    try {
      for (;;) {
        if (seen === this.announcements) await this.nextLook(giveUp)
        seen = this.announcements
        if (gaveUp) {
          await this.withdraw(ticket)
          return { kind: 'withdrawn', name: '' }
        }
        const outcome = await this.outcomeOf(ticket)
        if (outcome) return gaveUp ? { kind: 'withdrawn', name: '' } : outcome
        if (renew && performance.now() - renewed > renewEvery) {
          renewed = performance.now()
          await renew().catch((error: Error) => log.warn({ detail: error.message }, 'a token was not extended'))
        }
      }
    } finally {
      await rm(file, { force: true })
    }
  }

  private async nextLook(giveUp: Promise<void>): Promise<void> {
    const { promise: announced, resolve: look } = Promise.withResolvers<void>()
    this.waiting.add(look)
    const timer = setTimeout(look, this.isAnnounced() ? rarelyEvery : pollEvery)
    await Promise.race([giveUp, announced])
    clearTimeout(timer)
    this.waiting.delete(look)
  }

  /** Undefined while the ticket is open, and while the server does not answer. */
  private async outcomeOf(ticket: ReviewTicket): Promise<ApprovalOutcome | undefined> {
    try {
      const { status, state, processor } = await this.api.ticketState(ticket.check_ticket_api)
      if (plain(status) !== 'closed') return undefined
      const kind = plain(state)
      return kind === 'approved' || kind === 'rejected' ? { kind, name: processor ?? '' } : { kind: 'closed', name: '' }
    } catch (error) {
      if (error instanceof ServerRefusal && error.status === 404) return { kind: 'closed', name: '' }
      log.warn({ detail: (error as Error).message }, 'a ticket could not be read')
      return undefined
    }
  }

  private async withdraw(ticket: ReviewTicket): Promise<void> {
    try {
      await this.api.closeTicket(ticket.close_ticket_api)
    } catch (error) {
      // Decided at the same moment, or deleted.
      if (!(error instanceof ServerRefusal) || error.status >= 500) throw error
    }
  }
}
