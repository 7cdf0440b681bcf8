import { randomUUIDv7 } from 'node:crypto'
import { CommandFilter, stricterOf, type Verdict } from '@castellan/contract/command-rules/command-filter'
import { type Language, say } from '@castellan/contract/messages'
import { gatewayMessages } from '@castellan/contract/messages/gateway'
import { log } from '../log.ts'
import type { ReadCommand } from '../rules/continued-line.ts'
import type { Decision } from '../rules/reader-events.ts'
import { ServerRefusal } from '../server-client/http.ts'
import type { CommandEntry, CommandFilterAcl } from '../server-client/wire.ts'
import type { Broker } from './broker.ts'
import type { Session } from './session.ts'
import { notRecorded } from './session-denied.ts'
import { displayOf, type User } from './user.ts'

/** Risk levels of the contract. */
export const risk = { accept: 0, warning: 4, reject: 5, reviewReject: 6, reviewAccept: 7, reviewCancel: 8 } as const

const inputLimit = 2048
/** Longest command that a ticket shows completely. Characters. */
const reviewedLimit = 4090

/** A command for the log; `begunAs` is its text at its beginning, when less was known of it. */
type LoggedCommand = { text: string; begunAs?: string | undefined; output: string; risk: number; timestamp: number }

/** The user interface of a command review. */
export interface ReviewAsker {
  /** Asks whether to request an approval; undefined when the user does not want to. */
  request(question: string): Promise<ReviewWait | undefined>
}

/** From the user's consent to `close`, the user's keys reach neither the target nor another command. */
export interface ReviewWait {
  cancelled: Promise<void>
  show(text: string): void
  close(): void
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
  /** The rules of the session's user, and of everybody else who can type: the strictest verdict counts. */
  private readonly filters = new Set<CommandFilter>()
  /** The last command sent to the target, and who typed it. */
  private begun: { id: string; text: string; timestamp: number; user: string } | undefined
  /** The user whose input is being read. */
  private typist: User

  constructor(broker: Broker, session: Session) {
    this.broker = broker
    this.session = session
    this.language = session.user.language
    this.typist = session.user
    this.filters.add(new CommandFilter(session.grant.command_filter_acls))
  }

  get isGuarded(): boolean {
    return [...this.filters].some((filter) => !filter.isEmpty)
  }

  /** Adds the rules of another user who can type; the result removes them. */
  obey(rules: readonly CommandFilterAcl[]): () => void {
    const filter = new CommandFilter(rules)
    this.filters.add(filter)
    return () => void this.filters.delete(filter)
  }

  /** The following commands are logged as typed by this user. */
  typedBy(user: User): void {
    this.typist = user
  }

  /** Decides; a command that needs an approval is held until then. */
  decide(command: ReadCommand, hooks: { warn(text: string): void; asker: ReviewAsker }): Decision | Promise<Decision> {
    const verdict = [...this.filters].map((filter) => filter.decide(command.readings, command)).reduce(stricterOf)
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
        return this.review(this.reviewText(command, text, verdict), verdict, hooks.asker)
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
    this.begun = { id: entry.id, text: command.text, timestamp: command.timestamp, user: entry.user }
    this.written(() => this.broker.commands.hold(this.session.id, entry))
    void this.session.hasCommand()
  }

  /** Logs a command; the server receives it within a second. */
  record(command: LoggedCommand): void {
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

  private entry(command: LoggedCommand): CommandEntry {
    const output = command.output.length > 1024 ? command.output.slice(0, 1024) : command.output
    const cut = output.lastIndexOf('\n')
    const { begun } = this
    const isBegun = begun?.text === (command.begunAs ?? command.text) && begun.timestamp === command.timestamp
    return {
      // After a crash a command may be logged both as begun and as finished: the same id makes it one.
      id: isBegun ? begun.id : randomUUIDv7(),
      // Who typed it, even if somebody else types while it runs.
      user: isBegun ? begun.user : displayOf(this.typist),
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

  /** What the reviewers see: everything that may be run, if the text is uncertain. */
  private reviewText(command: ReadCommand, text: string, { suspicion }: Verdict): string {
    const readings = [command.text, suspicion ?? '', command.shown ?? ''].filter((one) => one !== '')
    const [one, another] = new Set(readings)
    return one !== undefined && another !== undefined ? this.differing(one, another) : text
  }

  private async review(text: string, verdict: Verdict, asker: ReviewAsker): Promise<Decision> {
    const { language } = this.session.user
    const refuse = (level: number, notice: string): Decision => ({ run: false, risk: level, notice })
    const cancelled = () => refuse(risk.reviewCancel, say(gatewayMessages.reviewCancelled, language))
    // The ticket names the session's user as who asks, so a guest could decide on what they typed themselves.
    if (this.typist !== this.session.user) return refuse(risk.reject, say(gatewayMessages.reviewByOwner, language))
    // The reviewers decide on the whole text, and a ticket holds no more.
    if (text.length > reviewedLimit) return refuse(risk.reject, say(gatewayMessages.commandTooLong, language))
    const wait = await asker.request(say(gatewayMessages.reviewAsk, language, { command: short(text) }))
    if (!wait) return cancelled()
    try {
      const ticket = await this.broker.api.commandReview(this.session.id, verdict.rule?.id ?? '', text)
      const values = { reviewers: ticket.assignees.join(', '), url: ticket.ticket_detail_page_url }
      wait.show(say(gatewayMessages.reviewWaiting, language, values))
      const left = new Promise<void>((resolve) => this.session.onEnd(() => resolve()))
      const outcome = await this.broker.approvals.decision(ticket, Promise.race([wait.cancelled, left]))
      await this.session.unlocked()
      if (this.session.isEnded || outcome.kind === 'withdrawn') return cancelled()
      if (outcome.kind === 'closed') return refuse(risk.reviewCancel, say(gatewayMessages.reviewClosed, language))
      const { name } = outcome
      if (outcome.kind === 'rejected') {
        this.alert(text, risk.reviewReject, verdict)
        return refuse(risk.reviewReject, say(gatewayMessages.reviewRejected, language, { name }))
      }
      wait.show(say(gatewayMessages.reviewApproved, language, { name }))
      return { run: true, risk: risk.reviewAccept, isReviewed: true }
    } catch (error) {
      log.error({ err: error, session: this.session.id }, 'a command review failed')
      const refusal = error instanceof ServerRefusal && error.status < 500 ? error.detail : ''
      const notice = say(gatewayMessages.reviewFailed, language)
      return refuse(risk.reviewCancel, refusal === '' ? notice : `${notice} ${refusal}`)
    } finally {
      wait.close()
    }
  }

  private alert(text: string, level: number, verdict: Verdict): void {
    const entry = {
      user: displayOf(this.typist),
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
