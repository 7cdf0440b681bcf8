import { describeWith } from '@castellan/testing/parts'
import { type KeyPair, newSigningKey, requestIn, type Said, SamlIdp } from '@castellan/testing/saml-idp'
import { Visitor } from '@castellan/testing/visitor'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
let entityId: string
let idp: SamlIdp
let own: KeyPair

const change = (values: object, category = 'saml2') => server.changeSettings<Record<string, unknown>>(category, values)

beforeAll(async () => {
  idp = new SamlIdp()
  own = newSigningKey('castellan')
  server = await startServer()
  await change({ SITE_URL: server.url }, 'basic')
  entityId = `${server.url}/core/auth/saml2/login/`
  await change({
    AUTH_SAML2: true,
    SAML2_IDP_METADATA_XML: idp.metadata(),
    SAML2_SP_KEY_CONTENT: own.key,
    SAML2_SP_CERT_CONTENT: own.certificate,
    SAML2_RENAME_ATTRIBUTES: { uid: 'username', email: 'email', cn: 'name' },
  })
})
afterAll(() => server?.close())

const callback = () => `${server.url}/core/auth/saml2/callback/`
const profileOf = async (visitor: Visitor): Promise<{ status: number; username?: unknown }> => {
  const answer = await visitor.open(`${server.url}/api/v1/users/profile/`)
  return { status: answer.status, ...((await answer.json()) as Record<string, unknown>) }
}

/** A browser that was sent to the provider, with what the provider would say. */
async function begun(uid = 'sami') {
  const visitor = new Visitor()
  const left = await visitor.open(`${server.url}/core/auth/saml2/login/?next=/ui/x`)
  const request = requestIn(left.headers.get('location') ?? '')
  const said: Said = {
    issuer: idp.entityId,
    audience: entityId,
    recipient: callback(),
    destination: callback(),
    inResponseTo: request.id,
    nameId: `${uid}@idp.example`,
    sessionIndex: `session-${uid}`,
    expires: Date.now() + 60_000,
    attributes: { uid, email: `${uid}@example.com`, cn: `The ${uid}` },
  }
  return { visitor, request, said }
}

/** The form that a page posts to the provider by itself. */
async function leaving(page: Response): Promise<{ action: string; fields: Record<string, string> }> {
  const data = /id="page">(.*?)<\/script>/.exec(await page.text())?.[1] ?? '{}'
  return JSON.parse(data) as { action: string; fields: Record<string, string> }
}

/** Brings a response, as the page of a provider does: posted from another site, without our cookies. */
async function bring(visitor: Visitor, relayState: string, xml: string): Promise<boolean> {
  const posted = await fetch(callback(), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: relayState }),
  })
  const { answer } = await visitor.follow(
    new URL(posted.headers.get('location') ?? '', server.url).href,
    `${server.url}/ui/`,
  )
  if (answer) expect(answer.status).toBe(200)
  return answer === undefined
}

const right = (said: Said) => idp.response(said, idp.signed(idp.assertion(said), 'Assertion'))

