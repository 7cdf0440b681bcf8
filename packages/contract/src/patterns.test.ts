import { expect, it } from 'vitest'
import { compilePattern, patternFault } from './patterns.ts'

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
