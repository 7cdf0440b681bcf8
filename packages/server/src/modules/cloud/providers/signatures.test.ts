import { expect, it } from 'vitest'
import { sha256, signAliyun, signHuawei, signTencent, signUcloud } from './signatures.ts'

/** The examples that the vendors publish with their signing methods. */

it.each([
  [
    '2023-10-26T10:22:32Z',
    '3156853299f313e23d1673dc12e1703d',
    '06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
  ],
  [
    '2023-10-26T09:01:01Z',
    'd410180a5abf7fe235dd9b74aca91fc0',
    'e521358f7776c97df52e6b2891a8bc73026794a071b50c3323388c4e0df64804',
  ],
])('signs for Alibaba Cloud as its documentation of signature V3 does (%s)', (date, nonce, signature) => {
  const headers = {
    host: 'ecs.cn-shanghai.aliyuncs.com',
    'x-acs-action': 'RunInstances',
    'x-acs-content-sha256': sha256(''),
    'x-acs-date': date,
    'x-acs-signature-nonce': nonce,
    'x-acs-version': '2014-05-26',
  }
  const query = { RegionId: 'cn-shanghai', ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd' }
  const keys = { id: 'YourAccessKeyId', secret: 'YourAccessKeySecret' }
  expect(signAliyun({ method: 'POST', path: '/', query, headers }, keys)).toBe(
    `ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=${Object.keys(headers).join(';')},Signature=${signature}`,
  )
})

it('signs for Tencent Cloud as its documentation of TC3-HMAC-SHA256 does', () => {
  const headers = { 'content-type': 'application/json; charset=utf-8', host: 'cvm.tencentcloudapi.com' }
  const body = '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}'
  // The documentation masks the end of its key pair, and signs with the mask.
  const keys = { id: 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3*******', secret: 'Gu5t9xGARNpq86cd98joQYCN3*******' }
  expect(signTencent({ method: 'POST', path: '/', headers, body }, keys, 'cvm', 1551113065)).toBe(
    `TC3-HMAC-SHA256 Credential=${keys.id}/2019-02-25/cvm/tc3_request, SignedHeaders=content-type;host, ` +
      'Signature=2230eefd229f582d8b1b891af7107b91597240707d778ab3738f756258d7652c',
  )
})

it('signs for Huawei Cloud as the tests of its own SDK do', () => {
  const request = {
    method: 'GET' as const,
    path: '/v5/iotps/77b6a44cba5143ab91d13ab9a8ff44fd/certificates',
    query: { marker: '13551d6b-755d-4757-b956-536f674975c0', limit: '2' },
    headers: {
      'x-sdk-date': '20191115T033655Z',
      host: 'service.region.example.com',
      'content-type': 'application/json',
    },
  }
  const keys = { id: 'QTWAOYTTINDUT2QVKYUC', secret: 'MFyfvK41ba2giqM7Uio6PznpdUKGpownRZlmVmHc' }
  expect(signHuawei(request, keys)).toBe(
    'SDK-HMAC-SHA256 Access=QTWAOYTTINDUT2QVKYUC, SignedHeaders=content-type;host;x-sdk-date, ' +
      'Signature=012cac5e920807f98bf7b23dfe05d29596d544a9b76c37cf933b274a6d4aa874',
  )
})

it('signs for UCloud as its documentation does', () => {
  const parameters = {
    Zone: 'cn-bj2-04',
    Action: 'CreateUHostInstance',
    CPU: '2',
    ChargeType: 'Month',
    DiskSpace: '10',
    ImageId: 'f43736e1-65a5-4bea-ad2e-8a46e18883c2',
    LoginMode: 'Password',
    Memory: '2048',
    Name: 'Host01',
    Password: 'VUNsb3VkLmNu',
    PublicKey: 'ucloudsomeone@example.com1296235120854146120',
    Quantity: '1',
    Region: 'cn-bj2',
  }
  expect(signUcloud(parameters, '46f09bb9fab4f12dfc160dae12273d5332b5debe')).toBe(
    '4f9ef5df2abab2c6fccd1e9515cb7e2df8c6bb65',
  )
})
