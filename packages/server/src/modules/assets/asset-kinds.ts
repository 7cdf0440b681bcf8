import type { AssetCategory } from '@castellan/contract/asset-types'
import { webAutofills } from '@castellan/contract/choices/assets'
import { errors } from '@castellan/contract/messages/errors'
import { boolean, choice, type Field, integer, json, type StoredRow, secret, text } from '../../kernel/fields/index.ts'
import { Rejected, text as say } from '../../kernel/module/errors.ts'
import type { Kind } from '../../kernel/resource/variants.ts'
import { customInfoField } from './custom-info.ts'
import { parseItems, parseParts } from './parsed-items.ts'

/** The key of a client certificate is a secret: sealed, and never returned. */
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

const steps = json<readonly StoredRow[]>({ default: [], shape: 'array' })
const stepParts = {
  step: integer({ min: 0 }),
  command: text({ max: 64, required: true }),
  target: text({ max: 1024 }),
  value: text({ max: 1024 }),
}

/** The steps that fill in a sign-in page. What a step says beyond the known parts is kept. */
const script: Field = {
  ...steps,
  parse: (input, ctx) => {
    const sent = steps.parse?.(input, ctx)
    parseItems(sent, (step) => parseParts(ctx, stepParts, step))
    return sent
  },
}

const namelessDatabases = new Set(['mysql', 'mariadb'])

/** MySQL and MariaDB let a session choose its database; every other type needs one. */
export const needsDatabaseName = (type: string | undefined): boolean => !namelessDatabases.has(type ?? '')

/** The type of the platform a form is for decides whether it demands the name. */
const databaseName: Field = {
  ...text({ max: 1024, resets: false }),
  meta: (_ctx, { type }) => ({ max_length: 1024, required: needsDatabaseName(type) }),
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
      script,
    },
    info: ['autofill', 'username_selector', 'password_selector', 'submit_selector', 'script'],
  },
  gpt: { name: 'gpt', path: 'gpts', fields: { proxy }, info: ['proxy'] },
  custom: { name: 'custom', path: 'customs', fields: { custom_info: customInfoField } },
}
