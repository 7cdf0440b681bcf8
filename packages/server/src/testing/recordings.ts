import { randomUUID } from 'node:crypto'
import { defaultOrgId } from '@castellan/contract/ids'
import { type Client, registerComponent } from '@castellan/testing/client'
import type { TestServer } from './server.ts'

/** A gateway whose sessions belong to given storages. */
export async function gatewayWith(server: TestServer, storages: object): Promise<Client> {
  const name = `gateway-${randomUUID().slice(0, 8)}`
  const client = (await registerComponent(server.url, server.bootstrapToken, name)).in('ROOT')
  const [row] = await server.admin.collection('terminal/terminals').all({ name })
  await server.admin.request('PATCH', `/api/v1/terminal/terminals/${row?.id}/`, storages)
  return client
}

export async function startSession(client: Client, more: object = {}): Promise<string> {
  const { id } = await client.request<{ id: string }>('POST', '/api/v1/terminal/sessions/', {
    id: randomUUID(),
    user: 'Ada(ada)',
    user_id: randomUUID(),
    asset: 'web-1(10.0.0.1)',
    asset_id: randomUUID(),
    account: 'root(root)',
    account_id: randomUUID(),
    protocol: 'ssh',
    login_from: 'WT',
    remote_addr: '10.9.9.9',
    type: 'normal',
    org_id: defaultOrgId,
    ...more,
  })
  return id
}

/** Uploads a recording as a gateway does. Returns the status. */
export async function uploadRecording(server: TestServer, client: Client, session: string, bytes: Buffer) {
  const path = `/api/v1/terminal/sessions/${session}/replay/`
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)]), 'recording.cast.gz')
  form.set('version', '3')
  const headers = { ...client.proof('POST', path), 'x-jms-org': 'ROOT' }
  return (await fetch(server.url + path, { method: 'POST', body: form, headers })).status
}

/** The path of a recording for players. */
export const mediaPath = (session: string) =>
  `/media/replay/${new Date().toISOString().slice(0, 10)}/${session}.cast.gz`

export const fetchAs = (server: TestServer, client: Client, path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers: { ...client.proof('GET', path), ...headers } })
