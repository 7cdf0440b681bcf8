import { type Simulator, startMoto, startVcsim } from '@castellan/testing/cloud-simulators'
import { describeWith } from '@castellan/testing/parts'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { cloudClient } from '../../../testing/cloud.ts'
import { startServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
let cloud: ReturnType<typeof cloudClient>
beforeAll(async () => {
  server = await startServer({ worker: true })
  cloud = cloudClient(server)
})
afterAll(() => server.close())

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: { status: number; body: { detail?: string; code?: string } }) => ({ status: error.status, ...error.body }),
  )
const regionsOf = async (account: string) =>
  (await cloud.api<{ regions: { id: string; name: string }[] }>('GET', `regions/?account_id=${account}`)).regions

describeWith('moto', 'AWS, by the API of moto', () => {
  let moto: Simulator
  const region = 'eu-west-1'
  const keys = { access_key_id: 'AKIAEXAMPLE', access_key_secret: 'example-secret' }

  async function client(at = region) {
    const { EC2Client } = await import('@aws-sdk/client-ec2')
    const credentials = { accessKeyId: 'x', secretAccessKey: 'y' }
    return new EC2Client({ region: at, endpoint: moto.url, credentials })
  }
  async function run(count: number, name: string, more: object = {}, at = region): Promise<string[]> {
    const { RunInstancesCommand } = await import('@aws-sdk/client-ec2')
    const { Instances = [] } = await (await client(at)).send(
      new RunInstancesCommand({
        ImageId: 'ami-12c6146b',
        MinCount: count,
        MaxCount: count,
        TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: 'Name', Value: name }] }],
        ...more,
      }),
    )
    return Instances.map(({ InstanceId }) => InstanceId ?? '')
  }

  beforeAll(async () => {
    moto = await startMoto()
    // The SDK's own variable; nothing else can lead it elsewhere.
    vi.stubEnv('AWS_ENDPOINT_URL_EC2', moto.url)
  })
  afterAll(async () => {
    await moto.stop()
    vi.unstubAllEnvs()
  })

  it('lists regions, adds machines, changes nothing in a second run, and notices who is terminated', async () => {
    const { TerminateInstancesCommand } = await import('@aws-sdk/client-ec2')
    vi.stubEnv('AWS_ENDPOINT_URL_EC2', moto.url)
    const [web] = await run(2, 'web')
    await run(1, 'db')
    const account = await cloud.account('aws_international', keys)
    expect(await cloud.api('GET', `accounts/${account}/test-connective/`)).toEqual({ msg: 'ok' })
    expect((await regionsOf(account)).map(({ id }) => id)).toContain(region)
    const task = await cloud.task(account, { regions: [region, 'us-east-1'], released_action: 'disable' })
    expect(await cloud.preview(task)).toMatchObject({ preview: { summary: { new: 3 } } })
    expect(await cloud.sync(task)).toMatchObject({ status: 1, summary: { new: 3 } })
    const seen = await cloud.instances(task)
    expect(seen.map(({ instance_name }) => instance_name)).toEqual(['db', 'web', 'web'])
    // Two machines of one name become two assets.
    expect(new Set(seen.map(({ asset }) => asset?.name)).size).toBe(3)
    expect(await cloud.sync(task)).toMatchObject({ status: 1, summary: { new: 0, sync: 3, updated: 0, released: 0 } })
    await (await client()).send(new TerminateInstancesCommand({ InstanceIds: [web ?? ''] }))
    expect(await cloud.sync(task)).toMatchObject({ status: 1, summary: { sync: 2, released: 1 } })
    expect((await cloud.instances(task)).find((one) => one.instance_id === web)?.status).toBe(3)
  })

  it('has the partition of China', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL_EC2', moto.url)
    await run(1, 'beijing', {}, 'cn-north-1')
    const account = await cloud.account('aws_china', keys)
    const task = await cloud.task(account, { regions: ['cn-north-1'] })
    expect(await cloud.sync(task)).toMatchObject({ status: 1, summary: { new: 1 } })
  })

  it('says which region does not exist, and releases nothing there', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL_EC2', moto.url)
    const account = await cloud.account('aws_international', keys)
    const task = await cloud.task(account, { regions: ['evil.example.com/x'] })
    const result = await cloud.sync(task)
    expect(result).toMatchObject({ status: 0, summary: { released: 0 } })
    expect(await cloud.logOf(result.id)).toContain('has no region “evil.example.com/x”')
  })
})

describeWith(['vcsim', 'openssl'], 'vSphere, by the API of vcsim', () => {
  let vcsim: Awaited<ReturnType<typeof startVcsim>>
  beforeAll(async () => {
    vcsim = await startVcsim(3)
  })
  afterAll(() => vcsim.stop())
  const attrs = (more: object = {}) => ({
    host: vcsim.host,
    port: vcsim.port,
    username: 'administrator@vsphere.local',
    // Characters that mean something in XML.
    password: 'secret<&>"]]>',
    ca_cert: vcsim.certificate,
    ...more,
  })

  it('lists data centers and adds machines, page by page', async () => {
    const account = await cloud.account('vmware', attrs())
    expect(await cloud.api('GET', `accounts/${account}/test-connective/`)).toEqual({ msg: 'ok' })
    const [dc] = await regionsOf(account)
    expect(dc?.name).toBe('DC0')
    const task = await cloud.task(account, { regions: [dc?.id] })
    const result = await cloud.sync(task)
    const seen = await cloud.instances(task)
    expect(seen.length).toBeGreaterThan(3)
    expect(seen.map(({ instance_name }) => instance_name)).toContain('DC0_H0_VM0')
    expect(result.status).toBe(1)
    expect(await cloud.sync(task)).toMatchObject({ summary: { new: 0, updated: 0, released: 0 } })
  })

  it('says that a certificate is not trusted', async () => {
    const stranger = await cloud.account('vmware', attrs({ ca_cert: '' }))
    const untrusted = await failureOf(cloud.api('GET', `accounts/${stranger}/test-connective/`))
    expect(untrusted).toMatchObject({ status: 400, code: 'untrusted' })
    expect(JSON.stringify(untrusted)).not.toContain('secret')
  })
})
