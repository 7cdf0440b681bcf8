/** `sh -c "r\\m"` is read by two shells, and so on; deeper nesting is not followed. */
const mostPasses = 4
/** Characters; brace expansion may multiply a text. */
const longestExpansion = 16 * 1024

/** A shell removes a backslash at the end of a line together with the line end. */
const continuation = /\\\r?\n/gu

/** A command in several lines as the shell joins them; other texts are unchanged. */
export const joinedLines = (text: string): string => text.replace(continuation, '')

/** Expansions that are empty at a prompt (`r$@m`, `r$()m`), and the one that separates words. */
const emptyExpansion = /^(?:\$[@*1-9]|\$\{[@*1-9]\}|\$\(\s*\)|`\s*`)/u
const separator = /^(?:\$IFS(?!\w)|\$\{IFS[^}]*\})/u

const ansiEscapes: Record<string, string> = { a: '\u0007', b: '\b', e: '\u001b', E: '\u001b', f: '\f', v: '\v' }
const ansiBlanks: Record<string, string> = { n: '\n', r: '\r', t: '\t' }
const ansiNumber = /^\\(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|U([0-9a-f]{1,8})|([0-7]{1,3})|c(.))/iu

/**
 * Every form of a command that rules are matched against: as typed, and as a shell reads it after joining lines,
 * removing simple quoting and expanding braces. The typed text comes first.
 */
export function shellForms(text: string): string[] {
  const forms = new Set([text, joinedLines(text)])
  let form = joinedLines(text)
  for (let pass = 0; pass < mostPasses; pass++) {
    const next = withoutQuotes(withoutBraces(form))
    if (next === form) break
    forms.add(next)
    form = next
  }
  return [...forms]
}

/** `{rm,-rf}` as `rm -rf`, `r{m,}` as `rm r`. */
function withoutBraces(text: string): string {
  if (!text.includes('{') || !text.includes(',')) return text
  let length = text.length
  const words = text.split(/([\s()<>;|&]+)/u).map((word) => {
    const written = expanded(word, longestExpansion - length)
    length += written.length - word.length
    return written
  })
  return words.join('')
}

/** A word with its braces expanded, the innermost first; unchanged if the result would exceed `room`. */
function expanded(word: string, room: number): string {
  let words = [word]
  for (;;) {
    const next = words.flatMap(oneBraceLess)
    if (next.length === words.length) return words.join(' ')
    if (next.join(' ').length - word.length > room) return word
    words = next
  }
}

function oneBraceLess(word: string): string[] {
  for (let close = word.indexOf('}'); close !== -1; close = word.indexOf('}', close + 1)) {
    const open = word.lastIndexOf('{', close)
    if (open === -1 || word[open - 1] === '$') continue
    const items = word.slice(open + 1, close).split(',')
    if (items.length > 1) return items.map((item) => word.slice(0, open) + item + word.slice(close + 1))
  }
  return [word]
}

/** Quote removal of one shell. An unclosed quote is removed alone. */
function withoutQuotes(text: string): string {
  let plain = ''
  for (let at = 0; at < text.length; ) {
    const char = text[at] as string
    const rest = char === '$' || char === '`' ? text.slice(at, at + 64) : ''
    const end = char === "'" ? text.indexOf("'", at + 1) : -1
    if (char === '\\') {
      plain += text[at + 1] ?? '\\'
      at += 2
    } else if (char === "'") {
      plain += end === -1 ? '' : text.slice(at + 1, end)
      at = end === -1 ? at + 1 : end + 1
    } else if (char === '"' || rest.startsWith('$"')) {
      const quoted = readDouble(text, at + (char === '$' ? 2 : 1))
      plain += quoted.text
      at = quoted.end
    } else if (rest.startsWith("$'")) {
      const quoted = readAnsi(text, at + 2)
      plain += quoted.text
      at = quoted.end
    } else {
      const empty = emptyExpansion.exec(rest)?.[0]
      const blank = separator.exec(rest)?.[0]
      plain += empty ? '' : blank ? ' ' : char
      at += (empty ?? blank ?? char).length
    }
  }
  return plain
}

/** Text in double quotes, where a backslash is special before few characters only. */
function readDouble(text: string, from: number): { text: string; end: number } {
  let plain = ''
  for (let at = from; at < text.length; at++) {
    const char = text[at] as string
    if (char === '"') return { text: plain, end: at + 1 }
    if (char === '\\' && '$`"\\'.includes(text[at + 1] ?? ' ')) at++
    plain += text[at]
  }
  return { text: '', end: from }
}

/** Text in `$'…'`, with its escapes decoded. */
function readAnsi(text: string, from: number): { text: string; end: number } {
  let plain = ''
  for (let at = from; at < text.length; ) {
    const char = text[at] as string
    if (char === "'") return { text: plain, end: at + 1 }
    if (char !== '\\') {
      plain += char
      at += 1
      continue
    }
    const number = ansiNumber.exec(text.slice(at, at + 10))
    if (number) {
      plain += ansiCharacter(number)
      at += number[0].length
    } else {
      const next = text[at + 1] ?? ''
      plain += ansiBlanks[next] ?? ansiEscapes[next] ?? next
      at += 2
    }
  }
  return { text: '', end: from }
}

function ansiCharacter([, hex, short, long, octal, control]: RegExpExecArray): string {
  if (control !== undefined) return String.fromCharCode((control.codePointAt(0) ?? 0) & 0x1f)
  const code = octal === undefined ? Number.parseInt(hex ?? short ?? long ?? '', 16) : Number.parseInt(octal, 8) & 0xff
  return code > 0x10ffff ? '' : String.fromCodePoint(code)
}
