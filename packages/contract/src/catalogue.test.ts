import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fill, languages, type Message } from './messages.ts'

/** Everything in a module that is a text, with the way to it. Functions and other values have none. */
function textsIn(value: unknown, way: string, seen = new Set<unknown>()): [string, Message][] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return []
  seen.add(value)
  if ('en' in value && 'zh' in value) return [[way, value as Message]]
  return Object.entries(value).flatMap(([key, one]) => textsIn(one, `${way}.${key}`, seen))
}

const folder = new URL('./', import.meta.url)
const modules = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
)
const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted()

describe('texts', async () => {
  const all: [string, Message][] = []
  for (const file of modules) all.push(...textsIn(await import(new URL(file, folder).href), file))

  it('finds them all', () => {
    expect(all.length).toBeGreaterThan(1500)
    expect(all.map(([way]) => way)).toContain('messages/errors.ts.errors.required')
  })

  it('has every text in every language; only prompts of a terminal end with a blank', () => {
    const incomplete = all.filter(([, text]) =>
      languages.some((language) => !text[language].trim() || text[language] !== text[language].trimStart()),
    )
    expect(incomplete.map(([way]) => way)).toEqual([])
    expect(all.filter(([, text]) => Object.keys(text).length !== languages.length)).toEqual([])
  })

  it('uses the same placeholders in every language', () => {
    const different = all.filter(([, { en, ...others }]) =>
      Object.values(others).some((other) => String(placeholders(other)) !== String(placeholders(en))),
    )
    expect(different.map(([way]) => way)).toEqual([])
  })

  it('picks the form of a word that goes with a number', () => {
    const text = 'ends in {days} {days|day|days}'
    expect([1, 2, '1,001'].map((days) => fill(text, { days }))).toEqual([
      'ends in 1 day',
      'ends in 2 days',
      'ends in 1,001 days',
    ])
    expect(all.filter(([, { en }]) => en.includes('(s)')).map(([way]) => way)).toEqual([])
  })

  it('writes English without Chinese or Japanese characters, and the others with the right ones', () => {
    const cjk = /[぀-ヿ一-鿿]/
    expect(all.filter(([, { en }]) => cjk.test(en)).map(([way]) => way)).toEqual([])
    expect(all.filter(([, { zh }]) => /[぀-ヿ]/.test(zh)).map(([way]) => way)).toEqual([])
  })
})
