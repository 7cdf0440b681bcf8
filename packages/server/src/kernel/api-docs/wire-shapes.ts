import type { Field } from '../fields/field.ts'
import { isObject } from '../fields/safe-lookup.ts'
import { findResource } from '../resource/resource.ts'

/** What a value is on the wire: its type in TypeScript, and whether a value is of it. */
export interface WireShape {
  readonly type: string
  holds(value: unknown): boolean
}

const shape = (type: string, holds: (value: unknown) => boolean): WireShape => ({ type, holds })

const anything = shape('unknown', () => true)
const aString = shape('string', (value) => typeof value === 'string')
const aNumber = shape('number', (value) => typeof value === 'number')
const aBoolean = shape('boolean', (value) => typeof value === 'boolean')
const scalars = { string: aString, number: aNumber, boolean: aBoolean }

const orNull = (inner: WireShape): WireShape =>
  inner === anything ? inner : shape(`${inner.type} | null`, (value) => value === null || inner.holds(value))

const listOf = (inner: WireShape): WireShape =>
  shape(
    inner.type.includes(' | ') && !inner.type.startsWith('{') ? `(${inner.type})[]` : `${inner.type}[]`,
    (value) => Array.isArray(value) && value.every(inner.holds),
  )

const literal = (value: string | number) => (typeof value === 'number' ? String(value) : `'${value}'`)

/** One of the declared values; of those of an undeclared set, any. */
const chosenFrom = ({ values, column }: Field): WireShape =>
  values
    ? shape([...values].map(literal).join(' | '), (value) => (values as readonly unknown[]).includes(value))
    : column?.type === 'integer'
      ? aNumber
      : aString

const labelled = (inner: WireShape): WireShape =>
  shape(
    inner.type === 'string' ? 'Choice' : `Choice<${inner.type}>`,
    (value) => isObject(value) && inner.holds(value.value) && typeof value.label === 'string',
  )

/** A related row with the attributes that its field shows. */
function related({ related: relation }: Field): WireShape {
  if (!relation?.attrs) return anything
  const target = findResource(relation.resource)
  const parts = relation.attrs.map((name) => {
    const field = target.fields[name]
    const part = name === 'id' ? (target.serialId ? aNumber : aString) : field ? answerShape(field) : anything
    return [name, part] as const
  })
  return shape(
    `{ ${parts.map(([name, part]) => `${name}: ${part.type}`).join('; ')} }`,
    (value) => isObject(value) && parts.every(([name, part]) => part.holds(value[name])),
  )
}

function shapeOf(field: Field): WireShape {
  switch (field.type) {
    case 'string':
    case 'email':
    case 'url':
    case 'slug':
      return aString
    case 'datetime':
      return aString
    case 'integer':
    case 'float':
      return aNumber
    case 'boolean':
      return aBoolean
    case 'choice':
      return chosenFrom(field)
    case 'labeled_choice':
      return labelled(chosenFrom(field))
    case 'multiple choice':
      return listOf(field.values ? chosenFrom(field) : aString)
    case 'tree':
      return listOf(labelled(aString))
    case 'object_related_field':
      return related(field)
    case 'm2m_related_field':
      return listOf(related(field))
    default:
      return anything
  }
}

/** A value of a field in answers. */
export function answerShape(field: Field): WireShape {
  // The documentation describes these fields by a schema of their own.
  if (field.schema?.answer) return anything
  const plain = field.answers ? scalars[field.answers] : shapeOf(field)
  return field.nullable || field.column?.nullable ? orNull(plain) : plain
}

const reference = shape('string | number | { id: string | number } | { pk: string | number }', () => true)

/** The type of a value of a field in bodies, as clients should send it; parsers accept more. */
export function bodyType(field: Field): string {
  const plain = field.schema?.body ? anything : sentShape(field)
  return field.nullable ? orNull(plain).type : plain.type
}

function sentShape(field: Field): WireShape {
  switch (field.type) {
    case 'labeled_choice':
    case 'choice': {
      const { type } = chosenFrom(field)
      return shape(`${type} | { value: ${type} }`, () => true)
    }
    case 'object_related_field':
      return reference
    case 'm2m_related_field':
      return listOf(reference)
    case 'tree':
      return listOf(aString)
    default:
      return shapeOf(field)
  }
}
