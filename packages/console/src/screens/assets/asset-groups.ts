/**
 * The groups of every asset's form. A field that the metadata of a category does not know is not shown, and neither is a
 * group without fields: so one list serves all categories.
 */
import type { FieldSpec, GroupSpec } from '../../kit/form/spec.ts'

export const assetGroups: readonly GroupSpec[] = [
  {
    key: 'basic',
    title: 'groupBasic',
    help: 'assetBasicHelp',
    fields: ['name', 'address', 'platform', 'nodes', 'db_name'],
  },
  {
    key: 'selectors',
    title: 'groupSelectors',
    help: 'groupSelectorsHelp',
    fields: ['autofill', 'username_selector', 'password_selector', 'submit_selector', 'script'],
  },
  { key: 'proxy', title: 'groupProxy', help: 'groupProxyHelp', fields: ['proxy'] },
  { key: 'custom', title: 'groupCustom', help: 'groupCustomHelp', fields: ['custom_info'] },
  { key: 'protocols', title: 'groupProtocols', help: 'assetProtocolsHelp', fields: ['protocols'] },
  {
    key: 'tls',
    title: 'groupTls',
    help: 'groupTlsHelp',
    fields: ['use_ssl', 'ca_cert', 'client_cert', 'client_key', 'allow_invalid_cert'],
  },
  { key: 'accounts', title: 'accounts', help: 'assetAccountsHelp', fields: ['accounts'] },
  { key: 'other', title: 'groupOther', fields: ['domain', 'labels', 'is_active', 'comment'] },
]

/** What the clients of a type of database can be told of TLS. */
const tlsFields: Readonly<Record<string, readonly string[]>> = {
  mysql: ['use_ssl', 'ca_cert', 'client_cert', 'client_key', 'allow_invalid_cert'],
  redis: ['use_ssl', 'ca_cert', 'client_cert', 'client_key'],
  mongodb: ['use_ssl', 'ca_cert', 'client_key', 'allow_invalid_cert'],
}

/** What is special about the fields that only some categories have. */
export function categoryFields(type: string): Readonly<Record<string, FieldSpec>> {
  const hidden = (name: string) => () => !tlsFields[type]?.includes(name)
  const whenTls = (name: string): FieldSpec => ({ hidden: hidden(name), enableWhen: { use_ssl: true } })
  const whenBasic: FieldSpec = { half: true, mono: true, enableWhen: { autofill: 'basic' } }
  return {
    db_name: { half: true, mono: true },
    use_ssl: { hidden: hidden('use_ssl') },
    ca_cert: { ...whenTls('ca_cert'), widget: 'file-text' },
    client_cert: { ...whenTls('client_cert'), widget: 'file-text' },
    client_key: { ...whenTls('client_key'), widget: 'file-text', secret: true, help: 'tlsKeyHelp' },
    allow_invalid_cert: { ...whenTls('allow_invalid_cert'), help: 'tlsInvalidHelp' },
    username_selector: whenBasic,
    password_selector: whenBasic,
    submit_selector: whenBasic,
    script: { widget: 'json', enableWhen: { autofill: 'script' }, help: 'webScriptHelp' },
    proxy: { mono: true, placeholder: 'http://proxy.example.com:3128' },
  }
}
