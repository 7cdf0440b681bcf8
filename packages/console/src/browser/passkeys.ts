/** Passkeys of this browser. The library is loaded when one is used. */

/** Why the browser gave no answer: the user cancelled, or the browser cannot. */
export class NoPasskey extends Error {}

interface Offered {
  publicKey: never
}

/** Whether this page can use passkeys at all: not by plain HTTP to another machine, for example. */
export const hasPasskeys = (): boolean => window.isSecureContext && 'PublicKeyCredential' in window

/** Has the browser sign what `ask` fetched; the answer as JSON. @throws NoPasskey */
export async function signedByPasskey(ask: () => Promise<unknown>): Promise<string> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const { publicKey } = (await ask()) as Offered
  return JSON.stringify(await startAuthentication({ optionsJSON: publicKey }).catch(refuse))
}

/** Has the browser create a key as `ask` described it; what the server needs of it. @throws NoPasskey */
export async function createdPasskey(ask: () => Promise<unknown>): Promise<object> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const { publicKey } = (await ask()) as Offered
  return startRegistration({ optionsJSON: publicKey }).catch(refuse)
}

function refuse(error: unknown): never {
  throw new NoPasskey(error instanceof Error ? error.message : '')
}
