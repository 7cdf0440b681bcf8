/** Variables in commands: `{{ name }}`, with or without spaces. */
const placeholder = /\{\{\s*([A-Za-z_][\w.]*)\s*\}\}/g

/**
 * Characters of a value that a shell, PowerShell or a database takes as they are, wherever they stand. The name and the
 * address of an asset are somebody else's words, so others would run in a command of the user.
 */
const plainValue = /^[\p{L}\p{N}_.:@/+=,-]*$/u

export class UnsafeVariable extends Error {
  readonly variable: string

  constructor(variable: string) {
    super(variable)
    this.variable = variable
  }
}

/**
 * A command with its variables replaced, once: what a value contains is not looked at again. Names without a value stay,
 * since programs have templates of their own.
 * @param own values that the user entered; they are part of the user's command
 * @param given values that others have chosen
 * @throws UnsafeVariable for a given value that could be taken for more than a word
 */
export function withVariables(
  text: string,
  own: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): string {
  return text.replace(placeholder, (whole, name: string) => {
    if (Object.hasOwn(given, name)) {
      const value = given[name] ?? ''
      if (!plainValue.test(value)) throw new UnsafeVariable(name)
      return value
    }
    return Object.hasOwn(own, name) ? (own[name] ?? '') : whole
  })
}
