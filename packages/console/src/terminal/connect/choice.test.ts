import { expect, test } from 'vitest'
import type { ConnectMethods, PermedAccount, PermedAsset } from '../wire.ts'
import {
  choiceFor,
  firstChoice,
  groupAccounts,
  manualFields,
  offeredProtocols,
  tokenRequest,
  toRemember,
  withoutAsking,
} from './choice.ts'

const account = (alias: string, has_secret = true, username = alias): PermedAccount => ({
  id: `id-${alias}`,
  alias,
  name: alias,
  username,
  has_username: true,
  has_secret,
  secret_type: 'password',
  actions: [],
})
const asset: PermedAsset = {
  id: 'asset',
  name: 'web-01',
  address: '10.0.0.1',
  comment: '',
  is_active: true,
  platform: { id: 1, name: 'Linux' },
  category: { value: 'host', label: 'Host' },
  type: { value: 'linux', label: 'Linux' },
  org_id: '',
  org_name: '',
  permed_protocols: [
    { name: 'ssh', port: 22, public: true },
    { name: 'sftp', port: 22, public: true },
    { name: 'winrm', port: 5985, public: false },
    { name: 'rdp', port: 3389, public: true },
  ],
  permed_accounts: [
    account('@INPUT', false),
    account('deploy'),
    account('audit'),
    account('nobody', false),
    account('root', false),
    account('@ANON', false),
  ],
}
const methods: ConnectMethods = {
  ssh: [
    { value: 'web_cli', label: 'Web CLI', type: 'web', component: 'koko' },
    { value: 'ssh_client', label: 'SSH Client', type: 'native', component: 'koko' },
    { value: 'ssh_guide', label: 'SSH Guide', type: 'native', component: 'koko', disabled: true },
  ],
  sftp: [{ value: 'web_sftp', label: 'Web SFTP', type: 'web', component: 'koko' }],
  rdp: [{ value: 'web_gui', label: 'Web GUI', type: 'web', component: 'lion' }],
}
const chosen = {
  protocol: 'ssh',
  account: account('deploy'),
  method: { value: 'web_cli', label: '', type: 'web', component: 'koko' } as const,
  username: '',
  secret: '',
  option: {},
}

test('offers public protocols with an available connect method', () => {
  expect(offeredProtocols(asset, methods).map((protocol) => protocol.name)).toEqual(['ssh', 'sftp'])
})

test('groups accounts: last, stored secret by name, manual with root first and typed last, no anonymous on hosts', () => {
  const names = groupAccounts(asset, 'deploy').map(({ group, accounts }) => [group, accounts.map((one) => one.alias)])
  expect(names).toEqual([
    ['last', ['deploy']],
    ['secret', ['audit']],
    ['manual', ['root', 'nobody', '@INPUT']],
  ])
  const web = { ...asset, category: { value: 'web', label: '' } }
  expect(groupAccounts(web, undefined).at(-1)).toMatchObject({ group: 'special' })
})

test('asks only for missing values', () => {
  expect(manualFields(account('deploy'))).toEqual({ username: false, secret: false })
  expect(manualFields(account('root', false))).toEqual({ username: false, secret: true })
  expect(manualFields(account('@INPUT', false))).toEqual({ username: true, secret: true })
  expect(manualFields(account('@USER', false, 'mia'))).toEqual({ username: false, secret: true })
  expect(manualFields(account('@ANON', false))).toEqual({ username: false, secret: false })
})

test('a second connection needs one click if everything is still available', () => {
  const remembered = toRemember(chosen, true)
  expect(withoutAsking(asset, methods, remembered)).toMatchObject({ protocol: 'ssh', method: { value: 'web_cli' } })
  expect(withoutAsking(asset, methods, undefined)).toBeUndefined()
  expect(withoutAsking(asset, methods, toRemember(chosen, false))).toBeUndefined()
  expect(withoutAsking({ ...asset, permed_accounts: [] }, methods, remembered)).toBeUndefined()
  expect(withoutAsking(asset, { ...methods, ssh: [] }, remembered)).toBeUndefined()
  expect(withoutAsking(asset, methods, { ...remembered, connectMethod: { value: 'ssh_guide' } })).toBeUndefined()
  const noSecret = { ...asset, permed_accounts: [account('deploy', false)] }
  expect(withoutAsking(noSecret, methods, remembered)).toBeUndefined()
})

test('preselects the last used values, or the first ones if they are gone', () => {
  expect(firstChoice(asset, methods, toRemember({ ...chosen, account: account('audit') }, false))).toEqual({
    protocol: 'ssh',
    account: 'audit',
    method: 'web_cli',
  })
  expect(firstChoice(asset, methods, undefined)).toEqual({ protocol: 'ssh', account: 'audit', method: 'web_cli' })
  expect(firstChoice(asset, methods, undefined, 'id-deploy').account).toBe('deploy')
  expect(firstChoice({ ...asset, permed_protocols: [] }, methods, undefined).protocol).toBeUndefined()
})

test('opens files with the account in use, unless a value must be entered', () => {
  expect(choiceFor(asset, methods, 'sftp', 'deploy')).toMatchObject({ protocol: 'sftp', method: { value: 'web_sftp' } })
  expect(choiceFor(asset, methods, 'sftp', '@INPUT')).toBeUndefined()
  expect(choiceFor(asset, methods, 'sftp', 'gone')).toBeUndefined()
  expect(choiceFor({ ...asset, permed_protocols: [] }, methods, 'sftp', 'deploy')).toBeUndefined()
})

test('a token names the account by its alias, and the entered username only for the typed account', () => {
  expect(tokenRequest('asset', chosen, '')).toMatchObject({
    account: 'deploy',
    input_username: 'deploy',
    input_secret: '',
  })
  const typed = { ...chosen, account: account('@INPUT', false), username: 'eve', secret: 'x' }
  expect(tokenRequest('asset', typed, 'sealed')).toMatchObject({
    account: '@INPUT',
    input_username: 'eve',
    input_secret: 'sealed',
  })
})

test('stores no secret', () => {
  expect(JSON.stringify(toRemember({ ...chosen, secret: 'hunter2' }, true))).not.toContain('hunter2')
})
