/** XML of providers, as a tree. No document type is accepted, so there are no entities to expand or to fetch. */
import { SaxesParser } from 'saxes'

export interface XmlElement {
  /** Name without its prefix. */
  readonly name: string
  readonly namespace: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** All text of the element itself; comments do not divide it. */
  readonly text: string
}

interface Open extends XmlElement {
  children: XmlElement[]
  text: string
}

const deepest = 50

/** @throws Error for text that is not XML, has a document type or is nested too deep */
export function readXml(text: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true })
  const open: Open[] = []
  let root: XmlElement | undefined
  const fail = (error: Error) => {
    throw error
  }
  parser.on('error', fail)
  parser.on('doctype', () => fail(new Error('XML with a document type is not accepted.')))
  parser.on('opentag', ({ local, uri, attributes }) => {
    if (open.length >= deepest) fail(new Error('The XML is nested too deep.'))
    const values = Object.fromEntries(Object.values(attributes).map((one) => [one.local, one.value]))
    open.push({ name: local, namespace: uri, attributes: values, children: [], text: '' })
  })
  parser.on('text', (part) => {
    const current = open.at(-1)
    if (current) current.text += part
  })
  parser.on('cdata', (part) => {
    const current = open.at(-1)
    if (current) current.text += part
  })
  parser.on('closetag', () => {
    const closed = open.pop()
    if (closed && open.length > 0) open.at(-1)?.children.push(closed)
    else root = closed
  })
  parser.write(text).close()
  if (!root) throw new Error('There is no XML element.')
  return root
}

/** The children with a name and namespace. */
export const childrenOf = (element: XmlElement, namespace: string, name: string): readonly XmlElement[] =>
  element.children.filter((child) => child.name === name && child.namespace === namespace)

export const childOf = (element: XmlElement | undefined, namespace: string, name: string): XmlElement | undefined =>
  element && childrenOf(element, namespace, name)[0]

/** Every element with a name and namespace below an element, and itself. Elements are not nested deep (`deepest`). */
export const within = (element: XmlElement, namespace: string, name: string): readonly XmlElement[] => [
  ...(element.name === name && element.namespace === namespace ? [element] : []),
  ...element.children.flatMap((child) => within(child, namespace, name)),
]
