import { describe, expect, test } from 'vitest'
import { RecalledLine } from './recalled-line.ts'
import { foundLines } from './search-prompts.ts'

describe('a line that a shell takes from its history', () => {
  test.each([
    '!!',
    '!pi',
    '!-2',
    '!?c 1?',
    'sudo !!',
    'echo "!pi"',
    'echo $!x',
    '!"rm',
    '^a^b',
    '^a^b^:p',
    'fc',
    'fc -s pi',
    'fc -e - pi',
    'fc -ls pi',
    'true; command fc -s',
    'if true; then fc -s; fi',
    'f\\c -s pi',
    'X=1 r',
    'r pi',
    'ls | r a=b',
    'hist -s pi',
    'histchars=@^#',
    'echo one\n!pi',
  ])('%j may run another one', (line) => {
    expect(new RecalledLine().mayRunOthers(line)).toBe(true)
  })

  test.each([
    'echo Hello World!',
    'echo "Hello World!"',
    "awk '!seen[$0]++' file",
    "echo 'it is !pi'",
    'echo \\!pi',
    '[ a != b ]',
    'find . ! -name x',
    '! grep x y',
    'ls [!a-z]*',
    `echo \${!name}`,
    'kill $!',
    '#!/bin/sh',
    'rm !(a|b)',
    'fc -l',
    'fc -n -l 5',
    'history',
    'ls r',
    'R --vanilla',
    'echo a^b',
    'grep "^a" b',
    'echo fc',
  ])('%j runs itself', (line) => {
    expect(new RecalledLine().mayRunOthers(line)).toBe(false)
  })

  test('within quotes of the line before, single ones protect nothing', () => {
    const lines = new RecalledLine()
    lines.given('echo "')
    expect(lines.mayRunOthers('\'";!pi;"\'')).toBe(true)
    lines.forget()
    expect(lines.mayRunOthers('\'";!pi;"\'')).toBe(false)
  })
})

describe('the line that a search has found', () => {
  test.each([
    ["(reverse-i-search)`ing -c': ping -c 1 127.0.0.1", ['ping -c 1 127.0.0.1']],
    ["(failed reverse-i-search)`ing -x': ping -c 1", ['ping -c 1']],
    ["(i-search)`rm': rm -rf x", ['rm -rf x']],
    ["(reverse-i-search)'rm': rm -rf x", ['rm -rf x']],
    ["(ins)(reverse-i-search)`rm': rm -rf x", ['rm -rf x']],
    ["(reverse-i-search)`x': ls': rm x': ls", ["ls': rm x': ls", "rm x': ls", 'ls']],
    ["(reverse-i-search)`': ", ['']],
    ["$ echo (reverse-i-search)`x': y", undefined],
  ])('%j', (line, found) => {
    expect(foundLines(line)).toEqual(found)
  })
})
