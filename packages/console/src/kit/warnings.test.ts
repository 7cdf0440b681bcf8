import { unlimitedAssets } from '@castellan/contract/license'
import { describe, expect, it } from 'vitest'
import { licenseText } from './license.ts'
import { passwordText } from './password-age.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const inDays = (days: number) => new Date(now + days * 86_400_000).toISOString()

describe('the license', () => {
  it.each([
    [{ date_expired: inDays(-1) }, { tone: 'error', text: 'licenseExpired' }],
    [{ date_expired: '2026-11-20' }, { tone: 'error', text: 'licenseExpired' }],
    [{ date_expired: '2026-11-21' }, { tone: 'warning', text: 'licenseEndingToday' }],
    [{ date_expired: '2026-11-22' }, { tone: 'warning', text: 'licenseEnding' }],
    [{ date_expired: '2026-11-27' }, { tone: 'warning', text: 'licenseEnding' }],
    [{ date_expired: '2026-11-28' }, undefined],
    [
      { date_expired: inDays(400), is_test: true },
      { tone: 'warning', text: 'licenseTest' },
    ],
    [
      { date_expired: inDays(400), asset_count: 5, current_asset_count: 6 },
      { tone: 'warning', text: 'licenseOver' },
    ],
    [{ date_expired: inDays(7.5), asset_count: 5, current_asset_count: 5 }, undefined],
    [{ date_expired: '9999-12-31', asset_count: unlimitedAssets, current_asset_count: 100_000 }, undefined],
    [
      { asset_count: 0, current_asset_count: 1 },
      { tone: 'warning', text: 'licenseOver' },
    ],
  ])('%j shows %j', (license, text) => {
    expect(licenseText(license, now)).toEqual(text)
  })
})

describe('the password', () => {
  it.each([
    ['local', inDays(-90), 'passwordExpired'],
    ['local', inDays(-85), 'passwordEnding'],
    ['local', inDays(-84), undefined],
    ['ldap', inDays(-200), undefined],
    ['local', null, undefined],
  ])('of a %s user changed %s shows %s', (source, changed, text) => {
    expect(passwordText(source, changed, 90, now)).toBe(text)
  })
})
