import { errors } from '@castellan/contract/messages/errors'
import type { Context } from './context.ts'
import { ApiError, invalid, notAnObject, Problems, parseError, Rejected, text } from './errors.ts'
import type { AnyRow, Field } from './fields/field.ts'
import { sentIn } from './form.ts'

/**
 * Parses the body of a route that belongs to no resource, by declared fields. Throws 400 with the errors of every
 * field. A field that was not sent takes its default, or is absent from the result.
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
    const sent = sentIn(input as AnyRow, name, field)
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

/** Parses every body of a list as `readBody` does. Throws 400 with one entry per body: its errors, or `{}`. */
export function readBodies<V extends AnyRow = AnyRow>(
  ctx: Context,
  fields: Readonly<Record<string, Field>>,
  bodies: readonly unknown[],
): V[] {
  const values: V[] = []
  const failures = new Map<number, ApiError>()
  for (const [index, body] of bodies.entries())
    try {
      values.push(readBody<V>(ctx, fields, body))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      failures.set(index, error)
    }
  if (failures.size > 0)
    throw new ApiError(400, 'invalid', (language) => bodies.map((_body, at) => failures.get(at)?.body(language) ?? {}))
  return values
}
