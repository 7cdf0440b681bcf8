import { expect, test } from 'vitest'
import { parseLoginName } from './login-name.ts'

test.each([
  ['ann', { kind: 'menu', user: 'ann' }],
  ['ann@example.com', { kind: 'menu', user: 'ann@example.com' }],
  ['ann@root@10.0.0.5', { kind: 'direct', user: 'ann', protocol: 'ssh', account: 'root', asset: '10.0.0.5' }],
  ['ann@sftp@root@web', { kind: 'direct', user: 'ann', protocol: 'sftp', account: 'root', asset: 'web' }],
  ['ann#root#web', { kind: 'direct', user: 'ann', protocol: 'ssh', account: 'root', asset: 'web' }],
  ['a@b.c#ssh#root#web', { kind: 'direct', user: 'a@b.c', protocol: 'ssh', account: 'root', asset: 'web' }],
  ['ann@dom@admin@web', { kind: 'direct', user: 'ann', protocol: 'ssh', account: 'dom@admin', asset: 'web' }],
  ['JMS-7e4a', { kind: 'token', token: '7e4a' }],
])('%s', (name, expected) => {
  expect(parseLoginName(name)).toEqual(expected)
})
