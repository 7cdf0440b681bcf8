import type { Client } from '../../packages/testing/src/client.ts'

/** Where and with whom everything happens. */
export interface Place {
  /** Address of the server. */
  url: string
  /** The administrator, signed in at the time. */
  admin: () => Promise<Client>
  adminPassword: string
  /** Of everybody except the administrator. */
  password: string
  /** Id of the real host, and its account. */
  host: string
  account: string
}

export const idOf = async (client: Client, collection: string, name: string) =>
  (await client.collection(collection).all({ name }))[0]?.id
