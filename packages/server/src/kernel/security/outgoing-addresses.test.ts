import { expect, it } from 'vitest'
import { isForbiddenAddress } from './outgoing-addresses.ts'

it.each([
  ['169.254.169.254', true],
  ['[fe80::1]', true],
  ['0.0.0.0', true],
  ['::', true],
  ['::ffff:169.254.169.254', true],
  ['::ffff:a9fe:a9fe', true],
  ['64:ff9b::a9fe:a9fe', true],
  ['::ffff:0:169.254.169.254', true],
  ['2002:a9fe:a9fe::1', true],
  ['fd00:ec2::254', true],
  ['100.100.100.200', true],
  ['168.63.129.16', true],
  ['10.0.0.1', false],
  ['127.0.0.1', false],
  ['64:ff9b::a00:1', false],
  ['fd00:ec2::1', false],
  ['metadata.example.com', false],
])('%s is asked by nobody: %s', (address, isForbidden) => expect(isForbiddenAddress(address)).toBe(isForbidden))
