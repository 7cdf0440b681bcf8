import { consoleMessages } from '@castellan/contract/messages/console'
import { expect, it } from 'vitest'
import { nounFor, setTexts } from './text.ts'

it('plural nouns differ in English only', () => {
  const texts = (language: 'en' | 'zh') =>
    Object.fromEntries(Object.entries(consoleMessages).map(([key, text]) => [key, text[language]]))
  setTexts('en', texts('en'))
  expect([nounFor('group', 1), nounFor('group', 2), nounFor('apiKey', 2)]).toEqual([
    'user group',
    'user groups',
    'API keys',
  ])
  setTexts('zh', texts('zh'))
  expect(nounFor('group', 2)).toBe('用户组')
})
