import { randomUUIDv7 } from 'node:crypto'
import { type Language, say } from '@castellan/contract/messages'
import { gatewayMessages } from '@castellan/contract/messages/gateway'
import { log } from '../log.ts'
import { CommandFilter, type Verdict } from '../rules/command-filter.ts'
import type { ReadCommand } from '../rules/continued-line.ts'
import type { Decision } from '../rules/reader-events.ts'
import { type CommandEntry, plain, type ReviewTicket } from '../server-client/wire.ts'
import type { Broker } from './broker.ts'
import type { Session } from './session.ts'
import { notRecorded } from './session-denied.ts'

/** Risk levels of the contract. */
export const risk = { accept: 0, warning: 4, reject: 5, reviewReject: 6, reviewAccept: 7, reviewCancel: 8 } as const

const reviewPoll = 2000
const inputLimit = 2048

/** The user interface of a command review: a question, and a cancelable wait. */
export interface ReviewAsker {
  ask(text: string): Promise<boolean>
  wait(text: (seconds: number) => string): { cancelled: Promise<void>; close(): void }
}

/** Shortens a command for a message. */
const short = (text: string) => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 100 ? `${line.slice(0, 97)}…` : line
}

/** Decides on the commands of one session, runs their reviews, sends alerts and logs them. */
export class CommandControl {
  private readonly broker: Broker
  private readonly session: Session
  private readonly language: Language
  private readonly filter: CommandFilter
  /** The last command sent to the target. */
  private begun: { id: string; text: string; timestamp: number } | undefined

  constructor(broker: Broker, session: Session) {
    this.broker = broker
    this.session = session
    this.language = session.user.language
    this.filter = new CommandFilter(session.grant.command_filter_acls)
  }

  get isGuarded(): boolean {
    return !this.filter.isEmpty
  }

  /** Decides; with an asker a review is run, without one it is rejected. */
  decide(
    command: ReadCommand,
    hooks: { warn(text: string): void; asker?: ReviewAsker | undefined },
  ): Decision | Promise<Decision> {
    const verdict = this.filter.decide(command.readings, command)
    if (verdict.isTooLong) {
      return { run: false, risk: risk.reject, notice: say(gatewayMessages.commandTooLong, this.language) }
    }
    if (!verdict.rule) return { run: true, risk: risk.accept }
    const text = (command.text && verdict.suspicion) || command.text || (verdict.matched ?? '')
    switch (verdict.action) {
      case 'accept':
        return { run: true, risk: risk.accept }
      case 'warning':
        this.alert(text, risk.warning, verdict)
        hooks.warn(say(gatewayMessages.commandWarned, this.language, { command: short(text), rule: verdict.rule.name }))
        return { run: true, risk: risk.warning }
      case 'reject':
        this.alert(text, risk.reject, verdict)
        return {
          run: false,
          risk: risk.reject,
          notice: say(gatewayMessages.commandRefused, this.language, { command: short(text) }),
          matched: verdict.matched ?? '',
          suspicion: verdict.suspicion,
        }
      case 'review':
        return this.review(text, verdict, hooks.asker)
    }
  }

  /** Log text of a line whose keys and screen differ: both versions, marked as different. */
  differing(typed: string, shown: string): string {
    if (shown === '') return say(gatewayMessages.commandNotShown, this.language, { typed })
    return say(gatewayMessages.commandDiffers, this.language, { typed, shown })
  }

  /** Logs a command when it is sent to the target, so that a crash before its output arrives does not lose it. */
  begin(command: { text: string; risk: number; timestamp: number }): void {
    const entry = this.entry({ ...command, output: '' })
    this.begun = { id: entry.id, text: command.text, timestamp: command.timestamp }
    this.written(() => this.broker.commands.hold(this.session.id, entry))
    void this.session.hasCommand()
  }

  /** Logs a command; the server receives it within a second. */
  record(command: { text: string; output: string; risk: number; timestamp: number }): void {
    const entry = this.entry(command)
    this.written(() => {
      this.broker.commands.add(entry)
      this.broker.commands.release(this.session.id)
    })
    void this.session.hasCommand()
  }

