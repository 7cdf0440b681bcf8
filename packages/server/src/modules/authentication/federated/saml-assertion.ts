/** What the library leaves to its users to check of an assertion whose signature it has verified. */
import { childOf, childrenOf, readXml } from './xml.ts'

const assertionNamespace = 'urn:oasis:names:tc:SAML:2.0:assertion'
const protocolNamespace = 'urn:oasis:names:tc:SAML:2.0:protocol'
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
/** Difference of clocks that is accepted. Milliseconds. */
const skew = 30_000

export interface Expected {
  readonly issuer: string
  readonly recipient: string
  readonly requestId: string
  readonly audience: string
  readonly now: number
}

/** Time for a request of the provider on its way. Milliseconds. */
const signOutAge = 300_000

/** @throws Error unless a request to end sessions is of this provider, for this installation, and new: not a replay */
export function demandFreshSignOut(
  request: string,
  { issuer, destination, now }: { issuer: string; destination: string; now: number },
): void {
  const root = readXml(request)
  if (root.namespace !== protocolNamespace || root.name !== 'LogoutRequest') throw new Error('This is no sign-out.')
  if (childOf(root, assertionNamespace, 'Issuer')?.text.trim() !== issuer)
    throw new Error('The request for a sign-out is of another issuer.')
  const { Destination: sentTo = destination, IssueInstant: issued = '' } = root.attributes
  if (sentTo !== destination) throw new Error(`The request for a sign-out is for ${sentTo}.`)
  if (!(Math.abs(Date.parse(issued) - now) < signOutAge)) throw new Error('The request for a sign-out is too old.')
}

/** @throws Error unless the assertion answers this request of this installation, by this provider, now */
export function demandMeantForUs(assertion: string, { issuer, recipient, requestId, audience, now }: Expected): void {
  const root = readXml(assertion)
  const child = (name: string) => childOf(root, assertionNamespace, name)
  if (root.name !== 'Assertion' || root.namespace !== assertionNamespace) throw new Error('This is no assertion.')
  if (child('Issuer')?.text.trim() !== issuer) throw new Error('The assertion is of another issuer.')
  const subject = child('Subject')
  const isConfirmed =
    subject &&
    childrenOf(subject, assertionNamespace, 'SubjectConfirmation').some((one) => {
      const data = childOf(one, assertionNamespace, 'SubjectConfirmationData')?.attributes
      return (
        one.attributes.Method === bearer &&
        data?.Recipient === recipient &&
        data.InResponseTo === requestId &&
        Date.parse(data.NotOnOrAfter ?? '') + skew > now
      )
    })
  if (!isConfirmed) throw new Error('The assertion does not answer this request, or has expired.')
  const conditions = child('Conditions')
  const restrictions = conditions ? childrenOf(conditions, assertionNamespace, 'AudienceRestriction') : []
  const isForUs = restrictions.every((one) =>
    childrenOf(one, assertionNamespace, 'Audience').some(({ text }) => text.trim() === audience),
  )
  if (restrictions.length === 0 || !isForUs) throw new Error('The assertion is for another audience.')
}

/** Values of attributes by their friendly names. Of several with one friendly name none is taken: any could be meant. */
export function friendlyAttributes(assertion: string): Record<string, string[]> {
  const found = new Map<string, string[] | undefined>()
  for (const statement of childrenOf(readXml(assertion), assertionNamespace, 'AttributeStatement'))
    for (const attribute of childrenOf(statement, assertionNamespace, 'Attribute')) {
      const { FriendlyName: name } = attribute.attributes
      if (!name) continue
      const values = childrenOf(attribute, assertionNamespace, 'AttributeValue').map(({ text }) => text)
      found.set(name, found.has(name) ? undefined : values)
    }
  return Object.fromEntries([...found].flatMap(([name, values]) => (values ? [[name, values]] : [])))
}
