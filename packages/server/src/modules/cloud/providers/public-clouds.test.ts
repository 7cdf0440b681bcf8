import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { cloudClient } from '../../../testing/cloud.ts'
import { aliyunCloud } from '../../../testing/clouds/aliyun.ts'
import { azureChinaCloud, azureCloud } from '../../../testing/clouds/azure.ts'
import { baiduCloud } from '../../../testing/clouds/baidu.ts'
import { type RunningCloud, reply, someMachines, startCloud } from '../../../testing/clouds/cloud.ts'
import { googleCloud, keyFile } from '../../../testing/clouds/google.ts'
import { huaweiCloud } from '../../../testing/clouds/huawei.ts'
import { jdCloud } from '../../../testing/clouds/jd.ts'
import { kingsoftCloud } from '../../../testing/clouds/kingsoft.ts'
import { nutanixCloud } from '../../../testing/clouds/nutanix.ts'
import { openstackCloud } from '../../../testing/clouds/openstack.ts'
import { qingCloud } from '../../../testing/clouds/qingcloud.ts'
import { lighthouseCloud, tencentCloud } from '../../../testing/clouds/tencent.ts'
import { ucloudCloud } from '../../../testing/clouds/ucloud.ts'
import { startServer, type TestServer } from '../../../testing/server.ts'
import { vendorClient } from './vendor-client.ts'

const clouds = [
  aliyunCloud,
  tencentCloud,
  lighthouseCloud,
  huaweiCloud,
  azureCloud,
  azureChinaCloud,
  googleCloud,
  openstackCloud,
  ucloudCloud,
  nutanixCloud,
  baiduCloud,
  jdCloud,
  kingsoftCloud,
  qingCloud,
]

let server: TestServer
let cloud: ReturnType<typeof cloudClient>
let running: RunningCloud

beforeAll(async () => {
  server = await startServer({ worker: true })
  cloud = cloudClient(server)
  running = await startCloud(aliyunCloud)
})
afterAll(async () => {
  await server.close()
  await running.close()
})
beforeEach(() => {
  vi.stubEnv('CASTELLAN_TEST_CLOUD_URL', running.url)
  return () => vi.unstubAllEnvs()
})

interface Failed {
  status: number
  body: { code?: string; detail?: string }
}
const tested = (account: string) =>
  cloud.api('GET', `accounts/${account}/test-connective/`).then(
    () => undefined,
    ({ status, body }: Failed) => ({ status, ...body }),
  )

