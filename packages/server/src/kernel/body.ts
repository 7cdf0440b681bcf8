import { errors } from '@castellan/contract/messages/errors'
import type { Context } from './context.ts'
import { invalid, notAnObject, Problems, parseError, Rejected, text } from './errors.ts'
import type { AnyRow, Field } from './fields/field.ts'

/**
 * Reads the body of a route that belongs to no resource, by declared fields. Throws 400 with the problems of every field.
 * A field that was not sent takes its default, or is absent from the result.
 */
export function readBody<V extends AnyRow = AnyRow>(
  ctx: Context,
  fields: Readonly<Record<string, Field>>,
  body: unknown,
): V {
  if (Buffer.isBuffer(body)) throw parseError()
  const input = body ?? {}
  const problems = new Problems()
  const values: AnyRow = {}
  if (typeof input !== 'object' || Array.isArray(input)) throw invalid({ non_field_errors: [notAnObject(input)] })
  for (const [name, field] of Object.entries(fields)) {
    const sent = Object.hasOwn(input, name) ? (input as AnyRow)[name] : undefined
    if (sent === undefined) {
      if (field.required) problems.add(name, text(errors.required))
      else {
        const value = typeof field.default === 'function' ? field.default(ctx) : field.default
        if (value !== undefined) values[name] = value
      }
    } else if (sent === null && !field.nullable) problems.add(name, text(errors.null))
    else
      try {
        values[name] = sent === null ? null : field.parse?.(sent, ctx)
      } catch (error) {
        if (!(error instanceof Rejected)) throw error
        problems.add(name, error.problem)
      }
  }
  problems.throwIfAny()
  return values as V
}
