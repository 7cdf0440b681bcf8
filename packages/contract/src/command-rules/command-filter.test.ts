import { expect, test } from 'vitest'
import { CommandFilter, type FilterAction, type FilterRule } from './command-filter.ts'

let count = 0
function rule(action: FilterAction, priority: number, pattern: string, more: Partial<FilterRule> = {}): FilterRule {
  count += 1
  const group = { id: `g${count}`, name: 'g', type: 'regex', content: '', ignore_case: true, pattern }
  return {
    id: `r${count}`,
    name: `${action} ${priority}`,
    action,
    priority,
    is_active: true,
    command_groups: [group],
    ...more,
  }
}
const decide = (rules: FilterRule[], ...readings: string[]) => new CommandFilter(rules).decide(readings).rule?.name

test('the higher priority value is matched first', () => {
  expect(decide([rule('reject', 10, 'rm'), rule('accept', 90, 'rm')], 'rm x')).toBe('accept 90')
  expect(decide([rule('accept', 10, 'rm'), rule('reject', 90, 'rm')], 'rm x')).toBe('reject 90')
})

test('among equals the stricter one decides', () => {
  expect(decide([rule('warning', 50, 'rm'), rule('reject', 50, 'rm'), rule('review', 50, 'rm')], 'rm')).toBe(
    'reject 50',
  )
})

test('either reading of a line matches, and none accepts', () => {
  expect(decide([rule('reject', 50, 'rm\\s+\\-rf')], 'ls', 'RM  -rf /')).toBe('reject 50')
  expect(decide([rule('reject', 50, 'rm')], 'ls')).toBeUndefined()
})

test('the strictest verdict on any reading counts: one reading cannot hide another', () => {
  const rules = [rule('accept', 90, '^ls'), rule('reject', 50, 'rm\\s+-rf')]
  expect(decide(rules, 'ls', 'rm -rf x')).toBe('reject 50')
  expect(decide(rules, 'ls', 'ls -l')).toBe('accept 90')
})

test('a suspicion is rejected by a rule that names it, not by one that rejects everything else', () => {
  const filter = new CommandFilter([
    rule('accept', 90, '^ls$'),
    rule('reject', 50, 'rm\\s+-rf'),
    rule('reject', 10, '.*'),
  ])
  expect(filter.decide(['ls'], { possible: ['cdls', 'lss\u007f'] }).rule?.name).toBe('accept 90')
  expect(filter.decide(['ls'], { possible: ['rm -rf x'] }).rule?.name).toBe('reject 50')
  expect(filter.decide(['cd']).rule?.name).toBe('reject 10')
  expect(filter.decide(['ls'], { possible: ['rm -rf xls'], decided: ['rm -rf x'] }).rule?.name).toBe('accept 90')
})

test('a rule matches the line as typed and as the shell reads it without quoting', () => {
  const rules = [rule('reject', 50, 'rm\\s+-rf')]
  for (const typed of ['r\\m -rf x', 'r""m -rf x', "'r'm -rf x", "$'\\x72m' -rf x", '{rm,-rf,x}'])
    expect(decide(rules, typed)).toBe('reject 50')
  expect(decide([rule('reject', 50, "'")], "'ls'")).toBe('reject 50')
})

test('inactive rules and invalid patterns never match', () => {
  expect(
    decide([rule('reject', 50, 'rm', { is_active: false }), rule('reject', 40, '('), rule('reject', 30, '')], 'rm ('),
  ).toBeUndefined()
})

test('a pattern with catastrophic backtracking answers at once', () => {
  expect(decide([rule('reject', 50, '(a+)+$')], `${'a'.repeat(10_000)}!`)).toBeUndefined()
  expect(decide([rule('reject', 50, '(a+)+$')], 'a'.repeat(10_000))).toBe('reject 50')
})

test('a command is matched as the shell reads it, also over several lines', () => {
  const rules = [rule('reject', 50, 'rm\\s+-rf')]
  expect(decide(rules, 'echo x; rm \\\n-rf /')).toBe('reject 50')
  expect(decide(rules, 'rm\n-r f')).toBeUndefined()
})

test('the end of a very long line is checked, or the line is rejected', () => {
  const filter = new CommandFilter([rule('reject', 50, 'shutdown')])
  const long = ' '.repeat(17_000)
  expect(filter.decide([`:${long}; shutdown`])).toEqual({ action: 'reject', isTooLong: true })
  expect(filter.decide([`${'echo line\n'.repeat(2000)}shutdown`]).rule?.name).toBe('reject 50')
  expect(filter.decide(['echo line\n'.repeat(2000)]).action).toBe('accept')
  expect(new CommandFilter([]).decide([long]).action).toBe('accept')
})
