import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandPattern, hits } from './pattern.ts'

describe('the pattern of a command group', () => {
  it('joins lines, keeps words whole and lets any white space stand between arguments', () => {
    expect(commandPattern('command', 'rm -rf\r\nreboot\n\nls2')).toBe('rm\\s+\\-rf|\\breboot\\b|\\bls2')
  })

  it('takes a regular expression as it is', () => {
    expect(commandPattern('regex', '^drop\\s+table')).toBe('^drop\\s+table')
  })

  it.each([
    ['rm -rf', 'rm   -rf /', true],
    ['rm -rf', 'sudo rm\t-rf x', true],
    ['rm -rf', 'rm -r f', false],
    ['reboot', 'reboot', true],
    ['reboot', 'sudo reboot now', true],
    ['reboot', 'rebooted', false],
    ['reboot', 'xreboot', false],
    ['a.c', 'abc', false],
    ['   ', 'anything at all', false],
    ['', '', false],
  ])('%j against %j is %j', (content, command, hit) => {
    expect(hits(commandPattern('command', content), true, command)).toBe(hit)
  })

  it('minds the case only when told to', () => {
    expect(hits('\\breboot\\b', true, 'REBOOT')).toBe(true)
    expect(hits('\\breboot\\b', false, 'REBOOT')).toBe(false)
  })

  it('hits nothing when it is no regular expression', () => {
    expect(hits('(', true, '(')).toBe(false)
  })

  it('always is a regular expression that finds the words it was made of', () => {
    const word = fc.stringMatching(/^[!-~]{1,8}$/)
    fc.assert(
      fc.property(fc.array(word, { minLength: 2, maxLength: 4 }), (words) => {
        const pattern = commandPattern('command', words.join('  '))
        expect(hits(pattern, false, words.join(' '))).toBe(true)
        expect(hits(pattern, false, `x ${words.join('\t ')} y`)).toBe(true)
      }),
    )
  })
})
