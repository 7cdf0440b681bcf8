import { expect, it } from 'vitest'
import { compilePattern, compileRowPattern, patternFault } from './patterns.ts'

it.each([
  ['rm\\s+\\-rf', 'sudo rm   -rf /', 'rm   -rf'],
  ['(?i)drop\\s+table', 'DROP TABLE users', 'DROP TABLE'],
  ['\\Als\\z', 'ls', 'ls'],
  ['(?P<what>mkfs)\\.', 'mkfs.ext4', 'mkfs.'],
  ['[[:digit:]]+', 'kill 42', '42'],
  ['删除', '请删除它', '删除'],
])('%s matches a part of %j', (source, text, part) => {
  expect(compilePattern(source)?.find(text)).toBe(part)
})

it('is case-sensitive unless asked to ignore case', () => {
  expect(compilePattern('reboot')?.find('REBOOT')).toBeUndefined()
  expect(compilePattern('reboot', true)?.find('REBOOT')).toBe('REBOOT')
})

// A backtracking engine would need exponential time for these.
it.each(['(a+)+$', '^(\\w+\\s?)*$', '(a|aa)+$', '(.*a){20}b'])('%s matches a long text in linear time', (source) => {
  expect(compilePattern(source)?.find(`${'a'.repeat(10_000)}!`)).toBeUndefined()
})

it.each([
  ['(', '('],
  ['rm (?=-rf)', '(?='],
  ['(a)\\1', '\\1'],
  ['a{9999}', '{9999}'],
])('%s is invalid because of %s', (source, fault) => {
  expect(patternFault(source)).toBe(fault)
  expect(compilePattern(source)).toBeUndefined()
})

it('that is so large that matching it takes long is refused', () => {
  const words = Array.from({ length: 400 }, (_none, at) => `word-${at}`).join('|')
  expect([compileRowPattern('^web-\\d{1,3}$')?.find('web-12'), patternFault(words)]).toEqual(['web-12', undefined])
  expect([compileRowPattern('[a-z]'.repeat(2000)), patternFault('[a-z]'.repeat(12_000))]).toEqual([
    undefined,
    '[a-z]'.repeat(20),
  ])
  expect(patternFault('('.repeat(1_000_000))).toBe('('.repeat(100))
})
