import { type Feature, screen } from '../../kit/feature.ts'
import { detail, form, list } from '../../kit/resource.ts'

const organisationForm = form(async () => (await import('./organisations.tsx')).form)

export const features: readonly Feature[] = [
  screen(
    'OrganizationList',
    'organisations',
    list(async () => (await import('./organisations.tsx')).list),
  ),
  screen('OrganizationCreate', 'organisationCreate', organisationForm),
  screen('OrganizationUpdate', 'organisationUpdate', organisationForm),
  screen(
    'OrganizationDetail',
    'organisationDetail',
    detail(async () => (await import('./organisations.tsx')).detail),
  ),
]
