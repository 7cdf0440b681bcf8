const truthy = new Set(['true', 't', 'yes', 'y', 'on', '1'])
const falsy = new Set(['false', 'f', 'no', 'n', 'off', '0'])

/** true or false as people and scripts write them in bodies, addresses and the environment; undefined otherwise. */
export function booleanOf(input: unknown): boolean | undefined {
  if (typeof input === 'boolean') return input
  // Not every object can be made a text, and none is a word.
  if (typeof input === 'object') return undefined
  const word = String(input).toLowerCase()
  if (truthy.has(word)) return true
  return falsy.has(word) ? false : undefined
}
