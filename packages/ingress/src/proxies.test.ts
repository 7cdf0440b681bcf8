import { expect, it } from 'vitest'
import { isLoopback, TrustedProxies } from './proxies.ts'

it('trusts proxies, by address and network, for the address of the client', () => {
  const proxies = new TrustedProxies(['10.1.0.0/16', '192.0.2.7', '2001:db8::/32'])
  expect(proxies.clientOf('10.1.2.3', '203.0.113.9')).toBe('203.0.113.9')
  expect(proxies.clientOf('::ffff:192.0.2.7', '203.0.113.9')).toBe('203.0.113.9')
  expect(proxies.clientOf('2001:db8::1', '1.1.1.1, 203.0.113.9, 10.1.9.9')).toBe('203.0.113.9')
})

it("trusts no other address, and uses the proxy's address if it names no client", () => {
  const proxies = new TrustedProxies(['10.1.0.0/16'])
  expect(proxies.clientOf('10.2.0.1', '203.0.113.9')).toBe('10.2.0.1')
  expect(proxies.clientOf('10.1.0.1', '')).toBe('10.1.0.1')
  expect(new TrustedProxies([]).clientOf('127.0.0.1', '203.0.113.9')).toBe('127.0.0.1')
})

it.each([
  ['203.0.113.9:4711', '203.0.113.9'],
  ['[2001:db8::9]:443', '2001:db8::9'],
  ['[2001:db8::9]', '2001:db8::9'],
  ['2001:db8::9', '2001:db8::9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['unknown', '10.1.0.1'],
  ['_hidden', '10.1.0.1'],
  ['203.0.113.9, x', '10.1.0.1'],
  ['x, 203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:x', '10.1.0.1'],
  ["203.0.113.9'; --", '10.1.0.1'],
])('reads %s as the address %s', (forwarded, client) => {
  expect(new TrustedProxies(['10.1.0.0/16']).clientOf('10.1.0.1', forwarded)).toBe(client)
})

it('names the invalid address in the error', () => {
  for (const word of ['proxy', '10.0.0.0/33', '10.0.0.1/8/8', '10.0.0.1/x'])
    expect(() => new TrustedProxies([word])).toThrow(`"${word}"`)
})

it('recognizes loopback by address, not by the start of a name', () => {
  for (const host of ['127.8.8.8', '::1', '::ffff:127.0.0.1', 'localhost']) expect(isLoopback(host)).toBe(true)
  for (const host of ['127.0.0.1.example.org', '0.0.0.0', '::', '10.0.0.1']) expect(isLoopback(host)).toBe(false)
})
