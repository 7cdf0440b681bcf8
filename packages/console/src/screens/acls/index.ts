import type { Feature } from '../../kit/feature.ts'
import { detail, form, routes } from '../../kit/resource.ts'

const page = () => import('./command-rules.tsx')
const shared = { view: 'console', menu: 'perms' } as const

export const features: readonly Feature[] = [
  ...routes({
    ...shared,
    path: '/console/perms/cmd-acls',
    name: 'CommandFilterAcl',
    resource: 'acls.commandfilteracl',
    titles: {
      list: 'commandFilters',
      create: 'commandFilterCreate',
      update: 'commandFilterUpdate',
      detail: 'commandFilterDetail',
    },
    load: {
      list: page,
      form: form(async () => (await import('./command-filters.tsx')).form),
      detail: detail(async () => (await import('./command-filters.tsx')).detail),
    },
  }),
  ...routes({
    view: 'console',
    lit: '/console/perms/cmd-acls',
    path: '/console/perms/cmd-groups',
    name: 'CommandGroup',
    resource: 'acls.commandgroup',
    titles: {
      list: 'commandGroups',
      create: 'commandGroupCreate',
      update: 'commandGroupUpdate',
      detail: 'commandGroupDetail',
    },
    load: {
      list: page,
      form: form(async () => (await import('./command-groups.tsx')).form),
      detail: detail(async () => (await import('./command-groups.tsx')).detail),
    },
  }),
]
