import { describe, expect, it } from 'vitest'
import type { Fields } from '../api/metadata.ts'
import { cloneValues, get, problemOf, set, toWire, valuesFromRow, widgetFor, withDefaults } from './values.ts'

const fields: Fields = {
  type: { type: 'labeled_choice' },
  actions: { type: 'tree' },
  platform: { type: 'object_related_field' },
  basic: {
    type: 'nested object',
    children: { font: { type: 'integer', default: 14 }, kind: { type: 'labeled_choice' } },
  },
}

describe('values from the wire', () => {
  it('are bare choices, relations as they are, nested ones too', () => {
    const row = {
      type: { value: 'a', label: 'A' },
      actions: [{ value: 'connect', label: 'C' }],
      platform: { id: 1, name: 'Linux' },
      basic: { kind: { value: 'k', label: 'K' } },
    }
    expect(valuesFromRow(row, fields)).toEqual({
      type: 'a',
      actions: ['connect'],
      platform: { id: 1, name: 'Linux' },
      basic: { kind: 'k' },
    })
  })
  it('take defaults where nothing is, in nested objects too', () => {
    expect(withDefaults({}, fields)).toEqual({ basic: { font: 14 } })
    expect(withDefaults({ basic: { font: 9 } }, fields)).toEqual({ basic: { font: 9 } })
  })
  it('of a clone have another name and no id', () => {
    expect(cloneValues({ id: '1', name: 'web' }, 'Copy of ')).toEqual({ name: 'Copy of web' })
  })
})

describe('values to the wire', () => {
  it('are references, plain ones where asked', () => {
    const info = { type: 'm2m_related_field' }
    expect(toWire([{ id: 'a', name: 'A' }, 'b'], {}, info, {})).toEqual([{ pk: 'a' }, { pk: 'b' }])
    expect(toWire([{ id: 'a', name: 'A' }, 'b'], {}, info, { plain: true })).toEqual(['a', 'b'])
    expect(toWire(null, {}, { type: 'object_related_field' })).toBeNull()
  })
  it('are trimmed, but never secrets', () => {
    expect(toWire(' a ', {}, { type: 'string' })).toBe('a')
    expect(toWire(' a ', { secret: true }, { type: 'string' })).toBe(' a ')
  })
  it('are moments in ISO', () => {
    expect(toWire('2024/01/31 08:00:00 +0800', {}, { type: 'datetime' })).toBe('2024-01-31T00:00:00.000Z')
  })
})

describe('checks', () => {
  it('name what is wrong by metadata', () => {
    expect(problemOf('', { type: 'string' }, true)).toEqual({ kind: 'required' })
    expect(problemOf('', { type: 'string' }, false)).toBeUndefined()
    expect(problemOf(false, { type: 'boolean' }, true)).toBeUndefined()
    expect(problemOf('abc', { type: 'string', max_length: 2 }, false)).toEqual({ kind: 'long', limit: 2 })
    expect(problemOf(101, { type: 'integer', max_value: 100 }, false)).toEqual({ kind: 'high', limit: 100 })
    expect(problemOf('nobody', { type: 'email' }, false)).toEqual({ kind: 'email' })
  })
})

describe('paths', () => {
  it('read and write without touching the old', () => {
    const old = { a: { b: 1, c: 2 } }
    expect(set(old, 'a.b', 3)).toEqual({ a: { b: 3, c: 2 } })
    expect(old.a.b).toBe(1)
    expect(get(old, 'a.c')).toBe(2)
    expect(get(old, 'x.y')).toBeUndefined()
  })
})

describe('the widget of a field nobody spoke of', () => {
  it('follows the type and a few names', () => {
    expect(widgetFor('comment', { type: 'string', max_length: 9 })).toBe('textarea')
    expect(widgetFor('x', { type: 'string' })).toBe('textarea')
    expect(widgetFor('x', { type: 'string', max_length: 9 })).toBe('text')
    expect(widgetFor('x', { type: 'string', write_only: true })).toBe('password')
    expect(widgetFor('x', { type: 'tree' })).toBe('tree')
    expect(widgetFor('x', { type: 'string', read_only: true })).toBe('read-only')
  })
})
