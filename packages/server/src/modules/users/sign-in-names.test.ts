import { describe, expect, it } from 'vitest'
import { isSameName, nameKeys } from './sign-in-names.ts'
import { addressFor } from './user-hooks.ts'

describe('two sign-in names', () => {
  it.each([
    ['olga', 'OLGA'],
    ['admin', 'аdmin'],
    ['admin', 'ａｄｍｉｎ'],
    ['admin', 'ad\u200bmin '],
    ['ADMIN', 'АDМІN'],
    ['bob', 'ВОВ'],
    ['coco', 'сосо'],
    ['straße', 'STRASSE'],
    ['ipek', 'İPEK'],
    ['ipek', 'ıpek'],
    ['kelvin', '\u212aelvin'],
    ['vera', 'νera'],
    ['hanna', 'Ηanna'],
  ])('%s and %s are the same', (one, other) => {
    expect(isSameName(one, other)).toBe(true)
    expect(isSameName(other.toUpperCase(), one.toLowerCase())).toBe(true)
  })

  it.each([
    ['user1', 'userl'],
    ['anna', 'hanna'],
    ['мария', 'марина'],
    ['张伟', '张玮'],
    ['a b', 'ab'],
    ['o', '0'],
  ])('%s and %s are not', (one, other) => {
    expect(isSameName(one, other)).toBe(false)
  })

  it('have one key where nothing looks like a letter of another script', () => {
    expect(nameKeys('Olga.Ivanova@Example.com')).toEqual(['olga.ivanova@example.com'])
  })
})

it.each([
  ['corp.example', 'olga@corp.example'],
  ['@corp.example ', 'olga@corp.example'],
  ['corp.example\r\nBcc: x@evil.example', 'olga@example.com'],
  ['', 'olga@example.com'],
])('a user without an address gets a sound one by the suffix %j', (suffix, address) => {
  expect(addressFor('olga', suffix)).toBe(address)
})
