import type { Message } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import type { Field, StoredRow } from '../fields/index.ts'
import { isObject, objectOf } from '../fields/safe-lookup.ts'
import type { Context } from '../module/context.ts'
import { notAnObject, type Problem, Rejected, text as say } from '../module/errors.ts'
import { isSealedPart, Sealed } from '../security/secrets.ts'

/** A JSON column whose fields depend on the row, and include secrets. */
export interface AttributeSet {
  /** Table and column, to which sealed secrets are bound. */
  readonly place: string
  readonly fields: Readonly<Record<string, Field>>
  /** Whether an attribute decides where secrets are sent; without it, every attribute does. */
  readonly isAddress?: (name: string) => boolean
  /** The error of a secret that has to be entered again. */
  readonly secretAgain: Message
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** One attribute as it is stored: secrets sealed. Undefined leaves it out. */
function parsed(ctx: Context, place: string, field: Field, input: unknown): unknown {
  const value = field.parse?.(input, ctx)
  if (!field.secret) return value
  return value ? { sealed: ctx.services.vault.seal(String(value), place).stored() } : undefined
}

/** Stored secrets that would be sent to another address than the one they were entered for. */
function redirectedSecrets({ fields, isAddress = () => true }: AttributeSet, stored: StoredRow, before: StoredRow) {
  const names = Object.keys(fields)
  const isMoved = names.some((name) => {
    const field = fields[name] as Field
    return !field.secret && isAddress(name) && !isSame(stored[name], before[name] ?? field.default ?? '')
  })
  return isMoved ? names.filter((name) => fields[name]?.secret && before[name] && stored[name] === before[name]) : []
}

/**
 * The attributes to be stored. A secret that is not sent stays as it is, unless an attribute changes that decides where
 * it is sent: changing that requires the knowledge of the secret.
 * @throws Rejected with the problems by attribute
 */
export function attributesToStore(
  ctx: Context,
  set: AttributeSet,
  sent: unknown,
  before: StoredRow | undefined,
): StoredRow {
  if (!isObject(sent)) throw new Rejected(notAnObject(sent))
  const problems: Record<string, Problem> = {}
  const stored: StoredRow = {}
  for (const [name, field] of Object.entries(set.fields)) {
    const input = sent[name]
    const isEmpty = input === undefined || input === null || input === ''
    try {
      const kept = isEmpty && (field.secret || input === undefined) ? before?.[name] : undefined
      const value = kept ?? (isEmpty ? undefined : parsed(ctx, set.place, field, input))
      if (value !== undefined) stored[name] = value
      else if (field.required) problems[name] = [say(errors.required)]
      else if (field.secret) continue
      else stored[name] = field.default ?? ''
    } catch (error) {
      if (!(error instanceof Rejected)) throw error
      problems[name] = Array.isArray(error.problem) ? error.problem : [error.problem]
    }
  }
  if (before && Object.keys(problems).length === 0)
    for (const name of redirectedSecrets(set, stored, before)) problems[name] = [say(set.secretAgain)]
  if (Object.keys(problems).length > 0) throw new Rejected(problems)
  return stored
}

/** The attributes that may be shown. */
export const shownAttributes = (fields: AttributeSet['fields'] | undefined, attributes: unknown): StoredRow =>
  Object.fromEntries(
    Object.entries(objectOf(attributes)).filter(
      ([name, value]) => !isSealedPart(value) && fields?.[name] && !fields[name].secret,
    ),
  )

/** The attributes with secrets opened, for the program that uses them only. */
export function openedAttributes(
  { services }: Context,
  { fields, place }: AttributeSet,
  attributes: unknown,
): StoredRow {
  const stored = objectOf(attributes)
  return Object.fromEntries(
    Object.keys(fields).map((name) => {
      const value = stored[name]
      return [name, isSealedPart(value) ? services.vault.open(new Sealed(value.sealed, place)) : (value ?? '')]
    }),
  )
}