  /** A session whose commands cannot be logged ends. */
  private written(write: () => void): void {
    try {
      write()
    } catch (error) {
      log.error({ err: error, session: this.session.id }, 'a command could not be logged')
      void this.session.end(notRecorded(error))
    }
  }

  private entry(command: { text: string; output: string; risk: number; timestamp: number }): CommandEntry {
    const output = command.output.length > 1024 ? command.output.slice(0, 1024) : command.output
    const cut = output.lastIndexOf('\n')
    const { begun } = this
    const isBegun = begun?.text === command.text && begun.timestamp === command.timestamp
    return {
      // After a crash a command may be logged both as begun and as finished: the same id makes it one.
      id: isBegun ? begun.id : randomUUIDv7(),
      user: this.session.userDisplay,
      asset: this.session.assetDisplay,
      account: this.session.accountDisplay,
      input: command.text.slice(0, inputLimit),
      output: output.length < command.output.length && cut > 0 ? output.slice(0, cut) : output,
      session: this.session.id,
      risk_level: command.risk,
      org_id: this.session.grant.org_id,
      // By the session's clock, like the recording, so that the command can be found in it by time.
      timestamp: Math.floor((command.timestamp - Date.now() + this.session.now) / 1000),
    }
  }

  private async review(text: string, verdict: Verdict, asker: ReviewAsker | undefined): Promise<Decision> {
    const refuse = (level: number, notice: string): Decision => ({ run: false, risk: level, notice })
    if (!asker) return refuse(risk.reviewCancel, say(gatewayMessages.commandNeedsShell, this.language))
    const cancelled = () => refuse(risk.reviewCancel, say(gatewayMessages.reviewCancelled, this.language))
    if (!(await asker.ask(say(gatewayMessages.reviewAsk, this.language, { command: short(text) })))) return cancelled()
    let ticket: ReviewTicket
    try {
      ticket = await this.broker.api.commandReview(this.session.id, verdict.rule?.id ?? '', text)
    } catch (error) {
      log.error({ err: error, session: this.session.id }, 'a command review could not be opened')
      return refuse(risk.reviewCancel, say(gatewayMessages.reviewFailed, this.language))
    }
    const reviewers = ticket.assignees.join(', ')
    const wait = asker.wait((seconds) =>
      say(gatewayMessages.reviewWaiting, this.language, { reviewers, url: ticket.ticket_detail_page_url, seconds }),
    )
    let gaveUp = false
    const giveUp = wait.cancelled.then(() => {
      gaveUp = true
    })
    try {
      while (!this.session.isEnded) {
        await Promise.race([giveUp, new Promise((resolve) => setTimeout(resolve, reviewPoll))])
        if (gaveUp) {
          await this.broker.api.closeTicket(ticket.close_ticket_api).catch(() => undefined)
          return cancelled()
        }
        const state = await this.broker.api.ticketState(ticket.check_ticket_api).catch(() => undefined)
        if (!state || plain(state.status) !== 'closed') continue
        const name = state.processor ?? ''
        if (plain(state.state) === 'approved') return { run: true, risk: risk.reviewAccept }
        this.alert(text, risk.reviewReject, verdict)
        return refuse(risk.reviewReject, say(gatewayMessages.reviewRejected, this.language, { name }))
      }
      return cancelled()
    } finally {
      wait.close()
    }
  }

  private alert(text: string, level: number, verdict: Verdict): void {
    const entry = {
      user: this.session.userDisplay,
      asset: this.session.assetDisplay,
      input: text.slice(0, inputLimit),
      session: this.session.id,
      risk_level: level,
      org_id: this.session.grant.org_id,
      cmd_filter_acl: verdict.rule?.id,
      cmd_group: verdict.group?.id,
    }
    const path = '/api/v1/terminal/commands/insecure-command/'
    void this.broker.outbox.send(`alert-${this.session.id}`, { method: 'POST', path, body: [entry] })
  }
}
