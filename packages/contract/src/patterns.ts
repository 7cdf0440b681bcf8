import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js'

/** A regular expression entered in a rule. */
export interface Pattern {
  /** The first matching part of a text; undefined without a match. */
  find(text: string): string | undefined
}

/**
 * Compiles a pattern in the RE2 syntax (github.com/google/re2/wiki/Syntax), the syntax of command groups in the v3 API.
 * Matching takes linear time for every pattern, so a pattern of one organization cannot delay the sessions of others.
 * Undefined if the pattern is invalid.
 */
export function compilePattern(source: string, ignoreCase = false): Pattern | undefined {
  const read = readPattern(source, ignoreCase)
  return 'fault' in read ? undefined : patternOf(read.compiled)
}

const patternOf = (compiled: RE2JS): Pattern => ({
  find(text) {
    const matcher = compiled.matcher(text)
    return matcher.find() ? (matcher.group() ?? '') : undefined
  },
})

/**
 * Instructions of a compiled pattern. Matching takes time for each of them and each character: patterns that are matched
 * with every row of a list have to be small, those of command groups may have a thousand words.
 */
const largest = { ofRows: 1000, ofCommands: 10_000 }
/** Characters of a pattern that is compiled to see how large it is. */
const longest = 65_536

/** Compiles a pattern that is matched with many rows; undefined if it is invalid or too large for that. */
export function compileRowPattern(source: string): Pattern | undefined {
  if (source.length > longest) return undefined
  const read = readPattern(source, false)
  return 'fault' in read || read.compiled.programSize() > largest.ofRows ? undefined : patternOf(read.compiled)
}

/** The invalid part of a pattern, or the beginning of one that is too large; undefined if the pattern is valid. */
export function patternFault(source: string): string | undefined {
  const beginning = source.slice(0, 100)
  if (source.length > longest) return beginning
  const read = readPattern(source, false)
  if ('fault' in read) return read.fault
  return read.compiled.programSize() > largest.ofCommands ? beginning : undefined
}

function readPattern(source: string, ignoreCase: boolean): { compiled: RE2JS } | { fault: string } {
  try {
    return { compiled: RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) }
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    return { fault: (error instanceof RE2JSSyntaxException && error.getPattern()) || source }
  }
}
