import { expect, it } from 'vitest'
import {
  sha256,
  signAliyun,
  signBaidu,
  signHuawei,
  signJd,
  signKingsoft,
  signQing,
  signTencent,
  signUcloud,
} from './signatures.ts'

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

/** What the vendors' own SDKs sign with these keys: bce-python-sdk, jdcloud_sdk, botocore and qingcloud-sdk. */
const example = { id: 'AKEXAMPLE', secret: 'SKEXAMPLE' }

it('signs for Baidu AI Cloud as its SDK does', () => {
  const request = {
    method: 'GET' as const,
    path: '/v2/instance',
    query: { maxKeys: '1000', marker: 'i-a/b c' },
    headers: { host: 'bcc.bj.baidubce.com', 'x-bce-date': '2026-01-02T03:04:05Z' },
  }
  expect(signBaidu(request, example)).toBe(
    'bce-auth-v1/AKEXAMPLE/2026-01-02T03:04:05Z/1800/host;x-bce-date/' +
      '0bf6c2b6dc806005785ad0005ff4bd8380ee17271f5e65809f4fa41406a9849c',
  )
})

it('signs for JD Cloud as its SDK does', () => {
  const request = {
    method: 'GET' as const,
    path: '/v1/regions/cn-north-1/instances',
    query: { pageNumber: '1', pageSize: '100' },
    headers: {
      'content-type': 'application/json',
      host: 'vm.jdcloud-api.com',
      'x-jdcloud-date': '20260102T030405Z',
      'x-jdcloud-nonce': 'ed558a3b-9808-4edb-8597-187bda63a4f2',
    },
  }
  expect(signJd(request, example, 'cn-north-1', 'vm')).toBe(
    'JDCLOUD3-HMAC-SHA256 Credential=AKEXAMPLE/20260102/cn-north-1/vm/jdcloud3_request, ' +
      'SignedHeaders=content-type;host;x-jdcloud-date;x-jdcloud-nonce, ' +
      'Signature=423242f6c9204b9538cc5c34e5d90cb14904c8117ee58ca4f8d6571d5c535f36',
  )
})

it('signs for Kingsoft Cloud as AWS does', () => {
  const request = {
    method: 'GET' as const,
    path: '/',
    query: { Action: 'DescribeInstances', Version: '2016-03-04', MaxResults: '100', Marker: '0' },
    headers: {
      accept: 'application/json',
      host: 'kec.cn-beijing-6.api.ksyun.com',
      'x-amz-date': '20260102T030405Z',
    },
  }
  expect(signKingsoft(request, example, 'cn-beijing-6', 'kec')).toBe(
    'AWS4-HMAC-SHA256 Credential=AKEXAMPLE/20260102/cn-beijing-6/kec/aws4_request, ' +
      'SignedHeaders=accept;host;x-amz-date, ' +
      'Signature=dbe1379160ed2b8c94f5dd07c8f28edc5ef56debb3b883a64237afe4889d7d45',
  )
})

it('signs for QingCloud as its SDK does', () => {
  const query = {
    access_key_id: 'AKEXAMPLE',
    action: 'DescribeInstances',
    limit: '100',
    offset: '0',
    signature_method: 'HmacSHA256',
    signature_version: '1',
    time_stamp: '2026-01-02T03:04:05Z',
    version: '1',
    zone: 'pek3a',
  }
  expect(signQing('/iaas/', query, example.secret)).toBe('rPuWRCXCiALK1cZIZhFsUOAHeDROi8ZThOgreMaSJOc=')
})
