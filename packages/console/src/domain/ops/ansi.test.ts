import { describe, expect, it } from 'vitest'
import { styledText } from './ansi.ts'

const shown = (text: string) => styledText(text).map(({ text, style }) => [text, style])

describe('colors in output', () => {
  it('become classes until they are reset', () => {
    expect(shown('a \u001b[31;1mred\u001b[0m b')).toEqual([
      ['a ', ''],
      ['red', 'ansi-red ansi-bold'],
      [' b', ''],
    ])
    expect(shown('\u001b[92mok\u001b[39m\u001b[4mx')).toEqual([
      ['ok', 'ansi-green'],
      ['x', 'ansi-underline'],
    ])
  })

  it('are skipped with their arguments where there is no class', () => {
    expect(shown('\u001b[38;5;31mx\u001b[38;2;1;2;31my\u001b[48;5;4mz')).toEqual([
      ['x', ''],
      ['y', ''],
      ['z', ''],
    ])
  })

  it('are all that is left of control sequences', () => {
    expect(shown('a\u001b[2Jb\u001b]0;title\u0007c\u001b[1;1Hd\u001b')).toEqual([['abcd', '']])
  })
})
