import { describe, expect, it } from 'vitest'
import { errorAt, holds, problemOf, rulesFor } from './checks.ts'

describe('checks', () => {
  it('use metadata for the error', () => {
    expect(problemOf('', { type: 'string' }, true)).toEqual({ kind: 'required' })
    expect(problemOf('', { type: 'string' }, false)).toBeUndefined()
    expect(problemOf(false, { type: 'boolean' }, true)).toBeUndefined()
    expect(problemOf('abc', { type: 'string', max_length: 2 }, false)).toEqual({ kind: 'long', limit: 2 })
    expect(problemOf(101, { type: 'integer', max_value: 100 }, false)).toEqual({ kind: 'high', limit: 100 })
    expect(problemOf('nobody', { type: 'email' }, false)).toEqual({ kind: 'email' })
    for (const typed of ['many', '12a', '0x1f', '-'])
      expect(problemOf(typed, { type: 'integer' }, false)).toEqual({ kind: 'number' })
    expect(problemOf('1,200', { type: 'integer' }, false)).toBeUndefined()
  })
})

describe('the rules of a field', () => {
  it('reject characters in new names, but not in existing ones', () => {
    expect(rulesFor('name', {}, false)).toEqual(['noEmoji'])
    expect(rulesFor('accounts.0.username', { validation: { rules: ['noParenthesis'] } }, false)).toEqual([
      'noParenthesis',
      'noEmoji',
    ])
    expect(rulesFor('name', { validation: { rules: ['noParenthesis', 'word'] } }, true)).toEqual(['word'])
    expect(rulesFor('comment', {}, false)).toEqual([])
  })
})

describe('visibility of a field', () => {
  it('depends on equal values, any value, or a list entry', () => {
    expect(holds({ a: 1, b: 'x' }, { a: 1, b: { value: 'x', label: 'X' } })).toBe(true)
    expect(holds({ a: 1, b: 'x' }, { a: 1, b: 'y' })).toBe(false)
    expect(holds('a', { a: 0 })).toBe(true)
    expect(holds('a', { a: '' })).toBe(false)
    expect(holds([{ a: 1 }, 'b'], { a: 2, b: true })).toBe(true)
  })
})

describe('errors of the server', () => {
  it('are shown at their field, nested ones joined, ports by commas', () => {
    expect(errorAt({ name: 'taken' }, 'name')).toBe('taken')
    expect(errorAt({ 'rows.0.name': 'blank', 'rows.1.name': 'long' }, 'rows')).toBe('blank; long')
    expect(errorAt({ 'rows.0.port': 'low', 'rows.1.port': 'high' }, 'rows')).toBe('low, high')
    expect(errorAt({ names: 'x' }, 'name')).toBeUndefined()
  })
})
