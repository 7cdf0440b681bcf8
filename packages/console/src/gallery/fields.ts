/** One field of every widget, as a resource might declare them. */

import { userSource } from '../domain/acls/rule-attributes.ts'
import type { FieldInfo, Fields } from '../kit/api/metadata.ts'
import type { FieldSpec, GroupSpec } from '../kit/form/spec.ts'

const words = ['one', 'two', 'three', 'four', 'five', 'six'].map((value) => ({ value, label: value }))
const text = (label: string, more: Partial<FieldInfo> = {}): FieldInfo => ({
  type: 'string',
  label,
  max_length: 128,
  ...more,
})

export const fields: Fields = {
  name: text('Name', { required: true }),
  mail: { type: 'email', label: 'Mail' },
  site: { type: 'url', label: 'Site' },
  amount: { type: 'integer', label: 'Amount', min_value: 1, max_value: 100 },
  few: { type: 'choice', label: 'Few choices', choices: words.slice(0, 3) },
  many: { type: 'labeled_choice', label: 'Many choices', choices: words },
  several: { type: 'multiple choice', label: 'Several', choices: words },
  day: { type: 'date', label: 'Day' },
  tree: {
    type: 'tree',
    label: 'Tree',
    tree: [
      { value: 'all', label: 'All', children: [{ value: 'copy', label: 'Copy (clipboard)' }, ...words.slice(0, 2)] },
    ],
  },
  crontab: text('Crontab'),
  json: { type: 'json', label: 'JSON' },
  script: text('Script'),
  content: { type: 'string', label: 'Content' },
  words: { type: 'list', label: 'Words' },
  hidden_words: { type: 'list', label: 'Hidden words' },
  addresses: { type: 'list', label: 'Addresses' },
  lines: { type: 'list', label: 'Lines' },
  numbered: { type: 'list', label: 'Numbered lines' },
  receivers: { type: 'field', label: 'Receivers' },
  groups: { type: 'm2m_related_field', label: 'Groups' },
  allowed: { type: 'list', label: 'Allowed' },
  password: text('Password', { write_only: true }),
  token: text('Token', { write_only: true }),
  key: text('Key'),
  logo: { type: 'image upload', label: 'Logo' },
  rules: { type: 'json', label: 'Generated passwords' },
  phone: text('Phone'),
  network: {
    type: 'nested object',
    label: 'Network',
    children: {
      host: text('Host', { required: true }),
      port: { type: 'integer', label: 'Port', min_value: 1, default: 389 },
    },
  },
  endpoints: {
    type: 'field',
    label: 'Endpoints',
    child: {
      type: 'nested object',
      children: { host: text('Endpoint', { required: true }), tls: { type: 'boolean', label: 'TLS', default: true } },
    },
  },
  attributes: {
    type: 'json',
    label: 'Attributes',
    child: { type: 'json', children: { key: text('Key'), value: text('Value') } },
  },
  protocols: { type: 'list', label: 'Protocols' },
  mapping: { type: 'json', label: 'Mapping' },
  mapped: { type: 'boolean', label: 'With a mapping' },
}

export const specs: Readonly<Record<string, FieldSpec>> = {
  name: { layout: { half: true }, validation: { rules: ['noParenthesis'] } },
  mail: { layout: { half: true } },
  site: { layout: { half: true } },
  amount: { layout: { half: true }, texts: { tip: 'priorityHelp' } },
  crontab: { widget: 'cron' },
  script: { widget: 'code' },
  content: { widget: 'markdown' },
  hidden_words: { with: { mask: /^secret/ } },
  addresses: { widget: 'ip-group' },
  lines: { widget: 'lines' },
  numbered: { widget: 'lines', with: { numbered: true } },
  receivers: { widget: 'transfer', source: userSource },
  groups: { source: { url: '/api/v1/users/groups/', create: true } },
  allowed: { widget: 'all-or-some', source: { url: '/api/v1/assets/protocols/', plain: true } },
  password: { widget: 'secret' },
  token: { widget: 'update-secret' },
  key: { widget: 'key-file' },
  logo: { with: { width: 185, height: 55 } },
  rules: { widget: 'password-rules' },
  phone: { widget: 'phone' },
  'network.host': { layout: { half: true } },
  'network.port': { layout: { half: true }, validation: { rules: ['port'] } },
  'endpoints.*.host': { layout: { half: true }, validation: { rules: ['word'] } },
  'endpoints.*.tls': { layout: { half: true } },
  attributes: { widget: 'attributes' },
  protocols: {
    widget: 'protocols',
    with: {
      mode: 'platform',
      choices: [
        { name: 'ssh', port: 22 },
        { name: 'sftp', port: 22 },
        { name: 'winrm', port: 5985 },
      ],
    },
  },
  mapping: { state: { enableWhen: { mapped: true } }, validation: { rules: ['mapsUsername'] } },
}

export const groups: readonly GroupSpec[] = [
  { key: 'texts', title: 'groupBasic', fields: ['name', 'mail', 'site', 'amount', 'phone'] },
  { key: 'choices', title: 'choose', fields: ['few', 'many', 'several', 'tree', 'day'] },
  { key: 'times', title: 'cronTitle', fields: ['crontab'] },
  { key: 'code', title: 'details', fields: ['json', 'script', 'content', 'mapped', 'mapping'] },
  {
    key: 'lists',
    title: 'value',
    fields: ['words', 'hidden_words', 'addresses', 'lines', 'numbered', 'attributes'],
  },
  { key: 'people', title: 'users', fields: ['receivers', 'groups', 'allowed'] },
  { key: 'secrets', title: 'secret', fields: ['password', 'token', 'key', 'rules', 'logo'] },
  { key: 'nested', title: 'protocols', fields: ['network', 'endpoints', 'protocols'] },
]
