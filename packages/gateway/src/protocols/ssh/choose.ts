import { type Language, say } from '@castellan/contract/messages'
import { gatewayMessages } from '@castellan/contract/messages/gateway'
import type ssh2 from 'ssh2'
import { shellProtocols } from '../../brokering/asset-choice.ts'
import type { Broker } from '../../brokering/broker.ts'
import type { GrantedAssetDetail, PermedAccount } from '../../brokering/catalog.ts'
import { showElapsed } from '../../brokering/elapsed.ts'
import { type ReviewDialog, requestGrant } from '../../brokering/grants.ts'
import { SessionDenied } from '../../brokering/session-denied.ts'
import { runTerminal, type TerminalEnd } from '../../brokering/terminal.ts'
import type { User } from '../../brokering/user.ts'
import type { TerminalFace } from './terminal-face.ts'

/**
 * From an asset to a running terminal: asks for protocol and account where several remain, then for missing
 * credentials. Undefined when the user went back; throws `SessionDenied` when it is not possible.
 */
export async function chooseAndRun(
  broker: Broker,
  user: User,
  face: TerminalFace,
  detail: GrantedAssetDetail,
  options: { accounts: PermedAccount[]; protocol?: string; command?: string },
): Promise<TerminalEnd | undefined> {
  const { language } = user
  const protocols = shellProtocols(detail).filter((name) => options.protocol === undefined || name === options.protocol)
  if (protocols.length === 0) {
    throw new SessionDenied('permission_denied', gatewayMessages.noProtocol, {
      name: options.protocol ?? 'ssh',
      asset: detail.name,
    })
  }
  const account = await chooseAccount(face, options.accounts, detail, language)
  if (!account) return undefined
  const typed = await askMissing(face, account, language)
  if (!typed) return undefined
  const grant = await requestGrant(
    broker,
    user,
    {
      asset: detail.id,
      account: account.alias,
      protocol: protocols[0] as string,
      connectMethod: 'ssh_client',
      ...typed,
    },
    reviewDialog(face, language),
  )
  return runTerminal(broker, user, grant, face.asTerminal(options.command))
}

async function chooseAccount(
  face: TerminalFace,
  accounts: PermedAccount[],
  detail: GrantedAssetDetail,
  language: Language,
): Promise<PermedAccount | undefined> {
  if (accounts.length === 0) {
    throw new SessionDenied('permission_denied', gatewayMessages.noAccounts, { asset: detail.name })
  }
  if (accounts.length === 1) return accounts[0]
  face.line(say(gatewayMessages.chooseAccount, language))
  const rows = accounts.map((account, at) => [String(at + 1), account.name, account.username])
  const titles = [gatewayMessages.columnId, gatewayMessages.columnName, gatewayMessages.columnUsername]
  return face.pick(
    accounts,
    rows,
    titles.map((title) => say(title, language)),
    'ID> ',
    language,
  )
}

/** Asks for username and password that the account lacks; undefined when the user cancels. */
async function askMissing(
  face: TerminalFace,
  account: PermedAccount,
  language: Language,
): Promise<{ inputUsername?: string; inputSecret?: string } | undefined> {
  const typed: { inputUsername?: string; inputSecret?: string } = {}
  if (account.alias === '@INPUT' || account.username === '') {
    const name = await face.read(say(gatewayMessages.askUsername, language))
    if (name.kind !== 'line' || name.text.trim() === '') return undefined
    typed.inputUsername = name.text.trim()
  }
  if (!account.has_secret) {
    const secret = await face.read(say(gatewayMessages.askPassword, language), { secret: true })
    if (secret.kind !== 'line' || secret.text === '') return undefined
    typed.inputSecret = secret.text
  }
  return typed
}

/** The review of a login rule, requested and awaited in the terminal. */
function reviewDialog(face: TerminalFace, language: Language): ReviewDialog {
  return {
    async confirm() {
      face.line(say(gatewayMessages.loginNeedsReview, language))
      for (let tries = 0; tries < 3; tries += 1) {
        const answer = await face.read(say(gatewayMessages.askReview, language))
        if (answer.kind !== 'line') return false
        if (/^y(?:es)?$/i.test(answer.text.trim())) return true
        if (/^n(?:o)?$/i.test(answer.text.trim())) return false
      }
      return false
    },
    waiting(ticket) {
      face.line(
        say(gatewayMessages.reviewWaiting, language, {
          reviewers: ticket.assignees.join(', '),
          url: ticket.ticket_detail_page_url,
        }),
      )
      const stop = showElapsed(language, (text) => face.write(text))
      let open = true
      const cancelled = (async () => {
        // Whatever is typed meanwhile is discarded.
        while (open && (await face.read('', { secret: true })).kind === 'line');
        if (!open) await new Promise(() => undefined)
      })()
      return {
        cancelled,
        close() {
          open = false
          stop()
          face.abort()
        },
      }
    },
    approved: (name) => face.line(say(gatewayMessages.reviewApproved, language, { name })),
  }
}

/** The same for a channel without a terminal: the approval is requested at once, and the end of the channel cancels. */
export function silentDialog(channel: ssh2.ServerChannel, language: Language): ReviewDialog {
  const show = (text: string) => void channel.stderr.write(`${text}\r\n`)
  return {
    confirm: async () => true,
    waiting(ticket) {
      show(
        say(gatewayMessages.reviewWaiting, language, {
          reviewers: ticket.assignees.join(', '),
          url: ticket.ticket_detail_page_url,
        }),
      )
      return { cancelled: new Promise((resolve) => channel.once('close', resolve)), close: () => undefined }
    },
    approved: (name) => show(say(gatewayMessages.reviewApproved, language, { name })),
  }
}
