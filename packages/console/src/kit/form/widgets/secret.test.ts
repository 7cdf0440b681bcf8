import { describe, expect, it } from 'vitest'
import { brokenRule, type Rules, strength } from './Secret.tsx'

const rules: Rules = { minLength: 7, upper: true, lower: true, digit: true, special: true }

describe('the password rules of the installation', () => {
  it.each([
    ['', undefined],
    ['Ab1!', 'ruleLength'],
    ['abcdef1!', 'ruleUpper'],
    ['ABCDEF1!', 'ruleLower'],
    ['Abcdefg!', 'ruleDigit'],
    ['Abcdefg1', 'ruleSpecial'],
    ['Abcdef1!', undefined],
  ])('%j breaks %s', (password, broken) => {
    expect(brokenRule(password, rules)).toBe(broken)
  })

  it('require only the length if no rule is set', () => {
    const none = { minLength: 5, upper: false, lower: false, digit: false, special: false }
    expect(brokenRule('abcd', none)).toBe('ruleLength')
    expect(brokenRule('abcde', none)).toBeUndefined()
  })

  it('limit the strength to weak while one is broken', () => {
    expect(strength('', rules)).toBe(0)
    expect(strength('longer-than-anybody-types', rules)).toBe(1)
    expect(strength('Longer-than-anybody-types-1', rules)).toBe(4)
  })
})
