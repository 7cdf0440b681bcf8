/**
 * Texts of app `rbac`.
 */
import { defineMessages } from '../messages.ts'

export const rbacMessages = defineMessages({
  role: { en: 'Role', zh: '角色', ja: 'ロール' },
  systemrole: { en: 'System role', zh: '系统角色', ja: 'システムロール' },
  orgrole: { en: 'Organization role', zh: '组织角色', ja: '組織ロール' },
  rolebinding: { en: 'Role binding', zh: '角色绑定', ja: 'ロールバインディング' },
  systemrolebinding: { en: 'System role binding', zh: '系统角色绑定', ja: 'システムロールバインディング' },
  orgrolebinding: { en: 'Organization role binding', zh: '组织角色绑定', ja: '組織ロールバインディング' },
  permission: { en: 'Permission', zh: '权限', ja: '権限' },
  permissions: { en: 'Permissions', zh: '权限', ja: '権限' },
  codename: { en: 'Code', zh: '代码', ja: 'コード' },
  content_type: { en: 'Model', zh: '模型', ja: 'モデル' },
  org: { en: 'Organization', zh: '组织', ja: '組織' },
  role_in_use: {
    en: 'Users still have this role. Remove it from all users first.',
    zh: '该角色仍有用户在使用，请先解除绑定',
    ja: 'このロールはまだ使用されています。先に割り当てを解除してください。',
  },
  last_system_role: {
    en: 'This is the last system role of this user. Every user needs one.',
    zh: '这是该用户的最后一个系统角色，不能删除',
    ja: 'このユーザーの最後のシステムロールのため削除できません。',
  },
  last_org_role: {
    en: 'This is the last role of this user in the organization. Remove the user from the organization instead.',
    zh: '这是该用户在组织内的最后一个角色，请改为将用户移出组织',
    ja: 'この組織での最後のロールです。代わりにユーザーを組織から外してください。',
  },
  more_than_held: {
    en: 'You can only give, take or change what your own roles hold there. Ask an administrator who holds it.',
    zh: '您只能授予、收回或更改自己角色在该范围内拥有的权限，请联系拥有该权限的管理员。',
    ja: '付与・解除・変更できるのは、その範囲で自分のロールが持つ権限だけです。権限を持つ管理者に依頼してください。',
  },
  'role.scope.help': {
    en: 'System roles apply everywhere, organization roles in one organization.',
    zh: '系统角色作用于整个系统，组织角色仅作用于所在组织。',
    ja: 'システムロールは全体に、組織ロールは 1 つの組織に適用されます。',
  },
})
