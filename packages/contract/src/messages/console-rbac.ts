/** Texts of the console: roles. */
import { defineMessages } from '../messages.ts'

export const consoleRbacMessages = defineMessages({
  role: { en: 'role', zh: '角色', ja: 'ロール' },
  roleCreate: { en: 'Create role', zh: '创建角色', ja: 'ロールを作成' },
  roleUpdate: { en: 'Update role', zh: '更新角色', ja: 'ロールを更新' },
  roleDetail: { en: 'Role detail', zh: '角色详情', ja: 'ロール詳細' },
  rolesSystem: { en: 'System roles', zh: '系统角色', ja: 'システムロール' },
  rolesOrg: { en: 'Organization roles', zh: '组织角色', ja: '組織ロール' },
  rights: { en: 'Permissions', zh: '权限', ja: '権限' },
  rightsSave: { en: 'Save permissions', zh: '保存权限', ja: '権限を保存' },
  roleScopeHelp: {
    en: 'System roles apply everywhere, organization roles in one organization. Set by the list in which the role is created.',
    zh: '由创建时所在的列表决定：系统角色作用于整个系统，组织角色仅作用于所在组织。',
    ja: '作成元の一覧で決まります。システムロールは全体に、組織ロールは 1 つの組織に適用されます。',
  },
  rightsHelp: {
    en: 'Permissions of users with this role. Selecting one also selects those it requires.',
    zh: '拥有此角色的用户可以查看和操作的内容。勾选某项权限时，会同时勾选其依赖的权限。',
    ja: 'このロールを持つユーザーが閲覧・操作できる内容です。権限を選ぶと、必要な権限も選ばれます。',
  },
  rightsTicked: {
    en: '{count} of {total} selected',
    zh: '已选 {count} / {total} 项',
    ja: '{total} 件中 {count} 件を選択',
  },
  rightsFind: { en: 'Find a permission', zh: '搜索权限', ja: '権限を検索' },
  rightsBuiltin: {
    en: 'Built-in roles cannot be changed. Clone the role to create your own.',
    zh: '内置角色不能修改，可克隆后自定义。',
    ja: '組み込みロールは変更できません。複製して編集してください。',
  },
})
