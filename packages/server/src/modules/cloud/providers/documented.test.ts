import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloudClient } from '../../../testing/cloud.ts'
import { json, type PretendProvider, startProvider } from '../../../testing/provider.ts'
import { startServer, type TestServer } from '../../../testing/server.ts'
import { HttpClient } from './http-client.ts'
import { childOf, parseXml, SoapSession } from './vsphere-soap.ts'

let server: TestServer
let cloud: ReturnType<typeof cloudClient>
beforeAll(async () => {
  server = await startServer({ worker: true })
  cloud = cloudClient(server)
})
afterAll(() => server.close())

/** Answers of the documented API of Proxmox VE 8: GET, by path below `/api2/json/`. */
const proxmoxAnswers: Record<string, unknown> = {
  version: { release: '8.2', repoid: 'faa83925c9641325', version: '8.2.4' },
  'cluster/resources?type=vm': [
    { id: 'qemu/100', type: 'qemu', vmid: 100, node: 'pve1', name: 'web', status: 'running', template: 0 },
    { id: 'qemu/101', type: 'qemu', vmid: 101, node: 'pve2', name: 'windows', status: 'running', template: 0 },
    { id: 'qemu/102', type: 'qemu', vmid: 102, node: 'pve2', name: 'stopped', status: 'stopped', template: 0 },
    { id: 'qemu/900', type: 'qemu', vmid: 900, node: 'pve2', name: 'template', status: 'stopped', template: 1 },
    { id: 'lxc/200', type: 'lxc', vmid: 200, node: 'pve1', name: 'container', status: 'running', template: 0 },
    { id: 'node/pve1', type: 'node', node: 'pve1' },
  ],
  'nodes/pve1/qemu/100/config': { ostype: 'l26', name: 'web' },
  'nodes/pve2/qemu/101/config': { ostype: 'win11', name: 'windows' },
  'nodes/pve2/qemu/102/config': { ostype: 'l26' },
  'nodes/pve1/qemu/100/agent/network-get-interfaces': {
    result: [
      { name: 'lo', 'ip-addresses': [{ 'ip-address': '127.0.0.1', 'ip-address-type': 'ipv4', prefix: 8 }] },
      {
        name: 'eth0',
        'ip-addresses': [
          { 'ip-address': 'fe80::be24:11ff:fe00:1', 'ip-address-type': 'ipv6', prefix: 64 },
          { 'ip-address': '10.7.0.100', 'ip-address-type': 'ipv4', prefix: 24 },
        ],
      },
    ],
  },
  'nodes/pve2/qemu/101/agent/network-get-interfaces': {
    result: [
      { name: 'Ethernet', 'ip-addresses': [{ 'ip-address': '10.7.0.101', 'ip-address-type': 'ipv4', prefix: 24 }] },
    ],
  },
  'nodes/pve1/lxc/200/interfaces': [
    { name: 'lo', inet: '127.0.0.1/8', inet6: '::1/128' },
    { name: 'eth0', inet: '10.7.0.200/24' },
  ],
}

describe('Proxmox VE, by documented answers', () => {
  let provider: PretendProvider
  beforeAll(async () => {
    provider = await startProvider((request, answer, path) => {
      const data = proxmoxAnswers[path.replace('/api2/json/', '')]
      if (request.headers.authorization !== 'PVEAPIToken=sync@pve!castellan=the-secret')
        return json(answer, { data: null }, 401)
      // A guest that is stopped, or has no agent.
      return data === undefined ? json(answer, { data: null }, 500) : json(answer, { data })
    })
  })
  afterAll(() => provider.close())

  it('lists machines and containers with their addresses, without templates', async () => {
    const attrs = { api_endpoint: provider.url, token_id: 'sync@pve!castellan', token_secret: 'the-secret' }
    const account = await cloud.account('proxmox', attrs)
    expect(await cloud.api('GET', `accounts/${account}/test-connective/`)).toEqual({ msg: 'ok' })
    const task = await cloud.task(account)
    expect(await cloud.sync(task)).toMatchObject({ status: 1, summary: { new: 3, unsync: 1 } })
    const seen = await cloud.instances(task)
    expect(seen.map((one) => [one.instance_id, one.instance_name, one.asset_ip])).toEqual([
      ['lxc/200', 'container', '10.7.0.200'],
      ['qemu/102', 'stopped', ''],
      ['qemu/100', 'web', '10.7.0.100'],
      ['qemu/101', 'windows', '10.7.0.101'],
    ])
    expect(await cloud.sync(task)).toMatchObject({ summary: { new: 0, updated: 0, sync: 3, unsync: 1, released: 0 } })
    const wrong = await cloud.account('proxmox', { ...attrs, token_secret: 'wrong' })
    await expect(cloud.api('GET', `accounts/${wrong}/test-connective/`)).rejects.toMatchObject({
      body: { code: 'unauthorized' },
    })
  })
})

it('a provider without regions has its machines once, whatever regions a task names', async () => {
  const attrs = { ip_group: ['127.0.88.1'], test_port: 0, test_timeout: 1 }
  const task = await cloud.task(await cloud.account('lan', attrs), { regions: ['default', 'another'] })
  const result = await cloud.sync(task)
  expect(result).toMatchObject({ status: 0, summary: { new: 1 } })
  expect(await cloud.logOf(result.id)).toContain('has no region “another”')
})

/** A fault as vCenter 8 answers it. */
const fault = (detail: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soapenv:Body><soapenv:Fault><faultcode>ServerFaultCode</faultcode><faultstring>said the server</faultstring><detail>${detail}</detail></soapenv:Fault></soapenv:Body></soapenv:Envelope>`

describe('faults of vSphere, by documented answers', () => {
  it.each([
    ['<InvalidLoginFault xmlns="urn:vim25" xsi:type="InvalidLogin"></InvalidLoginFault>', { code: 'unauthorized' }],
    [
      '<NoPermissionFault xmlns="urn:vim25" xsi:type="NoPermission"><object type="Folder">group-d1</object><privilegeId>System.View</privilegeId></NoPermissionFault>',
      { code: 'forbidden', details: { right: 'System.View' } },
    ],
    [
      '<NotAuthenticatedFault xmlns="urn:vim25" xsi:type="NotAuthenticated"></NotAuthenticatedFault>',
      { code: 'bad_answer' },
    ],
    ['', { code: 'bad_answer' }],
  ])('%s', async (detail, failure) => {
    const provider = await startProvider((_request, answer) => answer.writeHead(500).end(fault(detail)))
    const session = new SoapSession(new HttpClient(provider.url))
    const call = session.call('Login', { type: 'SessionManager', id: 'SessionManager' }, '', {
      signal: AbortSignal.timeout(10_000),
    })
    await expect(call).rejects.toMatchObject(failure)
    await provider.close()
  })

  it.each([
    '',
    'no XML',
    '<a>',
    '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
    '<a/>'.repeat(2),
    `${'<a>'.repeat(1000)}${'</a>'.repeat(1000)}`,
  ])('XML that is broken or hostile is refused: %#', (text) => {
    const read = () => {
      const found = childOf(parseXml(text), 'Envelope', 'Body')
      if (!found) throw new Error('nothing')
    }
    expect(read).toThrow()
  })
})
