import { describe, expect, it } from 'vitest'
import { listOf, withWords, wordsIn } from './tags.ts'

describe('tags', () => {
  it('are split at commas, line ends and spaces when pasted', () => {
    expect(wordsIn('a, b\nc  d；e')).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(wordsIn('rm -rf, shut down', false)).toEqual(['rm -rf', 'shut down'])
  })
  it('are unique', () => expect(withWords(['a'], ['b', 'a'])).toEqual(['a', 'b']))
  it('are also parsed from comma-separated text', () => {
    expect(listOf('10.0.0.1, *')).toEqual(['10.0.0.1', '*'])
    expect(listOf(['a'])).toEqual(['a'])
    expect(listOf(undefined)).toEqual([])
  })
})
