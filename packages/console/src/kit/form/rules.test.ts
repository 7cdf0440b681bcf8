import { consoleMessages } from '@castellan/contract/messages/console'
import { beforeAll, describe, expect, it } from 'vitest'
import { setTexts } from '../text.ts'
import { brokenBy, type RuleName } from './rules.ts'

beforeAll(() => setTexts('en', Object.fromEntries(Object.entries(consoleMessages).map(([key, { en }]) => [key, en]))))

describe('rules of fields and their messages', () => {
  const table: [RuleName, unknown, unknown, string][] = [
    ['address', 'https://a.example/x?y=1#z', 'a b', 'Format error'],
    ['noEmoji', 'web-1', 'web 🚀', 'No special emoji allowed'],
    ['word', 'under_score9', 'a-b', 'Only numbers, letters and underscores can be entered'],
    ['noParenthesis', 'a', 'a (b)', 'Not contain ( )'],
    ['json', '{"a":1}', '{a:1}', 'Not a valid json format'],
    ['mapsUsername', '{"uid":"username"}', '{"uid":"name"}', 'Must contain a mapping for the username field'],
    ['label', 'env:prod', 'env', 'Format error, correct format is: name:value'],
    ['port', '22', '70000', 'Port Error, please check'],
    ['port', 443, 'abc', 'Port Error, please check'],
    [
      'ports',
      [{ name: 'ssh', port: 22 }],
      [
        { name: 'ssh', port: 22 },
        { name: 'vnc', port: null },
      ],
      'vnc: Port Error, please check',
    ],
    ['agreed', true, false, 'Please agree to the terms'],
    ['addresses', ['*', '10.0.0.1'], ['nowhere'], 'Not an address, network or range: nowhere'],
    ['cron', '0 2 * * *', '0 2 * *', 'Enter five fields: minute, hour, day, month, day of the week'],
  ]
  it.each(table)('%s accepts %s and reports %s', (rule, good, bad, text) => {
    expect(brokenBy([rule], good)).toBeUndefined()
    expect(brokenBy([rule], bad)).toBe(text)
  })
  it('ignore surrounding whitespace', () => {
    expect(brokenBy(['word'], ' name ')).toBeUndefined()
  })
  it('report the first broken rule', () => {
    expect(brokenBy(['noEmoji', 'word'], 'a b')).toBe('Only numbers, letters and underscores can be entered')
  })
})
