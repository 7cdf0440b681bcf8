/**
 * The groups of every asset's form. A field that is not in the metadata of a category is not shown, and neither is a
 * group without fields: so one list serves all categories.
 */
import type { FieldSpec, FieldSpecs, GroupSpec } from '../../kit/form/spec.ts'
import type { AssetFormRow } from './categories.ts'

export const assetGroups: readonly GroupSpec<AssetFormRow>[] = [
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

/** TLS options of the clients of a database type. */
const tlsFields: Readonly<Record<string, readonly string[]>> = {
  mysql: ['use_ssl', 'ca_cert', 'client_cert', 'client_key', 'allow_invalid_cert'],
  redis: ['use_ssl', 'ca_cert', 'client_cert', 'client_key'],
  mongodb: ['use_ssl', 'ca_cert', 'client_key', 'allow_invalid_cert'],
}

/** What is special about the fields that only some categories have. */
export function categoryFields(type: string): FieldSpecs<AssetFormRow> {
  const hidden = (name: string) => () => !tlsFields[type]?.includes(name)
  const whenTls = (name: string): FieldSpec => ({ state: { hidden: hidden(name), enableWhen: { use_ssl: true } } })
  const whenBasic: FieldSpec = { layout: { half: true, mono: true }, state: { enableWhen: { autofill: 'basic' } } }
  return {
    db_name: { layout: { half: true, mono: true } },
    use_ssl: { state: { hidden: hidden('use_ssl') } },
    ca_cert: { ...whenTls('ca_cert'), widget: 'file-text' },
    client_cert: { ...whenTls('client_cert'), widget: 'file-text' },
    client_key: {
      ...whenTls('client_key'),
      widget: 'file-text',
      sending: { secret: true },
      texts: { help: 'tlsKeyHelp' },
    },
    allow_invalid_cert: { ...whenTls('allow_invalid_cert'), texts: { help: 'tlsInvalidHelp' } },
    username_selector: whenBasic,
    password_selector: whenBasic,
    submit_selector: whenBasic,
    script: { widget: 'json', state: { enableWhen: { autofill: 'script' } }, texts: { help: 'webScriptHelp' } },
    proxy: { layout: { mono: true }, texts: { placeholder: 'http://proxy.example.com:3128' } },
  }
}
