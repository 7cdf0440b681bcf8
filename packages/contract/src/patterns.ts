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
  if ('fault' in read) return undefined
  return {
    find(text) {
      const matcher = read.compiled.matcher(text)
      return matcher.find() ? (matcher.group() ?? '') : undefined
    },
  }
}

/** The invalid part of a pattern; undefined if the pattern is valid. */
export function patternFault(source: string): string | undefined {
  const read = readPattern(source, false)
  return 'fault' in read ? read.fault : undefined
}

function readPattern(source: string, ignoreCase: boolean): { compiled: RE2JS } | { fault: string } {
  try {
    return { compiled: RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) }
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    return { fault: (error instanceof RE2JSSyntaxException && error.getPattern()) || source }
  }
}
