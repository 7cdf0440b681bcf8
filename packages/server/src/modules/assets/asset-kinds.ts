import type { AssetCategory } from '@castellan/contract/asset-types'
import { webAutofills } from '@castellan/contract/choices/assets'
import { errors } from '@castellan/contract/messages/errors'
import { Rejected, text as say } from '../../kernel/errors.ts'
import { boolean, choice, type Field, json, secret, text } from '../../kernel/fields/index.ts'
import type { Kind } from '../../kernel/variants.ts'
import { customInfoField } from './custom-info.ts'

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
