import { detail, form, list } from '../../kit/resource.ts'
import { type Screen, screen } from '../../kit/screen.ts'

const userForm = form(async () => (await import('./user-form.ts')).form)
const groupForm = form(async () => (await import('./groups.tsx')).form)

export const screens: readonly Screen[] = [
  screen(
    'UserList',
    'users',
    list(async () => (await import('./users.tsx')).list),
  ),
  screen('UserCreate', 'userCreate', userForm),
  screen('UserUpdate', 'userUpdate', userForm),
  screen(
    'UserDetail',
    'userDetail',
    detail(async () => (await import('./user-detail.tsx')).detail),
  ),
  screen(
    'UserGroupList',
    'groups',
    list(async () => (await import('./groups.tsx')).list),
  ),
  screen('UserGroupCreate', 'groupCreate', groupForm),
  screen('UserGroupUpdate', 'groupUpdate', groupForm),
  screen(
    'UserGroupDetail',
    'groupDetail',
    detail(async () => (await import('./group-detail.tsx')).detail),
  ),
  screen('ProfileInfo', 'profileInfo', () => import('./profile-info.tsx')),
  screen('ProfileSetting', 'profileSetting', () => import('./profile-setting.tsx')),
  screen('UserSetting', 'preferences', () => import('./preferences.tsx')),
  screen('ProfileImprovement', 'profileImprovement', () => import('./improvement.tsx')),
]
