import { compilePattern } from '@castellan/contract/patterns'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandPattern } from './pattern.ts'

const hits = (pattern: string, command: string) => compilePattern(pattern, true)?.find(command) !== undefined

describe('the pattern of a command group', () => {
  it('joins lines, matches whole words and allows any white space between arguments', () => {
    expect(commandPattern('command', 'rm -rf\r\nreboot\n\nls2')).toBe('rm\\s+\\-rf|\\breboot\\b|\\bls2')
  })

  it('uses a regular expression unchanged', () => {
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
    const pattern = commandPattern('command', content)
    expect(pattern !== '' && hits(pattern, command)).toBe(hit)
  })

  it('is always a valid regular expression that finds the words it was made of', () => {
    const word = fc.stringMatching(/^[!-~]{1,8}$/)
    fc.assert(
      fc.property(fc.array(word, { minLength: 2, maxLength: 4 }), (words) => {
        const pattern = commandPattern('command', words.join('  '))
        expect(hits(pattern, words.join(' '))).toBe(true)
        expect(hits(pattern, `x ${words.join('\t ')} y`)).toBe(true)
      }),
    )
  })
})
