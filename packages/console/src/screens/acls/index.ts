import { type Feature, screen } from '../../kit/feature.ts'
import { detail, form } from '../../kit/resource.ts'

const lists = () => import('./command-rules.tsx')
const filterForm = form(async () => (await import('./command-filters.tsx')).form)
const groupForm = form(async () => (await import('./command-groups.tsx')).form)

export const features: readonly Feature[] = [
  screen('CommandFilterAclList', 'commandFilters', lists),
  screen('CommandFilterAclCreate', 'commandFilterCreate', filterForm),
  screen('CommandFilterAclUpdate', 'commandFilterUpdate', filterForm),
  screen(
    'CommandFilterAclDetail',
    'commandFilterDetail',
    detail(async () => (await import('./command-filters.tsx')).detail),
  ),
  screen('CommandGroupList', 'commandGroups', lists),
  screen('CommandGroupCreate', 'commandGroupCreate', groupForm),
  screen('CommandGroupUpdate', 'commandGroupUpdate', groupForm),
  screen(
    'CommandGroupDetail',
    'commandGroupDetail',
    detail(async () => (await import('./command-groups.tsx')).detail),
  ),
]
