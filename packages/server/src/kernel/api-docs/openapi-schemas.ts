import type { Field } from '../fields/field.ts'
import type { Context } from '../module/context.ts'
import { helpOf, labelOf, nameOf } from '../module/texts.ts'
import { type Mode, writableFields } from '../resource/mutations.ts'
import type { Resource } from '../resource/resource.ts'

export type Json = Record<string, unknown>

const labelled: Json = {
  type: 'object',
  properties: { value: {}, label: { type: 'string' } },
  required: ['value', 'label'],
}

/** Field values in responses, by field type. A type that is not listed may be anything. */
const answered: Partial<Record<Field['type'], Json>> = {
  string: { type: 'string' },
  email: { type: 'string' },
  url: { type: 'string' },
  slug: { type: 'string' },
  integer: { type: 'integer' },
  float: { type: 'number' },
  boolean: { type: 'boolean' },
  datetime: { type: 'string', description: 'YYYY/MM/DD HH:mm:ss ±HHMM' },
  choice: { type: ['string', 'integer'] },
  'multiple choice': { type: 'array', items: { type: 'string' } },
  labeled_choice: labelled,
  object_related_field: { type: 'object', properties: { id: {}, name: {} } },
  m2m_related_field: { type: 'array' },
  list: { type: 'array' },
  'nested object': { type: ['object', 'null'] },
  tree: { type: 'array', items: labelled },
}

/** Accepted spellings of booleans, and numbers written as text. */
const truth = { enum: [true, false, 1, 0, 'true', 'false', 'yes', 'no', 'on', 'off', '1', '0'] }
const reference = { type: ['string', 'integer', 'object'] }

interface FieldFacts {
  choices?: readonly { value: unknown }[]
  min_length?: number
  max_length?: number
  min_value?: number
  max_value?: number
}

/** Field values in request bodies, as the field's parser accepts them. */
function sentShape(field: Field, facts: FieldFacts): Json {
  const values = facts.choices?.map(({ value }) => value)
  const one = values ? { anyOf: [{ enum: values }, { type: 'object', required: ['value'] }] } : {}
  const length = {
    ...(facts.min_length === undefined ? {} : { minLength: facts.min_length }),
    ...(facts.max_length === undefined ? {} : { maxLength: facts.max_length }),
  }
  const range = {
    ...(facts.min_value === undefined ? {} : { minimum: facts.min_value }),
    ...(facts.max_value === undefined ? {} : { maximum: facts.max_value }),
  }
  switch (field.type) {
    case 'string':
    case 'url':
    case 'slug':
      return { type: ['string', 'number'], ...length }
    case 'email':
      return { type: 'string', ...length }
    case 'integer':
    case 'float':
      return { type: [field.type === 'float' ? 'number' : 'integer', 'string'], ...range }
    case 'boolean':
      return truth
    case 'datetime':
      return { type: 'string' }
    case 'choice':
    case 'labeled_choice':
      return one
    case 'multiple choice':
      return { type: 'array', items: one }
    case 'object_related_field':
      return reference
    case 'm2m_related_field':
      return { type: 'array', items: reference }
    case 'list':
    case 'tree':
      return { type: 'array' }
    default:
      return {}
  }
}

/** A schema that also accepts null. */
function orNull(schema: Json): Json {
  if (Object.keys(schema).length === 0) return schema
  return schema.type === undefined || schema.enum || schema.anyOf
    ? { anyOf: [schema, { type: 'null' }] }
    : { ...schema, type: [...new Set([schema.type as string | string[], 'null'].flat())] }
}

function described(resource: Resource, name: string, schema: Json): Json {
  const help = helpOf(resource, name, 'en')
  return { title: labelOf(resource, name, 'en'), ...schema, ...(help ? { description: help } : {}) }
}

/** The schema of one row in responses. */
export function answerSchema(resource: Resource): Json {
  const properties = Object.entries(resource.fields)
    .filter(([, { writeOnly }]) => !writeOnly)
    .map(([name, field]) => {
      const shape = field.schema?.answer ?? answered[field.type] ?? {}
      const schema = field.nullable ? orNull(shape) : shape
      return [name, { ...described(resource, name, schema), ...(field.readOnly ? { readOnly: true } : {}) }] as const
    })
  return { type: 'object', title: nameOf(resource).en, properties: Object.fromEntries(properties) }
}

/** The schema of a body that creates or changes a row; `partial` makes every field optional. */
export function bodySchema(ctx: Context, resource: Resource, mode: Mode, partial: boolean): Json {
  const fields = writableFields(ctx, resource, mode)
  const properties = fields.map(([name, field]) => {
    const shape = field.schema?.body ?? sentShape(field, (field.meta?.(ctx, {}) ?? {}) as FieldFacts)
    const schema = field.nullable || field.writeOnly ? orNull(shape) : shape
    return [name, { ...described(resource, name, schema), ...(field.writeOnly ? { writeOnly: true } : {}) }] as const
  })
  const required = partial ? [] : fields.filter(([, field]) => field.required).map(([name]) => name)
  return {
    type: 'object',
    title: nameOf(resource).en,
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
  }
}
