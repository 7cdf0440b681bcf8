import { execFileSync } from 'node:child_process'
import { createSign, randomBytes } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { SignedXml } from 'xml-crypto'
import { type EncryptOptions, encrypt } from 'xml-encryption'
import { requirePart } from './detect.ts'

/** An RSA key and a certificate that it signed itself. */
export interface KeyPair {
  key: string
  certificate: string
}

/** Keys as administrators make them for SAML. */
export function newSigningKey(name: string): KeyPair {
  const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${name}`, '-keyout', '-']
  const both = execFileSync(requirePart('openssl'), words, { stdio: ['ignore', 'pipe', 'ignore'] }).toString()
  const at = both.indexOf('-----BEGIN CERTIFICATE-----')
  return { key: both.slice(0, at).trim(), certificate: both.slice(at).trim() }
}

const bodyOf = (certificate: string) => certificate.replace(/-----[^-]+-----|\s/g, '')

/** What an assertion says; a test changes single parts. */
export interface Said {
  issuer: string
  audience: string
  recipient: string
  destination: string
  inResponseTo: string
  nameId: string
  nameIdFormat?: string
  sessionIndex: string
  /** Milliseconds since 1970. */
  expires: number
  attributes: Record<string, string>
  /** Before the names of attributes, whose friendly names have none. */
  prefix?: string
}

/** The request in the address to which a browser is redirected. */
export function requestIn(location: string): { id: string; relayState: string; xml: string; callbackUrl: string } {
  const query = new URL(location).searchParams
  const xml = inflateRawSync(Buffer.from(query.get('SAMLRequest') ?? '', 'base64')).toString()
  const attribute = (name: string) => new RegExp(`${name}="([^"]+)"`).exec(xml)?.[1] ?? ''
  return {
    id: attribute('ID'),
    relayState: query.get('RelayState') ?? '',
    xml,
    callbackUrl: attribute('AssertionConsumerServiceURL'),
  }
}

const bindings = 'urn:oasis:names:tc:SAML:2.0:bindings:'

/** A SAML identity provider: what it signs is up to the test. */
export class SamlIdp {
  readonly entityId = 'https://idp.example/metadata'
  readonly signInUrl = 'https://idp.example/sso'
  readonly signOutUrl = 'https://idp.example/slo'
  readonly keys = newSigningKey('idp.example')

  metadata(certificate = this.keys.certificate, takes: 'HTTP-Redirect' | 'HTTP-POST' = 'HTTP-Redirect'): string {
    const binding = bindings + takes
    return `<?xml version="1.0"?><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${this.entityId}"><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${bodyOf(certificate)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:SingleLogoutService Binding="${binding}" Location="${this.signOutUrl}"/><md:SingleSignOnService Binding="${binding}" Location="${this.signInUrl}"/></md:IDPSSODescriptor></md:EntityDescriptor>`
  }

  assertion(said: Said, id = `_${randomBytes(16).toString('hex')}`): string {
    const [now, end] = [new Date().toISOString(), new Date(said.expires).toISOString()]
    const attributes = Object.entries(said.attributes)
      .map(
        ([name, value]) =>
          `<saml:Attribute Name="${said.prefix ?? ''}${name}"${said.prefix ? ` FriendlyName="${name}"` : ''}><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`,
      )
      .join('')
    return `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${now}"><saml:Issuer>${said.issuer}</saml:Issuer><saml:Subject><saml:NameID${said.nameIdFormat ? ` Format="${said.nameIdFormat}"` : ''}>${said.nameId}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${end}" Recipient="${said.recipient}" InResponseTo="${said.inResponseTo}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotOnOrAfter="${end}"><saml:AudienceRestriction><saml:Audience>${said.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${now}" SessionIndex="${said.sessionIndex}"/><saml:AttributeStatement>${attributes}</saml:AttributeStatement></saml:Assertion>`
  }

  /** Signs the element with a name, after its issuer. */
  signed(
    xml: string,
    element: 'Assertion' | 'Response' | 'LogoutRequest',
    keys: KeyPair = this.keys,
    { signature: signatureAlgorithm, digest: digestAlgorithm } = {
      signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      digest: 'http://www.w3.org/2001/04/xmlenc#sha256',
    },
  ): string {
    const reference = `//*[local-name(.)='${element}']`
    const signature = new SignedXml({
      privateKey: keys.key,
      publicCert: keys.certificate,
      signatureAlgorithm,
      canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
    })
    signature.addReference({
      xpath: reference,
      transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
      digestAlgorithm,
    })
    signature.computeSignature(xml, {
      prefix: 'ds',
      location: { reference: `${reference}/*[local-name(.)='Issuer']`, action: 'after' },
    })
    return signature.getSignedXml()
  }

  /** What a posted message says, if it bears a signature by a certificate that covers the whole message. */
  static signedIn(message: string, certificate: string): string {
    const xml = Buffer.from(message, 'base64').toString()
    const signature = /<Signature[ >][\s\S]*<\/Signature>/.exec(xml)?.[0] ?? ''
    const check = new SignedXml({ publicCert: certificate })
    check.loadSignature(signature)
    if (!check.checkSignature(xml)) throw new Error('The signature is wrong.')
    return check.getSignedReferences()[0] ?? ''
  }

  encrypted(
    assertion: string,
    certificate: string,
    {
      data = 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
      key = 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
    }: { data?: EncryptOptions['encryptionAlgorithm']; key?: EncryptOptions['keyEncryptionAlgorithm'] } = {},
  ): Promise<string> {
    return new Promise((settle, fail) => {
      const options = {
        rsa_pub: certificate,
        pem: certificate,
        encryptionAlgorithm: data,
        keyEncryptionAlgorithm: key,
      }
      encrypt(assertion, options, (error: Error | null, result: string) =>
        error
          ? fail(error)
          : settle(
              `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${result}</saml:EncryptedAssertion>`,
            ),
      )
    })
  }

  response(said: Said, assertion: string, status = 'Success'): string {
    return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomBytes(16).toString('hex')}" Version="2.0" IssueInstant="${new Date().toISOString()}" Destination="${said.destination}" InResponseTo="${said.inResponseTo}"><saml:Issuer>${said.issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${status}"/></samlp:Status>${assertion}</samlp:Response>`
  }

  /** An unsigned request to end a session. */
  logoutRequest(nameId: string, sessionIndex: string, destination: string, issued = Date.now()): string {
    return `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomBytes(16).toString('hex')}" Version="2.0" IssueInstant="${new Date(issued).toISOString()}" Destination="${destination}"><saml:Issuer>${this.entityId}</saml:Issuer><saml:NameID>${nameId}</saml:NameID><samlp:SessionIndex>${sessionIndex}</samlp:SessionIndex></samlp:LogoutRequest>`
  }

  /** The query of a signed request to end a session. */
  logoutQuery(xml: string, keys: KeyPair = this.keys): string {
    const unsigned = new URLSearchParams({
      SAMLRequest: deflateRawSync(xml).toString('base64'),
      SigAlg: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    }).toString()
    const signature = createSign('RSA-SHA256').update(unsigned).sign(keys.key, 'base64')
    return `${unsigned}&${new URLSearchParams({ Signature: signature })}`
  }
}
