import { describe, expect, it } from 'vitest'
import {
  firstProtocols,
  isFixed,
  portOfAddress,
  sentProtocols,
  settingApplies,
  withProtocol,
  withSetting,
} from './protocols.ts'

const choices = [
  { name: 'ssh', port: 22, primary: true },
  { name: 'sftp', port: 22, default: true },
  { name: 'vnc', port: 5900 },
]

describe('protocols of an asset', () => {
  it('start with the required, primary or default ones', () => {
    expect(sentProtocols(firstProtocols(undefined, choices, 'asset'), 'asset')).toEqual([
      { name: 'ssh', port: 22 },
      { name: 'sftp', port: 22 },
    ])
  })
  it('start with the first choice if none is marked', () => {
    expect(
      firstProtocols(
        [],
        [
          { name: 'rdp', port: 3389 },
          { name: 'vnc', port: 5900 },
        ],
        'asset',
      ),
    ).toHaveLength(1)
  })
  it('keep configured protocols and add missing ones', () => {
    const rows = firstProtocols([{ name: 'vnc', port: 1 }], choices, 'asset')
    expect(rows.map(({ name, port }) => [name, port])).toEqual([
      ['vnc', 1],
      ['ssh', 22],
    ])
  })
  it('cannot lose protocols required by the platform', () => {
    const [ssh, sftp] = firstProtocols(undefined, choices, 'asset')
    expect(ssh && isFixed(ssh, choices, 'asset')).toBe(true)
    expect(sftp && isFixed(sftp, choices, 'asset')).toBe(false)
  })
})

describe('protocols of a platform', () => {
  it('have one primary, at the first position', () => {
    const rows = firstProtocols(
      [
        { name: 'vnc', port: 5900 },
        { name: 'sftp', port: 22 },
      ],
      choices.slice(1),
      'platform',
    )
    expect(rows.map(({ name, primary }) => [name, primary ?? false])).toEqual([
      ['vnc', true],
      ['sftp', false],
    ])
    const next = withProtocol(rows, 1, { ...rows[1], name: 'sftp', port: 22, primary: true }, 'platform')
    expect(next.map(({ name, primary }) => [name, primary ?? false])).toEqual([
      ['sftp', true],
      ['vnc', false],
    ])
  })
  it('treat WinRM as never public, with a separate port for TLS', () => {
    const row = { name: 'winrm', port: 5985, public: true, setting: { use_ssl: false } }
    expect(withSetting(row, { use_ssl: true })).toMatchObject({ port: 5986, public: false })
  })
  it('require selectors or a script only where they apply', () => {
    expect(settingApplies('username_selector', { autofill: 'basic' })).toBe(true)
    expect(settingApplies('username_selector', { autofill: 'no' })).toBe(false)
    expect(settingApplies('script', { autofill: 'script' })).toBe(true)
  })
})

describe('the port of an address', () => {
  it('is the given one, otherwise the default of the scheme', () => {
    expect(portOfAddress('http://a.example:8080/x')).toBe(8080)
    expect(portOfAddress('https://a.example')).toBe(443)
    expect(portOfAddress('a.example')).toBe(443)
    expect(portOfAddress('http://a.example/x')).toBe(80)
    expect(portOfAddress('https://user@a.example:8443?x=:1')).toBe(8443)
  })
  it('is not a part of an IPv6 address', () => {
    expect(portOfAddress('2001:db8::443')).toBe(443)
    expect(portOfAddress('http://[2001:db8::1]')).toBe(80)
    expect(portOfAddress('https://[2001:db8::1]:8443/x')).toBe(8443)
    expect(portOfAddress('[::1]:6443')).toBe(6443)
  })
})
