import type { Message } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import type { Context } from '../module/context.ts'
import { type Problem, quoted, Rejected, reject, text } from '../module/errors.ts'
import { base, type Field, type FieldOptions } from './field.ts'
import { decodeJson, demandStorable, listOfCell, longestText, textIn } from './scalars.ts'

export type Choices<V extends string | number = string | number> = Readonly<Record<V, Message>>

interface ChoiceOptions<V> extends FieldOptions<V | ''> {
  /** Values are numbers on the wire. */
  numeric?: boolean
  /** Whether a value is offered and accepted (it may depend on a license, for example). */
  offers?: (ctx: Context, value: string) => boolean
}

const isNumber = (value: string) => Number(/^\d+$/.test(value))

/**
 * Non-numeric keys come before numeric ones, because an object lists integer keys first regardless of their order in
 * the source.
 */
const offered = (choices: Choices, options: ChoiceOptions<never>, ctx: Context) =>
  Object.entries<Message>(choices)
    .filter(([value]) => options.offers?.(ctx, value) ?? true)
    .sort(([one], [other]) => isNumber(one) - isNumber(other))

const shown = (value: string, numeric: boolean | undefined) => (numeric ? Number(value) : value)

/** Every value that a field may have; where none may be chosen, the empty one too. */
const valuesOf = (choices: Choices, options: { numeric?: boolean; blank?: boolean }) => [
  ...Object.keys(choices).map((value) => shown(value, options.numeric)),
  ...(options.blank ? [''] : []),
]

function metaOf(choices: Choices, options: ChoiceOptions<never>) {
  return (ctx: Context) => ({
    choices: offered(choices, options, ctx).map(([value, label]) => ({
      value: shown(value, options.numeric),
      label: label[ctx.language],
    })),
  })
}

/** The bare value of `v` or `{value: v}`, the two forms of a choice in a body. */
export const bare = (input: unknown): unknown =>
  typeof input === 'object' && input !== null && 'value' in input ? input.value : input

/** The value of a sent choice as text, before it was validated; empty for what has no text form. */
export const bareText = (input: unknown): string => textIn(bare(input))

function parseChoice(input: unknown, choices: Choices, options: ChoiceOptions<never>, ctx: Context): string | number {
  const value = bare(input)
  const known = textIn(value)
  if (!Object.hasOwn(choices, known) || !(options.offers?.(ctx, known) ?? true))
    return reject(errors.not_a_choice, { input: quoted(value) })
  return shown(known, options.numeric)
}

/** One of several values: `{value, label}` on the wire; the bare value is accepted as well. */
export function choice<const C extends Choices>(
  choices: C,
  options: ChoiceOptions<keyof C & (string | number)> = {},
): Field<Extract<keyof C, string | number>, 'own'> {
  const loose = options as ChoiceOptions<never>
  return {
    ...base('labeled_choice', options as FieldOptions<string | number>),
    values: valuesOf(choices, options),
    column: { type: options.numeric ? 'integer' : 'text', nullable: options.nullable ?? false },
    parse: (input, ctx) => {
      if (options.blank && bare(input) === '') return ''
      return parseChoice(input, choices, loose, ctx)
    },
    wire: (value, ctx) =>
      value === null || value === undefined
        ? null
        : { value, label: choices[value as never]?.[ctx.language] ?? String(value) },
    meta: metaOf(choices, loose),
    toCell: (wire) => (wire === null ? '-' : String((wire as { value: unknown }).value)),
  }
}

/** A choice whose bare value is on the wire; with `blank` it may be empty. */
export function rawChoice<
  const C extends Choices,
  const O extends ChoiceOptions<keyof C & (string | number)> = Record<never, never>,
>(
  choices: C,
  options?: O,
): Field<Extract<keyof C, string | number> | (O extends { readonly blank: true } ? '' : never), 'own'> {
  return {
    ...choice(choices, options),
    type: 'choice',
    wire: (value) => value ?? null,
    toCell: (wire) => String(wire ?? '-'),
  }
}

/** A list of values out of a set of choices. */
export function multiChoice<const C extends Choices>(
  choices: C,
  options: FieldOptions<string[]> = {},
): Field<string[], 'own'> {
  return {
    ...base('multiple choice', { order: false, ...options }),
    values: Object.keys(choices),
    column: { type: 'json', nullable: options.nullable ?? false },
    parse: (input, ctx) => {
      if (!Array.isArray(input)) return reject(errors.not_a_list, { type: typeof input })
      return [...new Set(input.map((item) => String(parseChoice(item, choices, {}, ctx))))]
    },
    encode: (value) => JSON.stringify(value ?? []),
    decode: decodeJson,
    meta: metaOf(choices, {}),
    fromCell: listOfCell,
  }
}

