import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fill, languages, type Message } from './messages.ts'

/** All texts in a module with their paths. Functions and other values are skipped. */
function textsIn(value: unknown, path: string, seen = new Set<unknown>()): [string, Message][] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return []
  seen.add(value)
  if ('en' in value && 'zh' in value) return [[path, value as Message]]
  return Object.entries(value).flatMap(([key, one]) => textsIn(one, `${path}.${key}`, seen))
}

const folder = new URL('./', import.meta.url)
const modules = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
)
const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted()

describe('texts', async () => {
  const all: [string, Message][] = []
  for (const file of modules) all.push(...textsIn(await import(new URL(file, folder).href), file))

  it('finds all texts', () => {
    expect(all.length).toBeGreaterThan(1500)
    expect(all.map(([path]) => path)).toContain('messages/errors.ts.errors.required')
  })

  it('has every text in every language; only terminal prompts end with a space', () => {
    const incomplete = all.filter(([, text]) =>
      languages.some((language) => !text[language].trim() || text[language] !== text[language].trimStart()),
    )
    expect(incomplete.map(([path]) => path)).toEqual([])
    expect(all.filter(([, text]) => Object.keys(text).length !== languages.length)).toEqual([])
  })

  it('uses the same placeholders in every language', () => {
    const different = all.filter(([, { en, ...others }]) =>
      Object.values(others).some((other) => String(placeholders(other)) !== String(placeholders(en))),
    )
    expect(different.map(([path]) => path)).toEqual([])
  })

  it('selects the word form that matches a number', () => {
    const text = 'ends in {days} {days|day|days}'
    expect([1, 2, '1,001'].map((days) => fill(text, { days }))).toEqual([
      'ends in 1 day',
      'ends in 2 days',
      'ends in 1,001 days',
    ])
    expect(all.filter(([, { en }]) => en.includes('(s)')).map(([path]) => path)).toEqual([])
  })

  it('uses no Chinese or Japanese characters in English, and no kana in Chinese', () => {
    const cjk = /[぀-ヿ一-鿿]/
    expect(all.filter(([, { en }]) => cjk.test(en)).map(([path]) => path)).toEqual([])
    expect(all.filter(([, { zh }]) => /[぀-ヿ]/.test(zh)).map(([path]) => path)).toEqual([])
  })
})
