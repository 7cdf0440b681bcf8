import { describe, expect, it } from 'vitest'
import { listOf, withWords, wordsIn } from './tags.ts'

describe('words of a tag input', () => {
  it('come apart at commas, lines and blanks when many are pasted', () => {
    expect(wordsIn('a, b\nc  d；e')).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(wordsIn('rm -rf, shut down', false)).toEqual(['rm -rf', 'shut down'])
  })
  it('stand once each', () => expect(withWords(['a'], ['b', 'a'])).toEqual(['a', 'b']))
  it('are read from a text with commas as well', () => {
    expect(listOf('10.0.0.1, *')).toEqual(['10.0.0.1', '*'])
    expect(listOf(['a'])).toEqual(['a'])
    expect(listOf(undefined)).toEqual([])
  })
})
