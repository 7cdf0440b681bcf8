import { expect, test } from 'vitest'
import { expandHistory } from './history-expansion.ts'

const history = ['rm -xf keep', 'ls -l', 'echo -rf']

test.each([
  ['!!', 'echo -rf'],
  ['sudo !-2 x', 'sudo ls -l x'],
  ['!rm:s/x/r/', 'rm -rf keep'],
  ['!?xf? more', 'rm -xf keep more'],
  ['rm !$ keep', 'rm -rf keep'],
  ['rm !* keep', 'rm -rf keep'],
  ['^echo^rm', 'rm -rf'],
  ['fc -s xf=rf rm', 'rm -rf keep'],
  ['fc -s', 'echo -rf'],
])('%s is %s', (line, expanded) => {
  expect(expandHistory(line, history)).toBe(expanded)
})

test('unknown references and text without an expansion are unchanged', () => {
  expect(expandHistory('echo done!', history)).toBeUndefined()
  expect(expandHistory('!unknown', history)).toBeUndefined()
  expect(expandHistory('!!', [])).toBeUndefined()
})
