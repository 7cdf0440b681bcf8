import { describe, expect, it } from 'vitest'
import type { Fields } from '../api/metadata.ts'
import {
  cloneValues,
  get,
  infoOf,
  nothingOf,
  parts,
  same,
  set,
  specOf,
  toWire,
  valuesFromRow,
  widgetFor,
  withDefaults,
  withRows,
} from './values.ts'

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
  it('are plain choices and unchanged relations, also when nested', () => {
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
  it('use defaults if empty, in nested objects too', () => {
    expect(withDefaults({}, fields)).toEqual({ basic: { font: 14 } })
    expect(withDefaults({ basic: { font: 9 } }, fields)).toEqual({ basic: { font: 9 } })
  })
  it('of a clone have another name and no id', () => {
    expect(cloneValues({ id: '1', name: 'web' }, 'Copy of ')).toEqual({ name: 'Copy of web' })
  })
})

describe('values to the wire', () => {
  it('are empty values of their type where a field was not changed', () => {
    const labels = { type: 'field', child: { type: 'nested object', children: { name: { type: 'string' } } } }
    expect([{ type: 'boolean' }, { type: 'm2m_related_field' }, labels, { type: 'string' }].map(nothingOf)).toEqual([
      false,
      [],
      [],
      '',
    ])
    expect([{ type: 'datetime' }, { type: 'object_related_field' }].map(nothingOf)).toEqual([null, null])
  })
  it('are references, or plain ids on request', () => {
    const info = { type: 'm2m_related_field' }
    expect(toWire([{ id: 'a', name: 'A' }, 'b'], {}, info, {})).toEqual([{ pk: 'a' }, { pk: 'b' }])
    expect(toWire([{ id: 'a', name: 'A' }, 'b'], {}, info, { plain: true })).toEqual(['a', 'b'])
    expect(toWire(null, {}, { type: 'object_related_field' })).toBeNull()
  })
  it('are trimmed, but secrets are not', () => {
    expect(toWire(' a ', {}, { type: 'string' })).toBe('a')
    expect(toWire(' a ', { sending: { secret: true } }, { type: 'string' })).toBe(' a ')
  })
  it('are timestamps in ISO format', () => {
    expect(toWire('2024/01/31 08:00:00 +0800', {}, { type: 'datetime' })).toBe('2024-01-31T00:00:00.000Z')
  })
})

describe('paths', () => {
  it('read and write without changing the original', () => {
    const old = { a: { b: 1, c: 2 } }
    expect(set(old, 'a.b', 3)).toEqual({ a: { b: 3, c: 2 } })
    expect(old.a.b).toBe(1)
    expect(get(old, 'a.c')).toBe(2)
    expect(get(old, 'x.y')).toBeUndefined()
  })
})

describe('the widget of an undeclared field', () => {
  it('follows the type and some names', () => {
    expect(widgetFor('comment', { type: 'string', max_length: 9 })).toBe('textarea')
    expect(widgetFor('x', { type: 'string' })).toBe('textarea')
    expect(widgetFor('x', { type: 'string', max_length: 9 })).toBe('text')
    expect(widgetFor('x', { type: 'string', write_only: true })).toBe('password')
    expect(widgetFor('x', { type: 'tree' })).toBe('tree')
    expect(widgetFor('x', { type: 'string', read_only: true })).toBe('read-only')
  })
})

describe('nested and repeated fields', () => {
  const fields = {
    rules: { type: 'nested object', children: { ip: { type: 'list' }, secret: { type: 'string', read_only: true } } },
    rows: {
      type: 'field',
      child: { type: 'nested object', children: { name: { type: 'string' }, port: { type: 'integer' } } },
    },
  }
  it('an object is replaced by its fields unless it is declared as a whole', () => {
    expect(parts('rules', fields, undefined)).toEqual(['rules.ip'])
    expect(parts('rules', fields, { rules: { widget: 'json' } })).toEqual(['rules'])
  })
  it('rows include the fields of each row', () => {
    const values = { rows: [{ name: 'a' }, { name: 'b' }] }
    expect(withRows(['rows'], values, fields, undefined)).toEqual([
      'rows',
      'rows.0.name',
      'rows.0.port',
      'rows.1.name',
      'rows.1.port',
    ])
    expect(infoOf(fields, 'rows.1.port')).toEqual({ type: 'integer' })
    expect(specOf({ 'rows.*.port': { layout: { half: true } } }, 'rows.1.port')).toEqual({ layout: { half: true } })
  })
  it('one field of one row is set without changing the others', () => {
    const values = { rows: [{ port: 1 }, { port: 2 }] }
    expect(set(values, 'rows.1.port', 3)).toEqual({ rows: [{ port: 1 }, { port: 3 }] })
    expect(get(values, 'rows.1.port')).toBe(2)
  })
})

describe('unknown text', () => {
  it('becomes a new object where allowed; a v4 id stays an id', () => {
    const info = { type: 'm2m_related_field' }
    const id = '0f3b2c1d-1111-4222-8333-444455556666'
    expect(toWire(['prod', id], {}, info, { create: true })).toEqual([{ name: 'prod' }, { pk: id }])
    expect(toWire([{ name: 'prod' }], {}, info, { create: true })).toEqual([{ name: 'prod' }])
  })
  it('empty and absent values are equal, so an undone change is not a change', () => {
    expect(same('', undefined)).toBe(true)
    expect(same({ a: 1 }, { a: 1 })).toBe(true)
    expect(same('a', 'b')).toBe(false)
  })
})
