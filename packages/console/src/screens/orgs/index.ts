import { type Feature, screen } from '../../kit/feature.ts'
import { detail, form, list } from '../../kit/resource.ts'

const organizationForm = form(async () => (await import('./organizations.tsx')).form)

export const features: readonly Feature[] = [
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
