import { customFieldTypes } from '@castellan/contract/choices/assets'
import { assetsMessages } from '@castellan/contract/messages/assets'
import { errors } from '@castellan/contract/messages/errors'
import {
  boolean,
  describedAs,
  type Field,
  integer,
  json,
  longText,
  rawChoice,
  type StoredRow,
  stringList,
  text,
} from '../../../kernel/fields/index.ts'
import { isObject } from '../../../kernel/fields/safe-lookup.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { quoted, Rejected, text as say } from '../../../kernel/module/errors.ts'
import { fieldsInfo, itemInfo } from '../../../kernel/resource/metadata.ts'
import { parseItems, parseParts, rejectTwice } from '../parsed-items.ts'

/** A field that a platform declares for its assets. */
export type CustomField = {
  name: string
  label: string
  type: keyof typeof customFieldTypes
  default: unknown
  help_text: string
  choices: readonly string[]
}

const choicesOf = (choices: readonly string[]) =>
  Object.fromEntries(choices.map((value) => [value, { en: value, zh: value, ja: value }]))

const kinds: Readonly<Record<CustomField['type'], (choices: readonly string[]) => Field>> = {
  str: () => text({ max: 1024 }),
  password: () => text({ max: 1024, writeOnly: true }),
  int: () => integer(),
  bool: () => boolean(),
  text: () => longText(),
  choice: (choices) => rawChoice(choicesOf(choices)),
  list: () => stringList(),
}

/** The field of an asset that a declared field stands for. */
export const fieldOfCustom = ({ type, choices }: Pick<CustomField, 'type' | 'choices'>): Field => kinds[type](choices)

const name = text({ max: 128, required: true, pattern: { test: /^[\p{L}\p{N}_-]+$/u, message: errors.not_a_slug } })
const choices: Field = describedAs(
  // The contract's OPTIONS name no limits of this list.
  { ...stringList({ max: 128, maxItems: 200, default: [] }), meta: stringList().meta },
  { default: undefined },
)

const parts = {
  name,
  label: text({ max: 128, required: true }),
  type: rawChoice(customFieldTypes, { default: 'str' }),
  default: describedAs(text({ max: 1024 }), { default: '' }),
  help_text: describedAs(text({ max: 1024 }), { default: '' }),
  choices,
}

/** Names that every object inherits, such as `constructor`, would be read from it where a row has no value. */
const inherited = (word: string) => word in Object.prototype

/** Throws when the value to begin with is not one of the field. */
function checkDefault(ctx: Context, field: CustomField): void {
  if (field.default === '' || field.type === 'password') return
  const { parse } = fieldOfCustom(field)
  // A list is declared as text, one entry after the other.
  parse?.(field.type === 'list' ? String(field.default).split(',') : field.default, ctx)
}

function parsed(ctx: Context, input: unknown): CustomField {
  // A default of another type is stored as text, as the form shows it.
  const begun = isObject(input) && input.default !== null ? input.default : undefined
  const given = typeof begun === 'object' || typeof begun === 'boolean' ? JSON.stringify(begun) : begun
  const field = parseParts(ctx, parts, isObject(input) ? { ...input, default: given } : input) as CustomField
  if (inherited(field.name)) throw new Rejected({ name: [say(assetsMessages.custom_field_name, { name: field.name })] })
  if (field.type === 'choice' && field.choices.length === 0) throw new Rejected({ choices: [say(errors.empty_list)] })
  try {
    checkDefault(ctx, field)
  } catch (error) {
    if (!(error instanceof Rejected)) throw error
    throw new Rejected({ default: [say(assetsMessages.custom_field_default, { value: quoted(field.default) })] })
  }
  return field
}

function parsedFields(input: unknown, ctx: Context): CustomField[] {
  const fields = parseItems(input ?? [], (item) => parsed(ctx, item))
  rejectTwice(fields)
  return fields
}

/** The fields that a platform adds to its assets. */
export const customFieldsField: Field<StoredRow[], 'own'> = {
  ...json<StoredRow[]>({ default: [], shape: 'array', resets: false }),
  type: 'field',
  parse: parsedFields,
  meta: (ctx) => ({ ...itemInfo(fieldsInfo(ctx, 'assets', parts)), default: undefined }),
}
