import { expect, test } from 'vitest'
import { shellForms } from './shell-quoting.ts'

test.each([
  ['r\\m -rf x', 'rm -rf x'],
  ['r""m -rf x', 'rm -rf x'],
  ["'r'm -rf x", 'rm -rf x'],
  ['"rm" \'-\'rf x', 'rm -rf x'],
  ["$'\\x72m' -rf x", 'rm -rf x'],
  ["$'\\162\\u006d' -rf x", 'rm -rf x'],
  ['$"rm" -rf x', 'rm -rf x'],
  ['r\\\nm -rf x', 'rm -rf x'],
  ['rm$IFS-rf$\u007bIFS}x', 'rm -rf x'],
  ['r$@m -r$\u007b*}f x', 'rm -rf x'],
  ['r$()m -r``f x', 'rm -rf x'],
  ['{rm,-rf,x}', 'rm -rf x'],
  ["sh -c 'r\\m -rf x'", 'sh -c rm -rf x'],
  ['sh -c "r\\\\m -rf x"', 'sh -c rm -rf x'],
  ['"r\\m"', 'r\\m'],
])('%j is also matched as %j', (typed, plain) => {
  const forms = shellForms(typed)
  expect(forms[0]).toBe(typed)
  expect(forms).toContain(plain)
})

test('a text without quoting has one form, and an open quote hides nothing after it', () => {
  expect(shellForms('ls -la /tmp')).toEqual(['ls -la /tmp'])
  expect(shellForms("echo don't; r\\m -rf x")).toContain('echo dont; rm -rf x')
  expect(shellForms('echo $\u007bx,} "')).toContain('echo $\u007bx,} ')
})

test('the number of forms is bounded, whatever is multiplied', () => {
  const forms = shellForms(`${'a{b,c}'.repeat(2000)} ${'{a,b}{c,d}{e,f} '.repeat(500)} ${"'".repeat(5001)}`)
  expect(forms.length).toBeLessThan(8)
  expect(Math.max(...forms.map((form) => form.length))).toBeLessThan(200_000)
})
