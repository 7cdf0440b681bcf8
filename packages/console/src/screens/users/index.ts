import type { Feature } from '../../kit/feature.ts'
import { detail, form, list, routes } from '../../kit/resource.ts'

const profile = { view: 'profile', hidesOrganisation: true } as const

export const features: readonly Feature[] = [
  ...routes({
    path: '/console/users/users',
    name: 'User',
    view: 'console',
    resource: 'users.user',
    menu: 'users',
    titles: { list: 'users', create: 'userCreate', update: 'userUpdate', detail: 'userDetail' },
    load: {
      list: list(async () => (await import('./users.tsx')).list),
      form: form(async () => (await import('./user-form.ts')).form),
      detail: detail(async () => (await import('./user-detail.tsx')).detail),
    },
  }),
  ...routes({
    path: '/console/users/groups',
    name: 'UserGroup',
    view: 'console',
    resource: 'users.usergroup',
    menu: 'users',
    titles: { list: 'groups', create: 'groupCreate', update: 'groupUpdate', detail: 'groupDetail' },
    load: {
      list: list(async () => (await import('./groups.tsx')).list),
      form: form(async () => (await import('./groups.tsx')).form),
      detail: detail(async () => (await import('./group-detail.tsx')).detail),
    },
  }),
  {
    ...profile,
    path: '/profile/info',
    name: 'ProfileInfo',
    title: 'profileInfo',
    menu: '',
    load: () => import('./profile-info.tsx'),
  },
  {
    ...profile,
    path: '/profile/setting',
    name: 'ProfileSetting',
    title: 'profileSetting',
    menu: '',
    load: () => import('./profile-setting.tsx'),
  },
  {
    ...profile,
    path: '/profile/user/setting',
    name: 'UserSetting',
    title: 'preferences',
    menu: '',
    load: () => import('./preferences.tsx'),
  },
  {
    ...profile,
    path: '/profile/improvement',
    name: 'ProfileImprovement',
    title: 'profileImprovement',
    load: () => import('./improvement.tsx'),
  },
]
