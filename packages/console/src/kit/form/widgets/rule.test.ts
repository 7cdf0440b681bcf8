import { describe, expect, it } from 'vitest'
import { encodeRule, matches, namesNobody, newRule, withMatch, withRule } from './rule.ts'

const name = { name: 'name', label: 'name', type: 'str' } as const
const address = { name: 'address', label: 'address', type: 'ip' } as const
const active = { name: 'is_active', label: 'active', type: 'bool' } as const

describe('rules by attributes', () => {
  it('offer the matches of the attribute', () => {
    expect(matches.str).toEqual(['exact', 'not', 'in', 'contains', 'startswith', 'endswith', 'regex'])
    expect(matches.ip.at(-1)).toBe('ip_in')
    expect(matches.int.slice(-2)).toEqual(['gte', 'lte'])
    expect([matches.bool, matches.m2m, matches.fk, matches.select]).toEqual([
      ['exact', 'not'],
      ['m2m', 'm2m_all'],
      ['m2m'],
      ['in'],
    ])
  })
  it('start with the first match and a matching empty value', () => {
    expect(newRule(active)).toEqual({ name: 'is_active', match: 'exact', value: true })
    expect(newRule(name).value).toBe('')
  })
  it('drop a value that does not fit the new match, and keep one that does', () => {
    const rule = { name: 'address', match: 'exact', value: '10.0.0.1' }
    expect(withMatch(rule, address, 'ip_in').value).toEqual([])
    expect(withMatch(rule, address, 'contains').value).toBe('10.0.0.1')
  })
  it('replace the rule of the same attribute', () => {
    const rules = [newRule(name), newRule(active)]
    expect(withRule(rules, { name: 'name', match: 'exact', value: 'a' })).toEqual([
      { name: 'name', match: 'exact', value: 'a' },
      newRule(active),
    ])
  })
  it('with an empty selection are detected', () => {
    expect(namesNobody({ type: 'all' })).toBe(false)
    expect(namesNobody({ type: 'ids', ids: [] })).toBe(true)
    expect(namesNobody({ type: 'attrs', attrs: [] })).toBe(true)
    expect(namesNobody({ type: 'ids', ids: ['x'] })).toBe(false)
  })
  it('are sent as base64 of UTF-8', () => {
    expect(JSON.parse(Buffer.from(encodeRule({ value: '运维' }), 'base64').toString())).toEqual({ value: '运维' })
  })
})
