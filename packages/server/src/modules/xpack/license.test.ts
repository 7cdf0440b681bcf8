import { describe, expect, it } from 'vitest'
import { isUnexpired, type License } from './license.ts'

const until = (expires: number | null): License => ({
  id: '0c1f8e0a-0000-4000-8000-000000000001',
  corporation: 'Halden',
  issued: 0,
  expires,
  assets: null,
  test: false,
})

describe('a licence', () => {
  it('is good to the end of its last day, which is the one people are told', () => {
    const expires = Date.parse('2026-11-21T09:30:00Z')
    expect(isUnexpired(until(expires), Date.parse('2026-11-20T23:59:59Z'))).toBe(true)
    expect(isUnexpired(until(expires), Date.parse('2026-11-21T09:30:01Z'))).toBe(true)
    expect(isUnexpired(until(expires), Date.parse('2026-11-21T23:59:59Z'))).toBe(true)
    expect(isUnexpired(until(expires), Date.parse('2026-11-22T00:00:00Z'))).toBe(false)
    expect(isUnexpired(until(null), Date.parse('2999-01-01'))).toBe(true)
  })
})
