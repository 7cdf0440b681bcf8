import type { customFieldTypes } from '@castellan/contract/choices/assets'
import type { Context } from '../../kernel/context.ts'
import { Rejected } from '../../kernel/errors.ts'
import {
  boolean,
  type Change,
  type Field,
  integer,
  json,
  longText,
  rawChoice,
  stringList,
  text,
} from '../../kernel/fields/index.ts'
import { fieldInfo, type Info } from '../../kernel/metadata.ts'
import { Sealed } from '../../kernel/secrets.ts'
import { platformsById } from './platforms/platform.ts'

/** A field that a custom platform declares. */
interface CustomField {
  name: string
  label: string
  type: keyof typeof customFieldTypes
  default: unknown
  help_text: string
  choices: readonly string[]
}

const customFields: Readonly<Record<CustomField['type'], (declared: CustomField) => Field>> = {
  str: () => text({ max: 1024 }),
  password: () => text({ max: 1024, writeOnly: true }),
  int: () => integer(),
  bool: () => boolean(),
  text: () => longText(),
  choice: ({ choices }) =>
    rawChoice(Object.fromEntries(choices.map((value) => [value, { en: value, zh: value, ja: value }]))),
  list: () => stringList(),
}

/** What a platform's author wrote as the value to begin with, where the field takes it. */
function begun(field: Field, declared: unknown, ctx: Context): Info {
  if (declared === undefined || declared === null || declared === '') return {}
  try {
    return { default: field.parse?.(declared, ctx) }
  } catch (error) {
    if (error instanceof Rejected) return {}
    throw error
  }
}

/** The fields that a custom platform declares, as OPTIONS tells them. */
function customInfo(ctx: Context, declared: readonly CustomField[]): Info {
  return Object.fromEntries(
    declared.map((one) => {
      const field = customFields[one.type](one)
      const info = fieldInfo(ctx, field, one.label, one.help_text)
      return [one.name, { ...info, ...(field.writeOnly ? {} : begun(field, one.default, ctx)) }]
    }),
  )
}

const place = 'assets_asset.spec.custom_info'

const passwordsOf = (declared: unknown): string[] =>
  ((declared ?? []) as CustomField[]).filter(({ type }) => type === 'password').map(({ name }) => name)

/** How a password stands among the stored values; what it is does not depend on what the platform declares later. */
const isSealed = (value: unknown): value is { sealed: string } =>
  typeof value === 'object' && value !== null && 'sealed' in value

/**
 * Seals the passwords among custom fields, so that neither the database nor a log holds them in clear. They are never
 * answered and a form sends them back empty: the stored ones stay.
 */
export function sealPasswords({ services }: Context, change: Change, declared: unknown): void {
  const sent: Record<string, unknown> | undefined = change.values.custom_info
  if (!sent) return
  const stored: Record<string, unknown> = change.before?.spec?.custom_info ?? {}
  const names = passwordsOf(declared)
  const plain = Object.entries(sent).filter(([name, value]) => !names.includes(name) && !isSealed(value))
  const passwords = names.flatMap((name) => {
    const value = sent[name]
    if (!value || isSealed(value)) return stored[name] ? [[name, stored[name]]] : []
    return [[name, { sealed: services.vault.seal(String(value), place).stored() }]]
  })
  change.values.custom_info = Object.fromEntries([...plain, ...passwords])
}

/** What an asset's category keeps of it, with its passwords opened: for the component that connects to it. */
export function openedDetails({ services }: Context, row: Readonly<Record<string, unknown>>): object {
  const details = (row.spec ?? {}) as { custom_info?: Record<string, unknown> }
  if (!details.custom_info) return details
  const opened = Object.entries(details.custom_info).map(([name, value]) => [
    name,
    isSealed(value) ? services.vault.open(new Sealed(value.sealed, place)) : value,
  ])
  return { ...details, custom_info: Object.fromEntries(opened) }
}

/** The values of the fields that the platform of a custom asset declares. */
export const customInfoField: Field = {
  ...json({ default: {}, shape: 'object' }),
  type: 'nested object',
  load: async (ctx) => {
    const platforms = await platformsById(ctx)
    return (row) => {
      const hidden = passwordsOf(platforms.get(row.platform_id)?.custom_fields)
      const shown = Object.entries(row.spec?.custom_info ?? {})
      return Object.fromEntries(shown.filter(([name, value]) => !hidden.includes(name) && !isSealed(value)))
    }
  },
  meta: (ctx, { custom_fields: declared }) =>
    declared ? { children: customInfo(ctx, JSON.parse(declared) as CustomField[]) } : {},
}
