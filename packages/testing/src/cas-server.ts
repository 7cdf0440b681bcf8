import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A CAS server of protocol versions 1 to 3, whose users need no password. */
export interface CasServer {
  url: string
  /** Who signs in next, and the attributes of version 3. */
  user: { name: string; attributes?: Readonly<Record<string, string>> }
  /** Replaces the answer about a ticket. */
  answer: string | undefined
  /** Signs everybody out: posts a request for each ticket that was accepted to its service, as CAS does. */
  signOut(): Promise<number[]>
  stop(): Promise<void>
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** The request of a CAS server that ends the sign-in of a ticket. */
export const endTicket = (service: string, ticket: string): Promise<Response> =>
  fetch(service, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({
      logoutRequest: `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="LR-1-${randomBytes(8).toString('hex')}" Version="2.0" IssueInstant="${new Date().toISOString()}"><saml:NameID>@NOT_USED@</saml:NameID><samlp:SessionIndex>${escaped(ticket)}</samlp:SessionIndex></samlp:LogoutRequest>`,
    }),
  })

export async function startCasServer(): Promise<CasServer> {
  /** Services by their tickets; a ticket is valid once. */
  const tickets = new Map<string, { service: string; user: CasServer['user'] }>()
  const accepted: { ticket: string; service: string }[] = []
  const state: Pick<CasServer, 'user' | 'answer'> = { user: { name: 'nobody' }, answer: undefined }
  const http = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://cas')
    const service = url.searchParams.get('service') ?? ''
    if (url.pathname === '/cas/login') {
      const ticket = `ST-${randomBytes(12).toString('hex')}`
      tickets.set(ticket, { service, user: state.user })
      const back = new URL(service)
      back.searchParams.set('ticket', ticket)
      response.writeHead(302, { location: back.href }).end()
      return
    }
    const ticket = url.searchParams.get('ticket') ?? ''
    const known = tickets.get(ticket)
    tickets.delete(ticket)
    const user = known?.service === service ? known.user : undefined
    if (user) accepted.push({ ticket, service })
    if (state.answer !== undefined) response.end(state.answer)
    else if (url.pathname === '/cas/validate') response.end(user ? `yes\n${user.name}\n` : 'no\n\n')
    else {
      const attributes = Object.entries(url.pathname.includes('/p3/') ? (user?.attributes ?? {}) : {})
      const inner = attributes.map(([name, value]) => `<cas:${name}>${escaped(value)}</cas:${name}>`).join('')
      const body = user
        ? `<cas:authenticationSuccess><cas:user>${escaped(user.name)}</cas:user><cas:attributes>${inner}</cas:attributes></cas:authenticationSuccess>`
        : '<cas:authenticationFailure code="INVALID_TICKET">Ticket not recognized</cas:authenticationFailure>'
      response.end(`<cas:serviceResponse xmlns:cas="http://www.yale.edu/tp/cas">${body}</cas:serviceResponse>`)
    }
  })
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening))
  return Object.assign(state, {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/cas/`,
    signOut: () =>
      Promise.all(accepted.splice(0).map(async ({ ticket, service }) => (await endTicket(service, ticket)).status)),
    stop: () =>
      new Promise<void>((closed) => {
        http.closeAllConnections()
        http.close(() => closed())
      }),
  })
}