describe.each(clouds)('$provider, by documented answers', (vendor) => {
  const count = 130
  const account = (more: object = {}) => cloud.account(vendor.provider, { ...vendor.attrs(running.url), ...more })
  const task = async (more: object = {}) => cloud.task(await account(), { regions: [vendor.region], ...more })
  beforeEach(() => running.reset(vendor, someMachines(vendor.provider, count)))

  it('lists regions, and all machines of all pages with their addresses; a second run changes nothing', async () => {
    const own = await account()
    expect(await tested(own)).toBeUndefined()
    const { regions } = await cloud.api<{ regions: { id: string }[] }>('GET', `regions/?account_id=${own}`)
    expect(regions.map(({ id }) => id)).toContain(vendor.region)
    const id = await cloud.task(own, { regions: [vendor.region] })
    expect(await cloud.sync(id)).toMatchObject({ status: 1, summary: { new: count, unsync: 0 } })
    const seen = await cloud.instances(id)
    const found = (at: number) => seen.find((one) => one.instance_id === running.machines[at]?.id)
    for (const at of [0, 99, 129])
      expect(found(at)).toMatchObject({
        instance_name: running.machines[at]?.name,
        asset_ip: running.machines[at]?.address,
      })
    const platformOf = async (at: number) =>
      (
        await server.admin.request<{ platform: { name: string } }>(
          'GET',
          `/api/v1/assets/hosts/${found(at)?.asset?.id}/`,
        )
      ).platform.name
    expect([await platformOf(2), await platformOf(3)]).toEqual(['Linux', 'Windows'])
    expect(await cloud.sync(id)).toMatchObject({
      status: 1,
      summary: { new: 0, updated: 0, sync: count, unsync: 0, released: 0 },
    })
    const [gone] = running.machines.splice(7, 1)
    expect(await cloud.sync(id)).toMatchObject({ status: 1, summary: { sync: count - 1, released: 1 } })
    expect((await cloud.instances(id)).find((one) => one.instance_id === gone?.id)?.status).toBe(3)
  })

  it('has public addresses', async () => {
    // Prism does not tell addresses apart.
    if (vendor.provider === 'nutanix') return
    const { preview } = await cloud.preview(await task({ sync_ip_type: 'public' }))
    expect(preview).toMatchObject({ summary: { new: count, unsync: 0 }, failures: [] })
    const addresses = preview?.samples.map((one) => (one as unknown as { address: string }).address).sort()
    expect(addresses).toEqual(running.machines.map(({ publicAddress }) => publicAddress).sort())
  })

  it('rejects wrong credentials', async () => {
    expect(await tested(await account(vendor.wrong))).toMatchObject({ status: 400, code: 'unauthorized' })
  })

  it('names the right that is missing, and releases nothing', async () => {
    const id = await task()
    expect(await cloud.sync(id)).toMatchObject({ summary: { new: count } })
    running.fault = () => vendor.forbidden
    const result = await cloud.sync(id)
    expect(result).toMatchObject({ status: 0, summary: { released: 0 } })
    expect(await cloud.logOf(result.id)).toContain(vendor.right)
  })

  it('that limits the rate of requests is asked again', async () => {
    const id = await task()
    running.fault = (_request, at) => (at === 2 ? vendor.throttled : undefined)
    const result = await cloud.sync(id)
    expect(result).toMatchObject({ status: 1, summary: { new: count } })
    expect(await cloud.logOf(result.id)).toMatch(/limits the rate[\s\S]*Next attempt in/)
  })

  it('that answers half a page is asked again, and releases nothing', async () => {
    const id = await task()
    expect(await cloud.sync(id)).toMatchObject({ summary: { new: count } })
    running.reset(vendor, running.machines)
    running.fault = (_request, at) => (at === 2 ? 'cut' : undefined)
    expect(await cloud.sync(id)).toMatchObject({ status: 1, summary: { sync: count, released: 0 } })
    for (const body of [{}, [], null, { Response: {} }, '<html>']) {
      running.reset(vendor, running.machines)
      running.fault = (_request, at) => (at === 2 ? reply(body) : undefined)
      expect(await cloud.sync(id)).toMatchObject({ status: 0, summary: { released: 0 } })
    }
    expect((await cloud.instances(id)).filter(({ status }) => status === 3)).toEqual([])
  })

  it('that hangs is stopped', async () => {
    const id = await task()
    running.fault = () => 'hang'
    const { task: execution } = await cloud.api<{ task: string }>('GET', `sync-instance-tasks/${id}/run/`)
    await expect.poll(() => running.requests.some(vendor.isList), { timeout: 20_000 }).toBe(true)
    await cloud.api('POST', `sync-instance-tasks/${id}/stop/`, {})
    expect(await cloud.ended(execution)).toMatchObject({ status: 3, summary: { new: 0, released: 0 } })
  })

  it.each([vendor.strange, 'evil.example.com/x', '..', '\u202e', 'a'.repeat(64)])(
    'has no region %j',
    async (region) => {
      const id = await task({ regions: [region] }).catch(({ status }: Failed) => status)
      // Some texts are refused by the task already.
      if (id === 400) return
      const result = await cloud.sync(String(id))
      expect(result).toMatchObject({ status: 0, summary: { new: 0 } })
      expect(await cloud.logOf(result.id)).toContain('has no region')
      for (const { host } of running.requests) expect(host).not.toContain('evil')
    },
  )

  it('never shows secrets', async () => {
    const id = await account()
    const shown = JSON.stringify([
      await cloud.api('GET', `accounts/${id}/`),
      await server.admin.request('GET', '/api/v1/audits/operate-logs/?limit=20'),
      await tested(await account(vendor.wrong)),
    ])
    for (const secret of ['the-secret-of', 'the-password-of', 'another-', 'PRIVATE KEY', 'token-of-the'])
      expect(shown).not.toContain(secret)
  })
})

it.each(['cn-\u0000', 'cn-\ud800'])('the region %j of a task cannot be stored', async (region) => {
  const refused = await cloud
    .task(await cloud.account('aliyun', aliyunCloud.attrs(running.url)), { regions: [region] })
    .catch(({ status, body }: Failed) => ({ status, body }))
  expect(refused).toMatchObject({ status: 400, body: { regions: expect.anything() } })
})

