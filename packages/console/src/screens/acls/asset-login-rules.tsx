import { pathOf } from '@castellan/contract/routes'
import { ruleAction } from '../../domain/acls/rule-cells.tsx'
import type { DetailSpec } from '../../kit/detail/DetailPage.tsx'
import type { FormSpec } from '../../kit/form/spec.ts'
import type { ListSpec } from '../../kit/list/spec.ts'
import type { WireForm, WireRow } from '../../kit/wire.ts'
import { activeSwitch, assetsTab, ruleAssets, ruleFields, ruleList, usersTab, withoutIdleReviewers } from './rules.tsx'

const shared = {
  url: '/api/v1/acls/login-asset-acls/',
  path: pathOf('AssetAclList'),
  resource: 'acls.loginassetacl',
  noun: 'assetLoginRule',
} as const

export const list: ListSpec<WireRow<typeof shared.url>> = {
  ...shared,
  ...ruleList,
  id: 'AssetAclList',
  texts: { empty: 'assetLoginRulesEmpty', help: 'assetLoginRulesHelp' },
  columns: { ...ruleList.columns, exclude: ['users', 'assets', 'accounts', 'rules'] },
  actions: { create: { label: 'assetLoginRuleCreate' } },
}

export const form: FormSpec<WireForm<typeof shared.url>> = {
  ...shared,
  initial: () => ({
    is_active: true,
    priority: 50,
    action: 'reject',
    accounts: ['@ALL'],
    users: { type: 'all' },
    assets: { type: 'all' },
    rules: { ip_group: ['*'], time_period: [] },
  }),
  groups: [
    { key: 'basic', title: 'groupBasic', fields: ['name', 'priority'] },
    { key: 'users', title: 'users', help: 'ruleUsersHelp', fields: ['users'] },
    { key: 'assets', title: 'assets', fields: ['assets', 'accounts'] },
    { key: 'rules', title: 'ruleWhen', help: 'ruleWhenHelp', fields: ['rules'] },
    { key: 'action', title: 'ruleDoes', help: 'ruleActionHelp', fields: ['action', 'reviewers'] },
    { key: 'other', title: 'groupOther', fields: ['is_active', 'comment'] },
  ],
  fields: {
    ...ruleFields,
    ...ruleAssets,
    'rules.ip_group': { label: 'ipGroup', texts: { help: 'ipGroupHelp' }, widget: 'ip-group' },
    'rules.time_period': { label: 'timePeriod', texts: { help: 'timePeriodHelp' }, widget: 'week' },
  },
  submit: { clean: withoutIdleReviewers },
}

export const detail: DetailSpec<WireRow<typeof shared.url>> = {
  ...shared,
  facts: [
    'name',
    { name: 'action', render: ruleAction },
    'reviewers',
    'priority',
    'date_created',
    'created_by',
    'comment',
  ],
  sections: activeSwitch(shared.url, 'acls.change_loginassetacl'),
  tabs: [usersTab, assetsTab],
}