describeWith('openssl', 'a SAML provider', () => {
  it('signs in, creates the user with the source, and ends sessions in both directions', async () => {
    const { visitor, request, said } = await begun()
    expect(request.callbackUrl).toBe(callback())
    expect(request.xml).toContain(`<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${entityId}`)
    expect(await bring(visitor, request.relayState, right(said))).toBe(true)
    expect(await profileOf(visitor)).toMatchObject({
      username: 'sami',
      name: 'The sami',
      email: 'sami@example.com',
      source: { value: 'saml2' },
    })
    const logout = `${server.url}/core/auth/saml2/logout/`
    const stranger = newSigningKey('stranger')
    const demand = (destination = logout, issued = Date.now()) =>
      idp.logoutRequest(said.nameId, said.sessionIndex, destination, issued)
    const valid = idp.logoutQuery(demand())
    const [request64 = ''] = valid.split('&')
    const forged = idp.logoutQuery(idp.logoutRequest('other', 'x', logout), stranger)
    const replayed = idp.logoutQuery(demand(logout, Date.now() - 600_000))
    const elsewhere = idp.logoutQuery(demand('https://other.example/slo'))
    const doubled = `${valid}&${forged.split('&')[0]}`
    for (const query of [forged, request64, doubled, replayed, elsewhere, 'SAMLRequest=x'])
      expect((await fetch(`${logout}?${query}`, { redirect: 'manual' })).status).toBe(400)
    expect((await profileOf(visitor)).status).toBe(200)
    const ended = await fetch(`${logout}?${valid}`, { redirect: 'manual' })
    expect(ended.headers.get('location')).toContain(`${idp.signOutUrl}?SAMLResponse=`)
    expect((await profileOf(visitor)).status).toBe(401)
    const again = await begun()
    await bring(again.visitor, again.request.relayState, right(again.said))
    const out = await again.visitor.open(`${server.url}/core/auth/logout/`)
    expect(out.headers.get('location')).toContain(`${idp.signOutUrl}?SAMLRequest=`)
    expect((await profileOf(again.visitor)).status).toBe(401)
  })

  it('may take and send posted messages only', async () => {
    const other = await begun('posted')
    await change({ SAML2_IDP_METADATA_XML: idp.metadata(undefined, 'HTTP-POST') })
    const begunPosted = async () => {
      const visitor = new Visitor()
      const page = await visitor.open(`${server.url}/core/auth/saml2/login/?next=/ui/x`)
      expect(page.headers.get('content-security-policy')).toContain(
        `form-action https: ${new URL(idp.signInUrl).origin};`,
      )
      const { action, fields } = await leaving(page)
      const xml = SamlIdp.signedIn(fields.SAMLRequest ?? '', own.certificate)
      expect(action).toBe(idp.signInUrl)
      const said = { ...other.said, inResponseTo: / ID="([^"]+)"/.exec(xml)?.[1] ?? '' }
      return { visitor, relayState: fields.RelayState ?? '', said }
    }
    const { visitor, relayState, said } = await begunPosted()
    expect(await bring(visitor, relayState, right(said))).toBe(true)
    expect(await profileOf(visitor)).toMatchObject({ username: 'posted' })
    const logout = `${server.url}/core/auth/saml2/logout/`
    const post = (demand: string) =>
      fetch(logout, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ SAMLRequest: Buffer.from(demand).toString('base64') }),
      })
    const demand = (issued = Date.now()) => idp.logoutRequest(said.nameId, said.sessionIndex, logout, issued)
    const signed = idp.signed(demand(), 'LogoutRequest')
    for (const refused of [
      demand(),
      idp.signed(demand(), 'LogoutRequest', newSigningKey('stranger')),
      idp.signed(demand(Date.now() - 600_000), 'LogoutRequest'),
      signed.replace(said.nameId, 'other@idp.example'),
      `<!DOCTYPE x>${signed}`,
      // The signed request inside of an unsigned one.
      demand().replace('</samlp:LogoutRequest>', `${signed}</samlp:LogoutRequest>`),
      'x',
    ])
      expect((await post(refused)).status).toBe(400)
    expect((await profileOf(visitor)).status).toBe(200)
    // The browser sends no cookie with what another site posts: a new session would replace its own.
    for (const demand of [signed, 'x']) {
      expect((await post(demand)).headers.get('set-cookie') ?? '').not.toContain('sessionid')
    }
    const answer = await leaving(await post(signed))
    expect(answer.action).toBe(idp.signOutUrl)
    expect(SamlIdp.signedIn(answer.fields.SAMLResponse ?? '', own.certificate)).toContain('status:Success')
    expect((await profileOf(visitor)).status).toBe(401)
    const again = await begunPosted()
    expect(await bring(again.visitor, again.relayState, right(again.said))).toBe(true)
    const out = await leaving(await again.visitor.open(`${server.url}/core/auth/logout/`))
    expect(out.action).toBe(idp.signOutUrl)
    const sent = SamlIdp.signedIn(out.fields.SAMLRequest ?? '', own.certificate)
    expect(sent).toMatch(/<samlp:LogoutRequest [\s\S]*posted@idp\.example[\s\S]*>session-posted</)
    expect((await profileOf(again.visitor)).status).toBe(401)
    const off = await fetch(`${server.url}/core/auth/switched-off/callback/`, { method: 'POST' })
    expect([off.status, off.headers.get('set-cookie') ?? '']).toEqual([404, expect.not.stringContaining('sessionid')])
    await change({ SAML2_IDP_METADATA_XML: idp.metadata() })
  })

  it('may sign the response, encrypt the assertion, or both', async () => {
    const whole = await begun('whole')
    const { said } = whole
    expect(
      await bring(
        whole.visitor,
        whole.request.relayState,
        idp.signed(idp.response(said, idp.assertion(said)), 'Response'),
      ),
    ).toBe(true)
    const hidden = await begun('hidden')
    const sealed = await idp.encrypted(idp.signed(idp.assertion(hidden.said), 'Assertion'), own.certificate)
    expect(await bring(hidden.visitor, hidden.request.relayState, idp.response(hidden.said, sealed))).toBe(true)
    expect(await profileOf(hidden.visitor)).toMatchObject({ username: 'hidden' })
    const unsigned = await begun('unsigned')
    const open = await idp.encrypted(idp.assertion(unsigned.said), own.certificate)
    expect(await bring(unsigned.visitor, unsigned.request.relayState, idp.response(unsigned.said, open))).toBe(false)
  })

  it('reads what it needs of this installation from the metadata', async () => {
    const answer = await fetch(`${server.url}/core/auth/saml2/metadata/`)
    const xml = await answer.text()
    expect(answer.headers.get('content-type')).toContain('application/xml')
    expect(xml).toContain(`entityID="${entityId}"`)
    expect(xml).toContain(`Location="${callback()}"`)
    const logout = /SingleLogoutService Binding="[^"]+:(HTTP-\w+)" Location="([^"]+)"/g
    const takes = [...xml.matchAll(logout)].map(([, binding, address]) => [binding, address])
    expect(takes).toEqual(
      ['HTTP-Redirect', 'HTTP-POST'].map((binding) => [binding, `${server.url}/core/auth/saml2/logout/`]),
    )
    expect(xml).not.toContain('PRIVATE')
    // Requests are signed: the provider checks them with the certificate for signatures.
    expect(xml).toContain('AuthnRequestsSigned="true"')
    const body = own.certificate.replace(/-----[^-]+-----|\s/g, '')
    for (const use of ['signing', 'encryption']) {
      const [, key = ''] = new RegExp(`<KeyDescriptor use="${use}">([\\s\\S]*?)</KeyDescriptor>`).exec(xml) ?? []
      expect([use, key.replace(/\s/g, '')]).toEqual([use, expect.stringContaining(body)])
    }
    const read = JSON.stringify(await server.admin.request('GET', '/api/v1/settings/setting/?category=saml2'))
    expect(read).not.toContain('PRIVATE')
  })
})

