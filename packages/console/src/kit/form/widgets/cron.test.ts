import { describe, expect, it } from 'vitest'
import { isCron, joinCron, modeOf, onlyCron, splitCron, textOf, withPart } from './cron.ts'

const change = (expression: string, part: Parameters<typeof withPart>[1], text: string) =>
  joinCron(withPart(splitCron(expression), part, text))

describe('a field of a cron expression', () => {
  it.each([
    ['*', { kind: 'any' }],
    ['1-5', { kind: 'range', from: 1, to: 5 }],
    ['*/10', { kind: 'every', step: 10 }],
    ['1,3,5', { kind: 'list', values: [1, 3, 5] }],
    ['7', { kind: 'list', values: [7] }],
    ['1-5,10', { kind: 'text' }],
  ])('%s is parsed', (text, mode) => {
    expect(modeOf(text)).toEqual(mode)
  })
  it('is written as it was read, with sorted lists', () => {
    expect(textOf({ kind: 'list', values: [30, 0, 15] })).toBe('0,15,30')
    expect(textOf({ kind: 'list', values: [] })).toBe('*')
    expect(textOf({ kind: 'range', from: 1, to: 5 })).toBe('1-5')
    expect(textOf({ kind: 'every', step: 2 })).toBe('*/2')
  })
  it('accepts digits and the four signs only', () => {
    expect(onlyCron('a1-5, */2?L')).toBe('1-5,*/2')
  })
})

describe('effect of a change on the other fields', () => {
  it('every minute means every hour', () => expect(change('0 5 * * *', 'minute', '*')).toBe('* * * * *'))
  it('a fixed hour turns every minute into minute 0', () => expect(change('* * * * *', 'hour', '5')).toBe('0 5 * * *'))
  it('a fixed day turns minute and hour into 0', () => expect(change('* * * * *', 'day', '1')).toBe('0 0 1 * *'))
  it('a fixed month turns minute and hour into 0', () => expect(change('* * * * *', 'month', '6')).toBe('0 0 * 6 *'))
  it('a fixed time is not changed', () => expect(change('30 4 * * *', 'day', '1')).toBe('30 4 1 * *'))
})

describe('an expression', () => {
  it('has five fields', () => {
    expect(isCron('0 0 * * *')).toBe(true)
    expect(isCron('0 0 * * * *')).toBe(false)
    expect(isCron('0 0 * *')).toBe(false)
  })
  it('has valid values only', () => {
    expect(isCron('*/5 0-23 1,15 1-12 0')).toBe(true)
    expect(isCron('60 0 * * *')).toBe(false)
    expect(isCron('0 24 * * *')).toBe(false)
    expect(isCron('5-1 0 * * *')).toBe(false)
    expect(isCron('*/0 0 * * *')).toBe(false)
    expect(isCron('x 0 * * *')).toBe(false)
  })
})
