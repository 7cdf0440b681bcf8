/** What is refused of a SAML message before its signatures are looked at. */
import { childOf, childrenOf, readXml, within, type XmlElement } from './xml.ts'

const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol'
const signatures = 'http://www.w3.org/2000/09/xmldsig#'
const encryption = 'http://www.w3.org/2001/04/xmlenc#'
const more = 'http://www.w3.org/2001/04/xmldsig-more#'
const encryption11 = 'http://www.w3.org/2009/xmlenc11#'
const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'

/** Signatures; SHA-1 is none of them: documents with equal SHA-1 hashes can be made. */
export const soundSignatures: ReadonlySet<string> = new Set(
  ['256', '384', '512'].flatMap((bits) => [`${more}rsa-sha${bits}`, `${more}ecdsa-sha${bits}`]),
)
const soundDigests: ReadonlySet<string> = new Set([`${encryption}sha256`, `${more}sha384`, `${encryption}sha512`])
/** Ciphers of data and of keys; neither 3DES, nor RSA of PKCS #1 1.5, whose refusals tell the text bit by bit. */
const soundCiphers: ReadonlySet<string> = new Set([
  ...['128', '192', '256'].flatMap((bits) => [`${encryption11}aes${bits}-gcm`, `${encryption}aes${bits}-cbc`]),
  `${encryption}rsa-oaep-mgf1p`,
  `${encryption11}rsa-oaep`,
])

const algorithmOf = (element: XmlElement): string => element.attributes.Algorithm ?? ''

/** @throws Error for a message that is signed or encrypted by an algorithm that proves or hides nothing */
export function demandSoundAlgorithms(root: XmlElement): void {
  const check = (elements: readonly XmlElement[], sound: ReadonlySet<string>) => {
    const weak = elements.map(algorithmOf).find((algorithm) => !sound.has(algorithm))
    if (weak !== undefined) throw new Error(`The algorithm ${weak} is not accepted.`)
  }
  check(within(root, signatures, 'SignatureMethod'), soundSignatures)
  // Only of what is signed: RSA-OAEP names SHA-1 too, which does no harm there.
  check(
    within(root, signatures, 'Reference').flatMap((one) => childrenOf(one, signatures, 'DigestMethod')),
    soundDigests,
  )
  check(within(root, encryption, 'EncryptionMethod'), soundCiphers)
}

interface Expected {
  /** The address that the response was sent to. */
  readonly recipient: string
  /** Key of this installation, for what is encrypted. */
  readonly key: string | Buffer | null | undefined
  /** The settings allow what is old. */
  readonly allowsOld: boolean
}

/**
 * @throws Error unless the response says that the sign-in succeeded, is meant for the address it was sent to, and it and
 * an assertion encrypted in it have no document type and only sound algorithms
 */
export async function demandSoundResponse(response: string, { recipient, key, allowsOld }: Expected): Promise<void> {
  const root = readXml(response)
  if (root.namespace !== protocol || root.name !== 'Response') throw new Error('This is no SAML response.')
  const { Destination: destination } = root.attributes
  if (destination && destination !== recipient) throw new Error(`The response is for ${destination}.`)
  const status = childOf(childOf(root, protocol, 'Status'), protocol, 'StatusCode')?.attributes.Value
  if (status !== success) throw new Error(`The provider answers with the status ${status}.`)
  if (!allowsOld) demandSoundAlgorithms(root)
  const encrypted = within(root, encryption, 'EncryptedData')
  if (encrypted.length === 0) return
  if (encrypted.length > 1) throw new Error('The response has several encrypted parts.')
  if (!key) throw new Error('The assertion is encrypted, and there is no key for it.')
  const { decryptXml } = await import('@node-saml/node-saml/lib/xml.js')
  const inside = readXml(await decryptXml(response, key))
  if (!allowsOld) demandSoundAlgorithms(inside)
}