describeWith('openssl', 'attributes of a SAML provider', () => {
  const oids = 'urn:oid:'

  it('are found by their names, or else by their friendly names', async () => {
    const friendly = await begun('friendly')
    expect(await bring(friendly.visitor, friendly.request.relayState, right({ ...friendly.said, prefix: oids }))).toBe(
      true,
    )
    expect(await profileOf(friendly.visitor)).toMatchObject({ username: 'friendly', name: 'The friendly' })
    // The name counts first: nobody becomes somebody else by a friendly name.
    const both = await begun('by-name')
    const said = { ...both.said, attributes: { uid: 'by-name' } }
    const named = idp.assertion({ ...said, attributes: { uid: 'by-friend' }, prefix: oids })
    const attribute = /<saml:Attribute [\s\S]*<\/saml:Attribute>/.exec(named)?.[0] ?? ''
    const assertion = idp.assertion(said).replace('<saml:AttributeStatement>', `<saml:AttributeStatement>${attribute}`)
    expect(
      await bring(both.visitor, both.request.relayState, idp.response(said, idp.signed(assertion, 'Assertion'))),
    ).toBe(true)
    expect(await profileOf(both.visitor)).toMatchObject({ username: 'by-name' })
  })

  it('that name nobody are in the log of the server, without their values', async () => {
    const warned = vi.spyOn(server.application.services.log, 'warn')
    const { visitor, request, said } = await begun('unmapped')
    expect(await bring(visitor, request.relayState, right({ ...said, attributes: { login: 'secret-value' } }))).toBe(
      false,
    )
    const lines = warned.mock.calls.map(([about, line]) => `${line}: ${(about as { err?: Error }).err?.message}`)
    warned.mockRestore()
    expect(lines).toEqual([
      'A SAML response was refused: No username was found as “uid”. The provider gave: NameID, login.',
    ])
  })
})

