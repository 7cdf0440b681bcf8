import { assetsMessages } from '@castellan/contract/messages/assets'
import { type Change, type Field, json } from '../../kernel/fields/index.ts'
import { isObject, objectOf } from '../../kernel/fields/safe-lookup.ts'
import type { Context } from '../../kernel/module/context.ts'
import { type Problem, Rejected, text as say } from '../../kernel/module/errors.ts'
import { fieldInfo, type Info } from '../../kernel/resource/metadata.ts'
import { isSealedPart, Sealed, withoutSealedParts } from '../../kernel/security/secrets.ts'
import { listed } from './parsed-items.ts'
import { type CustomField, fieldOfCustom } from './platforms/custom-fields.ts'
import { customInfoPlace } from './platforms/custom-passwords.ts'
import { platformsById } from './platforms/platform.ts'

/** The value that a field begins with, where its declaration names one that the field accepts. */
function begun(field: Field, declared: unknown, ctx: Context): unknown {
  if (declared === undefined || declared === null || declared === '') return undefined
  const value = field.type === 'list' && typeof declared === 'string' ? declared.split(',') : declared
  try {
    return field.parse?.(value, ctx)
  } catch (error) {
    if (error instanceof Rejected) return undefined
    throw error
  }
}

/** The fields that a custom platform declares, as OPTIONS describes them. */
function customInfo(ctx: Context, declared: readonly CustomField[]): Info {
  return Object.fromEntries(
    declared.map((one) => {
      const field = fieldOfCustom(one)
      const first = field.writeOnly ? undefined : begun(field, one.default, ctx)
      return [
        one.name,
        { ...fieldInfo(ctx, field, one.label, one.help_text), ...(first === undefined ? {} : { default: first }) },
      ]
    }),
  )
}

const customInfoOf = (row: Readonly<Record<string, unknown>> | undefined) => objectOf(objectOf(row?.spec).custom_info)

const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/**
 * Checks the sent values against the fields that the platform declares now, and seals the passwords among them, so that
 * neither the database nor a log holds them in clear. Passwords are never answered and a form sends them back empty: the
 * stored ones stay. Returns the errors by field.
 */
export function checkCustomInfo(ctx: Context, change: Change, declared: unknown): Record<string, Problem> {
  const sent = change.values.custom_info
  const problems = new Map<string, Problem>()
  if (!isObject(sent)) return {}
  const stored = customInfoOf(change.before)
  const fields = (declared ?? []) as CustomField[]
  const names = new Set(fields.map(({ name }) => name))
  for (const [name, value] of Object.entries(sent))
    if (!names.has(name) && !isEmpty(value)) problems.set(name, [say(assetsMessages.custom_field_gone, { name })])
  change.values.custom_info = Object.fromEntries(
    fields.flatMap((one): [string, unknown][] => {
      const value = Object.hasOwn(sent, one.name) ? sent[one.name] : undefined
      const field = fieldOfCustom(one)
      const isPassword = one.type === 'password'
      if (isPassword && (isEmpty(value) || isSealedPart(value)))
        return isSealedPart(stored[one.name]) ? [[one.name, stored[one.name]]] : []
      if (isEmpty(value)) {
        const first = change.mode === 'create' && value === undefined ? begun(field, one.default, ctx) : value
        return first === undefined || first === null ? [] : [[one.name, first]]
      }
      try {
        const parsed = field.parse?.(value, ctx)
        return [
          [
            one.name,
            isPassword ? { sealed: ctx.services.vault.seal(String(parsed), customInfoPlace).stored() } : parsed,
          ],
        ]
      } catch (error) {
        if (!(error instanceof Rejected)) throw error
        problems.set(one.name, listed(error.problem))
        return []
      }
    }),
  )
  return Object.fromEntries(problems)
}

/** What an asset's category keeps of it, without its passwords. */
export const shownDetails = (row: Readonly<Record<string, unknown>>): object =>
  withoutSealedParts(row.spec ?? {}) as object

/** What an asset's category keeps of it, with its passwords opened: for the component that connects to it. */
export function openedDetails({ services }: Context, row: Readonly<Record<string, unknown>>): object {
  const details = (row.spec ?? {}) as { custom_info?: Record<string, unknown> }
  if (!details.custom_info) return details
  const opened = Object.entries(details.custom_info).map(([name, value]) => [
    name,
    isSealedPart(value) ? services.vault.open(new Sealed(value.sealed, customInfoPlace)) : value,
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
      const stored = customInfoOf(row)
      const shown = ((platforms.get(row.platform_id)?.custom_fields ?? []) as CustomField[]).flatMap(
        ({ name, type }): [string, unknown][] =>
          type === 'password' || !Object.hasOwn(stored, name) || isSealedPart(stored[name])
            ? []
            : [[name, stored[name]]],
      )
      return Object.fromEntries(shown)
    }
  },
  meta: (ctx, { custom_fields: declared }) =>
    declared ? { children: customInfo(ctx, JSON.parse(declared) as CustomField[]) } : {},
}
