const truthy = new Set(['true', 't', 'yes', 'y', 'on', '1'])
const falsy = new Set(['false', 'f', 'no', 'n', 'off', '0'])

/** Parses booleans in bodies, URLs and the environment; undefined for other input. */
export function booleanOf(input: unknown): boolean | undefined {
  if (typeof input === 'boolean') return input
  // Objects without a prototype cannot be converted to a string, and no object is a boolean word.
  if (typeof input === 'object') return undefined
  const word = String(input).toLowerCase()
  if (truthy.has(word)) return true
  return falsy.has(word) ? false : undefined
}