describeWith('openssl', 'a forged SAML response', () => {
  const isRefused = async (make: (said: Said) => string | Promise<string>, uid = 'admin-of-idp') => {
    const { visitor, request, said } = await begun(uid)
    expect(await bring(visitor, request.relayState, await make(said))).toBe(false)
    expect((await profileOf(visitor)).status).toBe(401)
  }

  it.each<[string, (said: Said) => string]>([
    ['without a signature', (said) => idp.response(said, idp.assertion(said))],
    ['by another key', (said) => idp.response(said, idp.signed(idp.assertion(said), 'Assertion', own))],
    ['of another issuer', (said) => right({ ...said, issuer: 'https://other.example' })],
    ['for another audience', (said) => right({ ...said, audience: 'https://other.example' })],
    ['for another recipient', (said) => right({ ...said, recipient: 'https://other.example/acs' })],
    ['for another destination', (said) => right({ ...said, destination: 'https://other.example/acs' })],
    ['to another request', (said) => right({ ...said, inResponseTo: '_other' })],
    ['to no request', (said) => right({ ...said, inResponseTo: '' })],
    ['that has expired', (said) => right({ ...said, expires: Date.now() - 120_000 })],
    [
      'that says that the sign-in failed',
      (said) => idp.response(said, idp.signed(idp.assertion(said), 'Assertion'), 'Responder'),
    ],
    ['whose name was changed', (said) => right(said).replaceAll('admin-of-idp', 'somebody')],
  ])('is refused %s', (_what, make) => isRefused(make))

  it('is refused with a document type, whatever it would expand to', async () => {
    const entity = '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    await isRefused((said) => entity + right(said))
    await isRefused((said) => `<!DOCTYPE r>${right(said)}`)
    for (const broken of ['', 'x', '<a', '<Response/>', '\0', '<a>'.repeat(20_000)]) await isRefused(() => broken)
  })

  const rsaSha1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
  const sha1 = 'http://www.w3.org/2000/09/xmldsig#sha1'
  const sound = {
    signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    digest: 'http://www.w3.org/2001/04/xmlenc#sha256',
  }
  const weak: [string, (said: Said) => Promise<string> | string][] = [
    ['a signature', (said) => idp.signed(idp.assertion(said), 'Assertion', idp.keys, { ...sound, signature: rsaSha1 })],
    ['a digest', (said) => idp.signed(idp.assertion(said), 'Assertion', idp.keys, { ...sound, digest: sha1 })],
    [
      'a hidden signature',
      (said) =>
        idp.encrypted(
          idp.signed(idp.assertion(said), 'Assertion', idp.keys, { ...sound, signature: rsaSha1 }),
          own.certificate,
        ),
    ],
    [
      'an encrypted key',
      (said) =>
        idp.encrypted(idp.signed(idp.assertion(said), 'Assertion'), own.certificate, {
          key: 'http://www.w3.org/2001/04/xmlenc#rsa-1_5',
        }),
    ],
    [
      'a cipher',
      (said) =>
        idp.encrypted(idp.signed(idp.assertion(said), 'Assertion'), own.certificate, {
          data: 'http://www.w3.org/2001/04/xmlenc#tripledes-cbc',
        }),
    ],
  ]
  it.each(weak)('is refused with %s of an old algorithm, unless the settings allow it', async (what, make) => {
    await isRefused(async (said) => idp.response(said, await make(said)))
    const { SAML2_SP_ADVANCED_SETTINGS: usual } = await server.admin.request<{ SAML2_SP_ADVANCED_SETTINGS: object }>(
      'GET',
      '/api/v1/settings/setting/?category=saml2',
    )
    await change({ SAML2_SP_ADVANCED_SETTINGS: { ...usual, security: { rejectDeprecatedAlgorithm: false } } })
    const { visitor, request, said } = await begun('old')
    const isIn = await bring(visitor, request.relayState, idp.response(said, await make(said)))
    await change({ SAML2_SP_ADVANCED_SETTINGS: usual })
    // Node.js itself decrypts no keys of PKCS #1 1.5.
    expect([what, isIn]).toEqual([what, what !== 'an encrypted key' || isIn])
  })

  it('is refused with a document type in what is encrypted, and with several encrypted parts', async () => {
    const sealed = (said: Said, before = '') =>
      idp.encrypted(before + idp.signed(idp.assertion(said), 'Assertion'), own.certificate)
    await isRefused(async (said) => idp.response(said, await sealed(said, '<!DOCTYPE r [<!ENTITY x "y">]>')))
    await isRefused(async (said) =>
      idp.response(said, `<samlp:Extensions>${await sealed(said)}</samlp:Extensions>${await sealed(said)}`),
    )
  })

  it('is refused where the signed assertion is wrapped in another one', async () => {
    const forgedOf = (said: Said) =>
      idp.assertion({ ...said, attributes: { uid: 'somebody' }, nameId: 'somebody' }, '_forged')
    const signedOf = (said: Said) => idp.signed(idp.assertion(said), 'Assertion')
    // Before it, after it, around it, inside of its own signature, and with the same identifier.
    await isRefused((said) => idp.response(said, forgedOf(said) + signedOf(said)))
    await isRefused((said) => idp.response(said, signedOf(said) + forgedOf(said)))
    await isRefused((said) =>
      idp.response(said, forgedOf(said).replace('</saml:Assertion>', `${signedOf(said)}</saml:Assertion>`)),
    )
    await isRefused((said) => {
      const signed = signedOf(said)
      const signature = /<ds:Signature[\s\S]*<\/ds:Signature>/.exec(signed)?.[0] ?? ''
      const bare = signed.replace(signature, '')
      const object = signature.replace('</ds:Signature>', `<ds:Object>${bare}</ds:Object></ds:Signature>`)
      return idp.response(said, forgedOf(said).replace('<saml:Subject>', `${object}<saml:Subject>`))
    })
    await isRefused((said) => {
      const signed = signedOf(said)
      const id = /ID="([^"]+)"/.exec(signed)?.[1] ?? ''
      const forged = forgedOf(said).replace('_forged', id)
      return idp.response(said, `${forged}<samlp:Extensions>${signed}</samlp:Extensions>`)
    })
  })

  it('cannot shorten a name by a comment', async () => {
    const { visitor, request, said } = await begun('shortened')
    const signed = right({ ...said, attributes: { uid: 'shortened.evil' } })
    const commented = signed.replace('shortened.evil', 'shortened<!-- -->.evil')
    const isIn = await bring(visitor, request.relayState, commented)
    expect(isIn ? (await profileOf(visitor)).username : 'refused').not.toBe('shortened')
  })

  it('is refused a second time, and in another browser', async () => {
    const { visitor, request, said } = await begun('replayed')
    const xml = right(said)
    const stranger = new Visitor()
    await stranger.open(`${server.url}/core/auth/saml2/login/`)
    expect(await bring(stranger, request.relayState, xml)).toBe(false)
    expect(await bring(visitor, request.relayState, xml)).toBe(true)
    expect(await bring(visitor, request.relayState, xml)).toBe(false)
    const later = await begun('replayed')
    expect(await bring(later.visitor, later.request.relayState, xml)).toBe(false)
  })

  it('takes no local user over', async () => {
    await isRefused((said) => right({ ...said, attributes: { uid: 'admin' } }))
  })
})

describeWith('openssl', 'settings that describe no provider', () => {
  it('are answered with a page that says so', async () => {
    for (const values of [
      { SAML2_IDP_METADATA_XML: '<a/>' },
      { SAML2_IDP_METADATA_XML: `<!DOCTYPE a>${idp.metadata()}` },
      { SAML2_IDP_METADATA_XML: '', SAML2_IDP_METADATA_URL: 'http://idp.example/metadata' },
      { SAML2_IDP_METADATA_XML: '', SAML2_IDP_METADATA_URL: 'http://169.254.169.254/latest/' },
    ]) {
      await change(values)
      const answer = await new Visitor().open(`${server.url}/core/auth/saml2/login/`)
      expect([answer.status, (await answer.text()).includes('"kind":"error"')]).toEqual([412, true])
    }
  })
})
