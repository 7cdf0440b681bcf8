import { errors } from '@castellan/contract/messages/errors'
import type { Field, StoredRow } from '../fields/field.ts'
import { sentIn } from '../fields/form.ts'
import type { Context } from '../module/context.ts'
import { ApiError, invalid, notAnObject, Problems, parseError, Rejected, text } from '../module/errors.ts'
import type { Fields, ValuesOf } from './row-types.ts'

/**
 * Parses the body of a route that belongs to no resource, by declared fields. Throws 400 with the errors of every
 * field. A field that was not sent takes its default, or is absent from the result.
 */
export function readBody<F extends Fields>(ctx: Context, fields: F, body: unknown): ValuesOf<F>
export function readBody<V extends object>(ctx: Context, fields: Readonly<Record<string, Field>>, body: unknown): V
export function readBody(ctx: Context, fields: Readonly<Record<string, Field>>, body: unknown): StoredRow {
  if (Buffer.isBuffer(body)) throw parseError()
  const input = body ?? {}
  const problems = new Problems()
  const values: StoredRow = {}
  if (typeof input !== 'object' || Array.isArray(input)) throw invalid({ non_field_errors: [notAnObject(input)] })
  for (const [name, field] of Object.entries(fields)) {
    const sent = sentIn(input as StoredRow, name, field)
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
  return values
}

/** Parses every body of a list as `readBody` does. Throws 400 with one entry per body: its errors, or `{}`. */
export function readBodies<V extends object = StoredRow>(
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