describe('Tencent Cloud, whose lists are read by offset', () => {
  it.each([
    ['a few machines disappear between two pages, misses no other', 5, { status: 1, released: 5 }],
    ['many disappear, releases nothing', 60, { status: 0, released: 0 }],
  ])('when %s', async (_name, lost, { status, released }) => {
    running.reset(tencentCloud, someMachines(`offset-${lost}`, 200))
    const own = await cloud.account('qcloud', tencentCloud.attrs(running.url))
    const id = await cloud.task(own, { regions: [tencentCloud.region] })
    expect(await cloud.sync(id)).toMatchObject({ summary: { new: 200 } })
    running.reset(tencentCloud, running.machines)
    running.fault = (_request, at) => {
      if (at === 2) running.machines.splice(20, lost)
      return undefined
    }
    expect(await cloud.sync(id)).toMatchObject({ status, summary: { released: 0 } })
    running.reset(tencentCloud, running.machines)
    const again = await cloud.sync(id)
    if (released > 0) expect(again).toMatchObject({ status: 1, summary: { released } })
    else expect(again).toMatchObject({ status: 1, summary: { released: lost } })
  })
})

describe('a hostile cloud', () => {
  it('cannot lead the token of Azure to another host', async () => {
    running.reset(azureCloud, someMachines('hostile', 3))
    const own = await cloud.account('azure_international', azureCloud.attrs(running.url))
    running.fault = () => reply({ value: [], nextLink: 'https://evil.example.com/subscriptions' })
    const result = await cloud.sync(await cloud.task(own, { regions: [azureCloud.region] }))
    expect(result).toMatchObject({ status: 0 })
    expect(await cloud.logOf(result.id)).toContain('another origin')
  })

  it('cannot lead the key of Google to the address in a key file', async () => {
    running.reset(googleCloud, someMachines('hostile', 3))
    const key = keyFile({ token_uri: `${running.url}/thief`, auth_uri: `${running.url}/thief` })
    const own = await cloud.account('gcp', { service_account_key: JSON.stringify(key) })
    expect(await tested(own)).toBeUndefined()
    expect(running.requests.map(({ path }) => path)).not.toContain('/thief')
  })

  it('cannot say that a page of Google is whole when a zone was out of reach', async () => {
    running.reset(googleCloud, someMachines('hostile', 3))
    const id = await cloud.task(await cloud.account('gcp', googleCloud.attrs(running.url)), {
      regions: [googleCloud.region],
    })
    running.fault = (_request, at) =>
      at === 1 ? reply({ kind: 'compute#instanceList', warning: { code: 'UNREACHABLE' } }) : undefined
    const result = await cloud.sync(id)
    expect(result).toMatchObject({ status: 1, summary: { new: 3 } })
    expect(await cloud.logOf(result.id)).toContain('Next attempt in')
  })

  it.each(['http://169.254.169.254/compute', 'file:///etc/passwd', '', 'http://[fe80::1]/'])(
    'cannot lead OpenStack to %j',
    async (address) => {
      const answer: typeof openstackCloud.answer = (request, machines, url) =>
        JSON.parse(
          JSON.stringify(openstackCloud.answer(request, machines, url)).replaceAll(`${url}/compute/v2.1`, address),
        )
      running.reset({ ...openstackCloud, answer }, [])
      const own = await cloud.account('openstack', openstackCloud.attrs(running.url))
      expect(await cloud.sync(await cloud.task(own, { regions: [openstackCloud.region] }))).toMatchObject({ status: 0 })
      expect(running.requests.filter(openstackCloud.isList)).toEqual([])
    },
  )

  it('is asked instead of a vendor only on this machine', () => {
    for (const url of ['http://192.0.2.1', 'http://localhost:1', 'https://evil.example.com']) {
      vi.stubEnv('CASTELLAN_TEST_CLOUD_URL', url)
      expect(() => vendorClient('ecs.cn-shanghai.aliyuncs.com')).toThrow('must be an address of this machine')
    }
  })
})

describe('the key file of a service account', () => {
  it.each([
    ['no JSON', 'hello'],
    ['another kind of file', { type: 'authorized_user', client_id: 'x' }],
    ['no key', keyFile({ private_key: 'x' })],
    ['a list', [1]],
    ['a number', 7],
    ['too long a text', keyFile({ client_email: 'x'.repeat(10_000) })],
  ])('that is %s is refused', async (_name, service_account_key) => {
    const body = { name: `key ${_name}`, provider: 'gcp', attrs: { service_account_key } }
    const failed = await cloud.api('POST', 'accounts/', body).catch((error: Failed) => error)
    expect(failed).toMatchObject({ status: 400, body: { attrs: { service_account_key: expect.anything() } } })
    expect(JSON.stringify((failed as Failed).body)).toContain('key file of a service account')
  })
})
