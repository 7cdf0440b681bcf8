import { randomUUID } from 'node:crypto'
import { SystemFailure } from '../../account-system.ts'
import type { CommandRunner } from '../powershell.ts'
import type { WinRmConnection } from './http.ts'

/** A remote command by WS-Management (MS-WSMV 3.1.4). */

const shellUri = 'http://schemas.microsoft.com/wbem/wsman/1/windows/shell'
const transfer = 'http://schemas.xmlsoap.org/ws/2004/09/transfer'
/** The fault of a wait for output that ended without any. */
const nothingYet = '2150858793'
/** Most waits for output, of 20 s each at most. */
const mostWaits = 200

const escaped = (text: string) => text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`)

interface Message {
  action: string
  body?: string
  shell?: string
  options?: Readonly<Record<string, string>>
}

function envelope({ action, body = '', shell, options = {} }: Message): string {
  const chosen = Object.entries(options).map(([name, value]) => `<w:Option Name="${name}">${value}</w:Option>`)
  return `<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:a="http://schemas.xmlsoap.org/ws/2004/08/addressing" xmlns:w="http://schemas.dmtf.org/wbem/wsman/1/wsman.xsd" xmlns:p="http://schemas.microsoft.com/wbem/wsman/1/wsman.xsd" xmlns:rsp="${shellUri}"><s:Header><a:To>http://localhost/wsman</a:To><a:ReplyTo><a:Address s:mustUnderstand="true">http://schemas.xmlsoap.org/ws/2004/08/addressing/role/anonymous</a:Address></a:ReplyTo><w:MaxEnvelopeSize s:mustUnderstand="true">153600</w:MaxEnvelopeSize><a:MessageID>uuid:${randomUUID()}</a:MessageID><w:Locale xml:lang="en-US" s:mustUnderstand="false"/><p:DataLocale xml:lang="en-US" s:mustUnderstand="false"/><w:OperationTimeout>PT20S</w:OperationTimeout><w:ResourceURI s:mustUnderstand="true">${shellUri}/cmd</w:ResourceURI><a:Action s:mustUnderstand="true">${action}</a:Action>${
    shell === undefined
      ? ''
      : `<w:SelectorSet><w:Selector Name="ShellId">${escaped(shell)}</w:Selector></w:SelectorSet>`
  }${chosen.length > 0 ? `<w:OptionSet>${chosen.join('')}</w:OptionSet>` : ''}</s:Header><s:Body>${body}</s:Body></s:Envelope>`
}

const unescaped = (text: string) =>
  text.replace(
    /&(?:lt|gt|amp|quot|apos);/g,
    (name) => ({ '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"' })[name] ?? "'",
  )

/** The text of the first element of this local name. Bounded, so that no answer can keep it searching. */
const textOf = (xml: string, name: string): string | undefined => {
  const [, text] = new RegExp(`<(?:\\w{1,20}:)?${name}(?:\\s[^<>]{0,1000})?>([^<]*)<`).exec(xml) ?? []
  return text === undefined ? undefined : unescaped(text)
}

const isFault = (xml: string) => /<(?:\w{1,20}:)?Fault[\s>]/.test(xml)

/** The login has been accepted, and may not use WinRM. */
export const deniesAccess = (xml: string): boolean =>
  isFault(xml) && (/:AccessDenied</.test(xml) || /Code="5"/.test(xml))

async function ask(connection: WinRmConnection, message: Message): Promise<string> {
  const { body } = await connection.post(envelope(message))
  if (!isFault(body)) return body
  const said = textOf(body, 'Text') ?? textOf(body, 'Message') ?? 'WinRM reports a fault'
  if (deniesAccess(body)) throw new SystemFailure('denied', said)
  throw new SystemFailure('bad_answer', said)
}

/** Whether the login works, also when it may not run anything. @throws SystemFailure */
export async function identify(connection: WinRmConnection): Promise<void> {
  const { status, body } = await connection.post(
    '<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:i="http://schemas.dmtf.org/wbem/wsman/identity/1/wsmanidentity.xsd"><s:Header/><s:Body><i:Identify/></s:Body></s:Envelope>',
  )
  if (deniesAccess(body) || /<(?:\w{1,20}:)?IdentifyResponse[\s>]/.test(body)) return
  throw new SystemFailure('bad_answer', `the target does not answer as WinRM does (HTTP ${status})`)
}

/** Runs commands over WinRM, each in a shell of its own. */
export const winRmRunner =
  (connection: WinRmConnection): CommandRunner =>
  async (program, words, input, most) => {
    const created = await ask(connection, {
      action: `${transfer}/Create`,
      options: { WINRS_NOPROFILE: 'TRUE', WINRS_CODEPAGE: '65001' },
      body: '<rsp:Shell><rsp:InputStreams>stdin</rsp:InputStreams><rsp:OutputStreams>stdout stderr</rsp:OutputStreams></rsp:Shell>',
    })
    const shell = /<w:Selector\s[^<>]{0,500}>([^<]+)</.exec(created)?.[1] ?? textOf(created, 'ShellId')
    if (!shell) throw new SystemFailure('bad_answer', 'WinRM opened no shell')
    try {
      const started = await ask(connection, {
        action: `${shellUri}/Command`,
        shell,
        options: { WINRS_CONSOLEMODE_STDIN: 'FALSE', WINRS_SKIP_CMD_SHELL: 'TRUE' },
        body: `<rsp:CommandLine><rsp:Command>${escaped(program)}</rsp:Command>${words
          .map((word) => `<rsp:Arguments>${escaped(word)}</rsp:Arguments>`)
          .join('')}</rsp:CommandLine>`,
      })
      const command = textOf(started, 'CommandId')
      if (!command) throw new SystemFailure('bad_answer', 'WinRM started no command')
      const id = escaped(command)
      const data = Buffer.from(input).toString('base64')
      await ask(connection, {
        action: `${shellUri}/Send`,
        shell,
        body: `<rsp:Send><rsp:Stream Name="stdin" CommandId="${id}" End="true">${data}</rsp:Stream></rsp:Send>`,
      })
      return await received(connection, shell, id, most)
    } finally {
      // It ends with the connection as well, only later.
      await connection.post(envelope({ action: `${transfer}/Delete`, shell })).catch(() => undefined)
    }
  }

async function received(connection: WinRmConnection, shell: string, id: string, most: number): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for (let wait = 0; wait < mostWaits; wait++) {
    const { body } = await connection.post(
      envelope({
        action: `${shellUri}/Receive`,
        shell,
        body: `<rsp:Receive><rsp:DesiredStream CommandId="${id}">stdout stderr</rsp:DesiredStream></rsp:Receive>`,
      }),
    )
    if (isFault(body)) {
      if (body.includes(nothingYet)) continue
      throw new Error(`WinRM ended the command (${textOf(body, 'Text') ?? 'without a reason'})`)
    }
    for (const [, tag = '', data = ''] of body.matchAll(/<(?:\w{1,20}:)?Stream\s([^<>]{0,500})>([^<]*)</g)) {
      if (!tag.includes('Name="stdout"')) continue
      const chunk = Buffer.from(data, 'base64')
      chunks.push(chunk)
      length += chunk.length
    }
    if (length > most) throw new SystemFailure('bad_answer', 'the answer is too long')
    if (/CommandState\/Done"/.test(body)) return Buffer.concat(chunks).toString('utf8')
  }
  throw new Error('the command did not end')
}
