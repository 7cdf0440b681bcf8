import { type TerminalFrame, webTerminalPath, webTerminalProtocol } from '@castellan/contract/web-terminal'
import WebSocket from 'ws'
import type { Client } from './client.ts'

/** Signs in with the form of the page, as a browser does. Returns its cookies. */
export async function signInForCookies(url: string, username: string, password: string): Promise<string> {
  const jar = new Map<string, string>()
  const visit = async (path: string, more: RequestInit = {}) => {
    const cookie = [...jar].map(([key, value]) => `${key}=${value}`).join('; ')
    const page = new URL(path, url).href
    const headers = { cookie, origin: url, referer: page }
    const answer = await fetch(page, { headers, redirect: 'manual', ...more })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    return answer
  }
  const form = await (await visit('/core/auth/login/')).text()
  const csrfmiddlewaretoken =
    /name="csrfmiddlewaretoken"[^>]*value="([^"]+)"/.exec(form)?.[1] ?? jar.get('jms_csrftoken') ?? ''
  await visit('/core/auth/login/', {
    method: 'POST',
    body: new URLSearchParams({ username, password, csrfmiddlewaretoken }),
  })
  await visit('/core/auth/login/guard/')
  return [...jar].map(([key, value]) => `${key}=${value}`).join('; ')
}

/** Choices before a web terminal opens. */
export interface TerminalChoice {
  asset: string
  account: string
  [field: string]: unknown
}

/** The query of a web terminal's socket: a new connection token of this user. */
export async function terminalQuery(person: Client, choice: TerminalChoice): Promise<string> {
  const token = await person
    .collection('authentication/connection-token')
    .create({ protocol: 'ssh', connect_method: 'web_cli', ...choice })
  return `token=${token.id}`
}

/** A web terminal without a browser: received output, and a function to type. */
export interface WebTerminal {
  socket: WebSocket
  /** All output so far. */
  text: string
  frames: TerminalFrame[]
  closed: boolean
  type(keys: string): void
  /** The gateway's message at the end of the session; undefined until then. */
  error(): string | undefined
}

/** Opens a web terminal on the product at `url`. `init` contains the terminal settings of the browser. */
export function openWebTerminal(url: string, query: string, cookie: string, init: object = {}): WebTerminal {
  const address = `${url.replace('http', 'ws')}${webTerminalPath}?${query}`
  const socket = new WebSocket(address, webTerminalProtocol, {
    headers: { origin: url, cookie, 'accept-language': 'en' },
  })
  const terminal: WebTerminal = {
    socket,
    text: '',
    frames: [],
    closed: false,
    type: (keys) => socket.send(Buffer.from(keys)),
    error: () => terminal.frames.find((frame) => frame.type === 'TERMINAL_ERROR')?.err,
  }
  socket.on('error', () => undefined)
  socket.on('close', () => {
    terminal.closed = true
  })
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) {
      terminal.text += data.toString()
      return
    }
    const frame = JSON.parse(data.toString()) as TerminalFrame
    terminal.frames.push(frame)
    if (frame.type !== 'CONNECT') return
    const answer = {
      id: frame.id,
      type: 'TERMINAL_INIT',
      data: JSON.stringify({ cols: 100, rows: 30, ...init }),
      err: '',
    }
    socket.send(JSON.stringify(answer))
  })
  return terminal
}
