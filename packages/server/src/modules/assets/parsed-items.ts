import { errors } from '@castellan/contract/messages/errors'
import type { Field } from '../../kernel/fields/index.ts'
import { isObject } from '../../kernel/fields/safe-lookup.ts'
import type { Context } from '../../kernel/module/context.ts'
import { notAnObject, type Problem, Rejected, text as say } from '../../kernel/module/errors.ts'

/** Parses a list; errors are reported by index, `{}` for valid items. */
export function parseItems<T>(input: unknown, parse: (item: unknown) => T): T[] {
  if (!Array.isArray(input)) throw new Rejected([say(errors.not_a_list, { type: typeof input })])
  const problems: Problem[] = []
  const items = input.map((item, index) => {
    try {
      problems[index] = {}
      return parse(item)
    } catch (error) {
      if (!(error instanceof Rejected)) throw error
      problems[index] = error.problem
      return undefined as T
    }
  })
  if (problems.some((problem) => Object.keys(problem).length > 0)) throw new Rejected(problems)
  return items
}

/** Throws when two items have the same name; the error is at the later one. */
export function rejectTwice(items: readonly { name: string }[]): void {
  const problems = items.map(
    ({ name }, index): Problem =>
      items.findIndex((item) => item.name === name) < index ? { name: [say(errors.unique)] } : {},
  )
  if (problems.some((problem) => Object.keys(problem).length > 0)) throw new Rejected(problems)
}

/** The errors of a field as a list, unless they are by part. */
export const listed = (problem: Problem): Problem =>
  typeof problem === 'string' || 'message' in problem ? [problem] : problem

/**
 * Parses an object inside a body by its declared fields; others are ignored. Null counts as not sent. Throws `Rejected`
 * with the errors of all fields.
 */
export function parseParts<F extends Readonly<Record<string, Field>>>(
  ctx: Context,
  fields: F,
  input: unknown,
): { [K in keyof F]: unknown } {
  if (!isObject(input)) throw new Rejected({ non_field_errors: [notAnObject(input)] })
  const problems: Record<string, Problem> = {}
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const sent = Object.hasOwn(input, name) ? input[name] : undefined
    if (sent === undefined || sent === null) {
      if (field.required) problems[name] = [say(errors.required)]
      values[name] = field.default
      continue
    }
    try {
      values[name] = field.parse?.(sent, ctx)
    } catch (error) {
      if (!(error instanceof Rejected)) throw error
      problems[name] = listed(error.problem)
    }
  }
  if (Object.keys(problems).length > 0) throw new Rejected(problems)
  return values as { [K in keyof F]: unknown }
}
