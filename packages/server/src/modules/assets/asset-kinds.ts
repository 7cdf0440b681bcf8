import type { AssetCategory } from '@castellan/contract/asset-types'
import { type customFieldTypes, webAutofills } from '@castellan/contract/choices/assets'
import { errors } from '@castellan/contract/messages/errors'
import type { Context } from '../../kernel/context.ts'
import { Rejected, text as say } from '../../kernel/errors.ts'
import {
  boolean,
  type Change,
  choice,
  type Field,
  integer,
  json,
  longText,
  rawChoice,
  secret,
  stringList,
  text,
} from '../../kernel/fields/index.ts'
import { fieldInfo, type Info } from '../../kernel/metadata.ts'
import type { Kind } from '../../kernel/variants.ts'
import { platformsById } from './platforms/platform.ts'

/** A key of a client certificate is kept like any secret; the answer says nothing of it. */
const clientKey: Field = { ...secret(), writeOnly: false, wire: () => '' }

const proxyUrl = text({ max: 128 })
const proxy: Field = {
  ...proxyUrl,
  parse: (input, ctx) => {
    const value = proxyUrl.parse?.(input, ctx) as string
    if (value !== '' && !/^https?:\/\//.test(value)) throw new Rejected([say(errors.not_a_url)])
    return value
  },
}

const namelessDatabases = new Set(['mysql', 'mariadb'])

/** MySQL and MariaDB let a session choose its database; every other type must be told which. */
export const needsDatabaseName = (type: string | undefined): boolean => !namelessDatabases.has(type ?? '')

/** The type of the platform a form is for decides whether it demands the name. */
const databaseName: Field = {
  ...text({ max: 1024, resets: false }),
  meta: (_ctx, { type }) => ({ max_length: 1024, required: needsDatabaseName(type) }),
}

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

const passwordNames = (declared: unknown): string[] =>
  ((declared ?? []) as CustomField[]).filter(({ type }) => type === 'password').map(({ name }) => name)

/** Passwords among the custom fields are not answered, so a form sends them back empty: the stored ones stay. */
export function keepPasswords(change: Change, declared: unknown): void {
  const sent: Record<string, unknown> | undefined = change.values.custom_info
  const stored: Record<string, unknown> | undefined = change.before?.spec?.custom_info
  if (!sent || !stored) return
  const kept = passwordNames(declared).filter((name) => !sent[name] && stored[name])
  change.values.custom_info = { ...sent, ...Object.fromEntries(kept.map((name) => [name, stored[name]])) }
}

const customInfoField: Field = {
  ...json({ default: {}, shape: 'object' }),
  type: 'nested object',
  load: async (ctx) => {
    const platforms = await platformsById(ctx)
    return (row) => {
      const hidden = passwordNames(platforms.get(row.platform_id)?.custom_fields)
      return Object.fromEntries(Object.entries(row.spec?.custom_info ?? {}).filter(([name]) => !hidden.includes(name)))
    }
  },
  meta: (ctx, { custom_fields: declared }) =>
    declared ? { children: customInfo(ctx, JSON.parse(declared) as CustomField[]) } : {},
}

/** The categories of assets, with the fields that only one of them has. */
export const assetKinds: Readonly<Record<AssetCategory, Kind>> = {
  host: { name: 'host', path: 'hosts', fields: {} },
  device: { name: 'device', path: 'devices', fields: {} },
  database: {
    name: 'database',
    path: 'databases',
    fields: {
      db_name: databaseName,
      use_ssl: boolean({ default: false }),
      ca_cert: text(),
      client_cert: text(),
      client_key: clientKey,
      allow_invalid_cert: boolean({ default: false }),
    },
    info: ['db_name', 'use_ssl', 'allow_invalid_cert'],
  },
  cloud: { name: 'cloud', path: 'clouds', fields: {} },
  web: {
    name: 'web',
    path: 'webs',
    fields: {
      autofill: choice(webAutofills, { default: 'basic' }),
      username_selector: text({ max: 128, default: 'name=username' }),
      password_selector: text({ max: 128, default: 'name=password' }),
      submit_selector: text({ max: 128, default: 'id=login_button' }),
      script: json({ default: [], shape: 'array' }),
    },
    info: ['autofill', 'username_selector', 'password_selector', 'submit_selector', 'script'],
  },
  gpt: { name: 'gpt', path: 'gpts', fields: { proxy }, info: ['proxy'] },
  custom: { name: 'custom', path: 'customs', fields: { custom_info: customInfoField } },
}
