import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js'

/** A regular expression that somebody wrote into a rule. */
export interface Pattern {
  /** The first part of a text that it hits; undefined when none does. */
  find(text: string): string | undefined
}

/**
 * Reads a pattern in the syntax of RE2 (github.com/google/re2/wiki/Syntax), which connectors of the v3 contract read
 * command groups in. Matching takes time linear in the text, whatever the pattern: one that an organization wrote cannot
 * hold up the sessions of the others. Undefined when it is none.
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

/** The part of a text that keeps it from being a pattern; undefined when it is one. */
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
