import { expect, test } from 'vitest'
import type { CommandFilterAcl, FilterAction } from '../server-client/wire.ts'
import { CommandFilter } from './command-filter.ts'

let count = 0
function rule(
  action: FilterAction,
  priority: number,
  pattern: string,
  more: Partial<CommandFilterAcl> = {},
): CommandFilterAcl {
  count += 1
  const group = { id: `g${count}`, name: 'g', type: 'regex', content: '', ignore_case: true, pattern }
  return {
    id: `r${count}`,
    name: `${action} ${priority}`,
    action,
    priority,
    is_active: true,
    reviewers: [],
    command_groups: [group],
    ...more,
  }
}
const decide = (rules: CommandFilterAcl[], ...readings: string[]) =>
  new CommandFilter(rules).decide(readings).rule?.name

test('the higher priority value is matched first', () => {
  expect(decide([rule('reject', 10, 'rm'), rule('accept', 90, 'rm')], 'rm x')).toBe('accept 90')
  expect(decide([rule('accept', 10, 'rm'), rule('reject', 90, 'rm')], 'rm x')).toBe('reject 90')
})

test('among equals the stricter one decides', () => {
  expect(decide([rule('warning', 50, 'rm'), rule('reject', 50, 'rm'), rule('review', 50, 'rm')], 'rm')).toBe(
    'reject 50',
  )
})

test('either reading of a line hits, and none accepts', () => {
  expect(decide([rule('reject', 50, 'rm\\s+\\-rf')], 'ls', 'RM  -rf /')).toBe('reject 50')
  expect(decide([rule('reject', 50, 'rm')], 'ls')).toBeUndefined()
})

test('inactive rules and patterns that are none never match', () => {
  expect(
    decide([rule('reject', 50, 'rm', { is_active: false }), rule('reject', 40, '('), rule('reject', 30, '')], 'rm ('),
  ).toBeUndefined()
})

test('a pattern that could be tried in endless ways answers at once', () => {
  expect(decide([rule('reject', 50, '(a+)+$')], `${'a'.repeat(10_000)}!`)).toBeUndefined()
  expect(decide([rule('reject', 50, '(a+)+$')], 'a'.repeat(10_000))).toBe('reject 50')
})

test('a command is matched as the shell reads it, also over several lines', () => {
  const rules = [rule('reject', 50, 'rm\\s+-rf')]
  expect(decide(rules, 'echo x; rm \\\n-rf /')).toBe('reject 50')
  expect(decide(rules, 'rm\n-r f')).toBeUndefined()
})

test('what stands behind a very long beginning is looked at, or the line is refused', () => {
  const filter = new CommandFilter([rule('reject', 50, 'shutdown')])
  const long = ' '.repeat(17_000)
  expect(filter.decide([`:${long}; shutdown`])).toEqual({ action: 'reject', isTooLong: true })
  expect(filter.decide([`${'echo line\n'.repeat(2000)}shutdown`]).rule?.name).toBe('reject 50')
  expect(filter.decide(['echo line\n'.repeat(2000)]).action).toBe('accept')
  expect(new CommandFilter([]).decide([long]).action).toBe('accept')
})
