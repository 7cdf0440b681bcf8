import { SaxesParser } from 'saxes'
import { ProviderFailure, shortReason } from './failures.ts'
import type { HttpClient } from './http-client.ts'
import type { Call } from './provider.ts'

/** An element of an answer; names without their prefix. */
export interface Element {
  name: string
  attributes: Readonly<Record<string, string>>
  text: string
  children: Element[]
}

/** Elements of one answer, and how deep they may stand. */
const mostElements = 2_000_000
const deepest = 64

/** Parses XML without entities or recursion. @throws ProviderFailure */
export function parseXml(text: string): Element {
  const root: Element = { name: '', attributes: {}, text: '', children: [] }
  const open = [root]
  let count = 0
  const refuse = (reason: string): never => {
    throw new ProviderFailure('bad_answer', { reason })
  }
  const parser = new SaxesParser()
  parser.on('error', () => refuse('not XML'))
  parser.on('doctype', () => refuse('XML with a document type'))
  parser.on('opentag', ({ name, attributes }) => {
    count += 1
    if (count > mostElements || open.length > deepest) refuse('XML that is too large')
    const element = {
      name: name.replace(/^.*:/, ''),
      attributes: attributes as Record<string, string>,
      text: '',
      children: [],
    }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('text', (part) => {
    const top = open.at(-1)
    if (top) top.text += part
  })
  parser.on('closetag', () => void open.pop())
  parser.write(text).close()
  return root
}

export const childOf = (element: Element | undefined, ...path: readonly string[]): Element | undefined =>
  path.reduce<Element | undefined>((at, name) => at?.children.find((one) => one.name === name), element)

export const childrenOf = (element: Element | undefined, name: string): Element[] =>
  element?.children.filter((one) => one.name === name) ?? []

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)

/** A reference to an object of the server. */
export interface Reference {
  type: string
  id: string
}

export const referenceIn = (element: Element | undefined): Reference => ({
  type: element?.attributes.type ?? '',
  id: element?.text.trim() ?? '',
})

const referring = (name: string, { type, id }: Reference) => `<${name} type="${escaped(type)}">${escaped(id)}</${name}>`

/** Calls of the vSphere Web Services API (SOAP), with the session's cookie. */
export class SoapSession {
  readonly #client: HttpClient
  #cookie = ''

  constructor(client: HttpClient) {
    this.#client = client
  }

  /** The first element of the answer's body. @throws ProviderFailure */
  async call(method: string, of: Reference, body: string, { signal }: Call): Promise<Element> {
    const envelope =
      '<?xml version="1.0" encoding="UTF-8"?>' +
      '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"' +
      ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema">' +
      `<soapenv:Body><${method} xmlns="urn:vim25">${referring('_this', of)}${body}</${method}></soapenv:Body>` +
      '</soapenv:Envelope>'
    const answer = await this.#client.send('/sdk', {
      method: 'POST',
      headers: {
        'content-type': 'text/xml; charset=utf-8',
        soapaction: '"urn:vim25/6.0"',
        ...(this.#cookie ? { cookie: this.#cookie } : {}),
      },
      body: envelope,
      signal,
    })
    const [cookie = ''] = answer.headers['set-cookie'] ?? []
    if (cookie.startsWith('vmware_soap_session=')) this.#cookie = cookie.split(';')[0] ?? ''
    if (answer.status === 401) throw new ProviderFailure('unauthorized')
    if (answer.status !== 200 && answer.status !== 500)
      throw new ProviderFailure('bad_answer', { reason: `HTTP ${answer.status}` })
    const [found] = childOf(parseXml(answer.text), 'Envelope', 'Body')?.children ?? []
    if (!found) throw new ProviderFailure('bad_answer', { reason: 'no SOAP body' })
    if (found.name === 'Fault') throw faultOf(found)
    return found
  }

  forget(): void {
    this.#cookie = ''
  }
}

function faultOf(fault: Element): ProviderFailure {
  const [detail] = childOf(fault, 'detail')?.children ?? []
  const name = detail?.attributes['xsi:type']?.replace(/^.*:/, '') ?? detail?.name.replace(/Fault$/, '') ?? ''
  if (name === 'InvalidLogin') return new ProviderFailure('unauthorized')
  if (name === 'NoPermission')
    return new ProviderFailure('forbidden', {
      right: shortReason(childOf(detail, 'privilegeId')?.text || 'System.Read'),
    })
  return new ProviderFailure('bad_answer', { reason: shortReason(name || 'Fault') })
}