/** One bit of a set: its position and its label. */
export interface Bit {
  value: string
  bit: number
  label: Message
}
/** A leaf by its value, or a group with leaves. */
export type BitTree = readonly (string | { label: Message; children: readonly string[] })[]

/** A set stored as an integer, on the wire a list of `{value, label}`. */
export function bits(
  set: readonly Bit[],
  tree: BitTree,
  all: Message,
  options: FieldOptions<number> = {},
): Field<number, 'own'> {
  const every = set.reduce((sum, { bit }) => sum | bit, 0)
  const leaf = (value: string, ctx: Context) => ({
    value,
    label: set.find((item) => item.value === value)?.label[ctx.language] ?? value,
  })
  return {
    ...base('tree', options),
    column: { type: 'integer' },
    parse: (input) => {
      if (!Array.isArray(input)) return reject(errors.not_a_list, { type: typeof input })
      let sum = 0
      for (const item of input.map(bare)) {
        if (item === 'all') return every
        const known = set.find(({ value }) => value === item)
        if (!known) return reject(errors.not_a_choice, { input: quoted(item) })
        sum |= known.bit
      }
      return sum
    },
    wire: (value, ctx) =>
      set.filter(({ bit }) => (Number(value) & bit) !== 0).map(({ value: name }) => leaf(name, ctx)),
    meta: (ctx) => ({
      tree: [
        {
          value: all[ctx.language],
          label: all[ctx.language],
          children: tree.map((node) =>
            typeof node === 'string'
              ? leaf(node, ctx)
              : {
                  value: node.label[ctx.language],
                  label: node.label[ctx.language],
                  children: node.children.map((value) => leaf(value, ctx)),
                },
          ),
        },
      ],
      ...(options.readOnly
        ? {}
        : {
            default: set.filter(({ bit }) => (Number(options.default ?? every) & bit) !== 0).map(({ value }) => value),
          }),
    }),
    toCell: (wire) => JSON.stringify((wire as { value: string }[]).map(({ value }) => value)),
    fromCell: listOfCell,
  }
}

export interface ListOptions extends FieldOptions<string[]> {
  /** Maximum length of an item. */
  max?: number
  maxItems?: number
  /** Validates and may normalize an item; throws `Rejected` for an invalid one. */
  item?: (value: string) => string
}

/** Most items of a list that does not declare its own number. */
const mostItems = 10_000

/** A list of texts. Errors are reported under the index of the item. */
export function stringList(options: ListOptions = {}): Field<string[], 'own'> {
  return {
    ...base('list', { order: false, ...options }),
    column: { type: 'json', nullable: options.nullable ?? false },
    parse: (input) => {
      if (!Array.isArray(input)) return reject(errors.not_a_list, { type: typeof input })
      const maxItems = options.maxItems ?? mostItems
      if (input.length > maxItems) return reject(errors.max_items, { max: maxItems })
      const problems: Record<string, Problem> = {}
      const values = input.map((item, index) => {
        try {
          if (typeof item !== 'string' && typeof item !== 'number') throw new Rejected([text(errors.not_a_string)])
          const value = demandStorable(String(item).trim())
          const max = options.max ?? longestText
          if (value.length > max) throw new Rejected(text(errors.max_length, { max }))
          return options.item?.(value) ?? value
        } catch (error) {
          if (!(error instanceof Rejected)) throw error
          problems[index] = Array.isArray(error.problem) ? error.problem : [error.problem]
          return ''
        }
      })
      if (Object.keys(problems).length > 0) throw new Rejected(problems)
      return values
    },
    encode: (value) => (value === null || value === undefined ? null : JSON.stringify(value)),
    decode: decodeJson,
    meta: () => ({
      ...(options.maxItems ? { max_length: options.maxItems } : {}),
      child: {
        type: options.max ? 'string' : 'field',
        required: true,
        read_only: false,
        write_only: false,
        ...(options.max ? { max_length: options.max } : {}),
      },
    }),
    toCell: (wire) => (wire === null ? '-' : JSON.stringify(wire)),
    fromCell: listOfCell,
  }
}
