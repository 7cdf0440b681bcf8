import { detail, form, list } from '../../kit/resource.ts'
import { type Screen, screen } from '../../kit/screen.ts'

const organizationForm = form(async () => (await import('./organizations.tsx')).form)

export const screens: readonly Screen[] = [
  screen(
    'OrganizationList',
    'organizations',
    list(async () => (await import('./organizations.tsx')).list),
  ),
  screen('OrganizationCreate', 'organizationCreate', organizationForm),
  screen('OrganizationUpdate', 'organizationUpdate', organizationForm),
  screen(
    'OrganizationDetail',
    'organizationDetail',
    detail(async () => (await import('./organizations.tsx')).detail),
  ),
]
