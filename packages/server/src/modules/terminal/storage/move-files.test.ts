import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { roleIds } from '@castellan/contract/ids'
import { ApiError } from '@castellan/testing/client'
import { type Simulator, startMoto } from '@castellan/testing/cloud-simulators'
import { describeWith } from '@castellan/testing/parts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fetchAs, gatewayWith, mediaPath, startSession, uploadRecording } from '../../../testing/recordings.ts'
import { startServer, type TestServer } from '../../../testing/server.ts'

const url = '/api/v1/terminal/replay-storages/'

describeWith('moto', 'moving recordings to another storage', () => {
  let server: TestServer
  let moto: Simulator
  beforeAll(async () => {
    ;[server, moto] = await Promise.all([startServer({ worker: true }), startMoto()])
    for (const bucket of ['first', 'second']) await fetch(`${moto.url}/${bucket}`, { method: 'PUT' })
  })
  afterAll(async () => {
    await moto.stop()
    await server.close()
  })

  const create = async (bucket: string) => {
    const meta = { BUCKET: bucket, ACCESS_KEY: 'AKIA', SECRET_KEY: 'secret', ENDPOINT: moto.url }
    const body = { name: bucket, type: 's3', meta }
    return (await server.admin.request<{ id: string }>('POST', `${url}?type=s3`, body)).id
  }
  const move = async (storage: string) => {
    const { task } = await server.admin.request<{ task: string }>('POST', `${url}${storage}/migrate/`)
    const state = async () => {
      const jobs = server.context().rawDb.selectFrom('kernel_job').select('state').where('id', '=', task)
      return (await jobs.executeTakeFirst())?.state
    }
    await expect.poll(state, { timeout: 20_000 }).toBe('SUCCESS')
  }
  const objects = async (bucket: string) => (await fetch(`${moto.url}/${bucket}`)).text()

  it('takes every file along, from the server, between storages, and back', async () => {
    const [first, second] = [await create('first'), await create('second')]
    const [own] = await server.admin
      .collection<{ id: string }, object>('terminal/replay-storages')
      .all({ name: 'default' })
    const gateway = await gatewayWith(server, { replay_storage: 'default' })
    const session = await startSession(gateway)
    const bytes = randomBytes(100_000)
    await uploadRecording(server, gateway, session, bytes)
    const local = join(server.dataDir, mediaPath(session))
    const played = async () =>
      Buffer.from(await (await fetchAs(server, server.admin, mediaPath(session))).arrayBuffer())

    await move(first)
    expect([existsSync(local), (await objects('first')).includes(session)]).toEqual([false, true])
    expect((await played()).equals(bytes)).toBe(true)
    await move(second)
    expect([(await objects('first')).includes(session), (await objects('second')).includes(session)]).toEqual([
      false,
      true,
    ])
    expect((await played()).equals(bytes)).toBe(true)
    await move(own?.id ?? '')
    expect([existsSync(local), (await objects('second')).includes(session)]).toEqual([true, false])
    expect((await played()).equals(bytes)).toBe(true)
    // Nothing is there any more, so it can be deleted.
    await server.admin.request('DELETE', `${url}${second}/`)
  })

  it('is reserved for those who may change storages', async () => {
    const auditor = await server.as(await server.person('auditor', { system: [roleIds.systemAuditor] }))
    const [own] = await server.admin
      .collection<{ id: string }, object>('terminal/replay-storages')
      .all({ name: 'default' })
    const asked = auditor.request('POST', `${url}${own?.id}/migrate/`)
    await expect(asked).rejects.toBeInstanceOf(ApiError)
    await expect(asked).rejects.toMatchObject({ status: 403 })
  })
})
