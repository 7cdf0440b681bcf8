/** Passkeys of this browser. The library is loaded when one is used. */

/** Why the browser gave no answer: the user cancelled, or the browser cannot. */
export class NoPasskey extends Error {}

/** No browser takes a passkey at the address of this page. */
export class NoPasskeyHere extends NoPasskey {}

interface Offered {
  publicKey: { rpId?: string; rp?: { id?: string } }
}

/** Asks, and checks that the domain of the keys is that of this page: browsers say of others only that it failed. */
async function offered(ask: () => Promise<unknown>): Promise<never> {
  const { publicKey } = (await ask()) as Offered
  const domain = publicKey.rpId ?? publicKey.rp?.id ?? ''
  const host = window.location.hostname
  if (host !== domain && !host.endsWith(`.${domain}`)) throw new NoPasskeyHere()
  return publicKey as never
}

/** Whether this page can use passkeys at all: not by plain HTTP to another machine, for example. */
export const hasPasskeys = (): boolean => window.isSecureContext && 'PublicKeyCredential' in window

/** Has the browser sign what `ask` fetched; the answer as JSON. @throws NoPasskey */
export async function signedByPasskey(ask: () => Promise<unknown>): Promise<string> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  return JSON.stringify(await startAuthentication({ optionsJSON: await offered(ask) }).catch(refuse))
}

/** Has the browser create a key as `ask` described it; what the server needs of it. @throws NoPasskey */
export async function createdPasskey(ask: () => Promise<unknown>): Promise<object> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  return startRegistration({ optionsJSON: await offered(ask) }).catch(refuse)
}

function refuse(error: unknown): never {
  throw new NoPasskey(error instanceof Error ? error.message : '')
}
