import { expect, it } from 'vitest'
import { alibabaSigned, huaweiToken, tencentAuthorization } from './signatures.ts'

/** The examples that the providers publish in the documentation of their signatures. */
it('is that of the documentation of Alibaba Cloud', () => {
  const params = {
    AccessKeyId: 'testid',
    Action: 'DescribeRegions',
    Format: 'XML',
    SignatureMethod: 'HMAC-SHA1',
    SignatureNonce: '3ee8c1b8-83d3-44af-a94f-4e0ad82fd6cf',
    SignatureVersion: '1.0',
    Timestamp: '2016-02-23T12:46:24Z',
    Version: '2014-05-26',
  }
  expect(alibabaSigned('GET', params, 'testsecret').get('Signature')).toBe('OLeaidS1JvxuMvnyHOwuJ+uX5qY=')
})

it('is that of the documentation of Tencent Cloud', () => {
  const header = tencentAuthorization({
    id: 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE',
    secret: 'Gu5t9xGARNpq86cd98joQYCN3EXAMPLE',
    host: 'cvm.tencentcloudapi.com',
    service: 'cvm',
    body: '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}',
    at: 1_551_113_065,
  })
  expect(header).toBe(
    'TC3-HMAC-SHA256 Credential=AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE/2019-02-25/cvm/tc3_request, ' +
      'SignedHeaders=content-type;host, Signature=72e494ea809ad7a8c8f7a4507b9bddcbaa8e581f516e8da2f66e2c5a96525168',
  )
})

it('has the digest of nonce, time and secret for Huawei Cloud', () => {
  // printf '%s' "nonce2026-01-01T00:00:00Zsecret" | openssl dgst -sha256 -binary | base64
  expect(huaweiToken('key', 'secret', 'nonce', '2026-01-01T00:00:00Z')).toBe(
    'UsernameToken Username="key",PasswordDigest="OiGD5jerTMOywNRkLFF3PIlpZpXbH0RwGct7wM/Qfuw=",Nonce="nonce",Created="2026-01-01T00:00:00Z"',
  )
})
