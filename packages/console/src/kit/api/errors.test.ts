import { describe, expect, it } from 'vitest'
import { errorText, fieldErrors } from './errors.ts'

describe('the message of an error body', () => {
  it('uses the order error, msg, detail, non_field_errors, items, text', () => {
    expect(errorText({ error: 'e', msg: 'm', detail: 'd' })).toBe('e')
    expect(errorText({ msg: 'm', detail: 'd' })).toBe('m')
    expect(errorText({ detail: 'd', non_field_errors: ['n'] })).toBe('d')
    expect(errorText({ non_field_errors: ['a', 'b'] })).toBe('a b')
    expect(errorText(['a', { detail: 'b' }])).toBe('a; b')
    expect(errorText('plain')).toBe('plain')
  })
  it('never shows an HTML page, and is empty for field errors', () => {
    expect(errorText('<html>boom</html>')).toBe('')
    expect(errorText({ name: ['taken'] })).toBe('')
  })
})

describe('field errors', () => {
  it('joins texts and names nested fields', () => {
    expect(fieldErrors({ name: ['a', 'b'], rules: { ip_group: ['bad'] }, protocols: [{}, { port: ['low'] }] })).toEqual(
      {
        name: 'a; b',
        'rules.ip_group': 'bad',
        'protocols.1.port': 'low',
      },
    )
  })
  it('omits general errors', () => {
    expect(fieldErrors({ detail: 'x', code: 'y', non_field_errors: ['z'] })).toEqual({})
  })
})
