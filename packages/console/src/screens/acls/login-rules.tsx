import { pathOf } from '@castellan/contract/routes'
import { globalUserAttributes, userSource } from '../../domain/acls/rule-attributes.ts'
import { ruleAction } from '../../domain/acls/rule-cells.tsx'
import type { DetailSpec } from '../../kit/detail/DetailPage.tsx'
import type { FormSpec } from '../../kit/form/spec.ts'
import type { ListSpec } from '../../kit/list/spec.ts'
import type { WireForm, WireRow } from '../../kit/wire.ts'
import { activeSwitch, ruleFields, ruleList, usersTab, withoutIdleReviewers } from './rules.tsx'

const shared = {
  url: '/api/v1/acls/login-acls/',
  path: pathOf('UserLoginAclList'),
  resource: 'acls.loginacl',
  noun: 'loginRule',
} as const

export const list: ListSpec<WireRow<typeof shared.url>> = {
  ...shared,
  ...ruleList,
  id: 'UserLoginAclList',
  texts: { empty: 'loginRulesEmpty', help: 'loginRulesHelp' },
  columns: { ...ruleList.columns, exclude: ['users', 'rules'] },
  actions: { create: { label: 'loginRuleCreate' } },
}

export const form: FormSpec<WireForm<typeof shared.url>> = {
  ...shared,
  initial: () => ({
    is_active: true,
    priority: 50,
    action: 'reject',
    users: { type: 'all' },
    rules: { ip_group: ['*'], time_period: [] },
  }),
  groups: [
    { key: 'basic', title: 'groupBasic', fields: ['name', 'priority'] },
    { key: 'users', title: 'users', help: 'ruleUsersHelp', fields: ['users'] },
    { key: 'rules', title: 'ruleWhen', help: 'ruleWhenHelp', fields: ['rules'] },
    { key: 'action', title: 'ruleDoes', help: 'loginRuleActionHelp', fields: ['action', 'reviewers'] },
    { key: 'other', title: 'groupOther', fields: ['is_active', 'comment'] },
  ],
  fields: {
    ...ruleFields,
    users: { label: 'users', widget: 'rule', source: userSource, with: { attributes: globalUserAttributes } },
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
  sections: activeSwitch(shared.url, 'acls.change_loginacl'),
  tabs: [usersTab],
}
