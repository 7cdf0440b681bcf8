import type { AssetCategory } from '@castellan/contract/asset-types'
import { webAutofills } from '@castellan/contract/choices/assets'
import { errors } from '@castellan/contract/messages/errors'
import { Rejected, text as say } from '../../kernel/errors.ts'
import { type AnyRow, boolean, type Change, choice, type Field, json, secret, text } from '../../kernel/fields/index.ts'
import type { Fields } from '../../kernel/resource.ts'

/**
 * Fields of a single category. They are stored in the JSON column `spec`, so that all categories share one table and a
 * list of all assets needs no joins.
 */
function inSpec<V>(field: Field<V, 'own'>): Field<V, 'none'> {
  const { column: _column, decode: _decode, encode: _encode, ...rest } = field
  const otherwise = field.default ?? (field.type === 'string' ? '' : null)
  const show = (row: AnyRow, name: string) => row.spec?.[name] ?? otherwise
  return {
    ...rest,
    filter: false,
    order: false,
    load: async (ctx, _rows, name) => (row) => (field.wire ? field.wire(show(row, name), ctx, row) : show(row, name)),
  } as Field<V, 'none'>
}

const webScript = inSpec(json({ default: [], shape: 'array' }))

/** The key of a client certificate is stored as a secret; the wire value is empty. */
const clientKey: Field = { ...secret(), writeOnly: false, wire: () => '' }

function proxyUrl(): Field<string, 'none'> {
  const field = text({ max: 128 })
  return inSpec({
    ...field,
    parse: (input, ctx) => {
      const value = field.parse?.(input, ctx) as string
      if (value !== '' && !/^https?:\/\//.test(value)) throw new Rejected([say(errors.not_a_url)])
      return value
    },
  })
}

const namelessDatabases = new Set(['mysql', 'mariadb'])

/** MySQL and MariaDB can choose the database in a session; every other type needs its name. */
export const needsDatabaseName = (type: string | undefined): boolean => !namelessDatabases.has(type ?? '')

/** Required or not, depending on the platform type of the form. */
const databaseName: Field<string, 'none'> = {
  ...inSpec(text({ max: 1024, resets: false })),
  meta: (_ctx, { type }) => ({ max_length: 1024, required: needsDatabaseName(type) }),
}

export const specFields: Record<AssetCategory, Fields> = {
  host: {},
  device: {},
  cloud: {},
  database: {
    db_name: databaseName,
    use_ssl: inSpec(boolean({ default: false })),
    ca_cert: inSpec(text()),
    client_cert: inSpec(text()),
    client_key: clientKey,
    allow_invalid_cert: inSpec(boolean({ default: false })),
  },
  web: {
    autofill: inSpec(choice(webAutofills, { default: 'basic' })),
    username_selector: inSpec(text({ max: 128, default: 'name=username' })),
    password_selector: inSpec(text({ max: 128, default: 'name=password' })),
    submit_selector: inSpec(text({ max: 128, default: 'id=login_button' })),
    script: webScript,
  },
  gpt: { proxy: proxyUrl() },
  custom: { custom_info: { ...inSpec(json<AnyRow>({ default: {}, shape: 'object' })), type: 'nested object' } },
}

/** Moves sent values of a category's own fields into `spec`. */
export function mergeSpec(change: Change): void {
  const fields = specFields[change.row.category as AssetCategory] ?? {}
  const sent = Object.keys(fields).filter((name) => name !== 'client_key' && name in change.values)
  if (sent.length > 0 || change.mode === 'create')
    change.row.spec = { ...change.before?.spec, ...Object.fromEntries(sent.map((name) => [name, change.values[name]])) }
}

/** `spec_info` of an asset's detail: data of its category for components. */
export function specInfo(row: AnyRow, language: 'en' | 'zh' | 'ja'): AnyRow {
  const spec = row.spec ?? {}
  switch (row.category) {
    case 'database':
      return {
        db_name: spec.db_name ?? '',
        use_ssl: spec.use_ssl ?? false,
        allow_invalid_cert: spec.allow_invalid_cert ?? false,
      }
    case 'web': {
      const autofill = (spec.autofill ?? 'basic') as keyof typeof webAutofills
      return {
        autofill: { value: autofill, label: webAutofills[autofill]?.[language] ?? autofill },
        username_selector: spec.username_selector ?? 'name=username',
        password_selector: spec.password_selector ?? 'name=password',
        submit_selector: spec.submit_selector ?? 'id=login_button',
        script: spec.script ?? [],
      }
    }
    case 'gpt':
      return { proxy: spec.proxy ?? '' }
    default:
      return {}
  }
}
