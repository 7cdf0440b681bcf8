/** Which organisation one works in, and the way to make or list them (spec 1 §2, §4). */
import { systemOrgId } from '@castellan/contract/ids'
import type { View } from '@castellan/contract/routes'
import type { SelectProps } from 'antd'
import { Building2, ChevronDown } from 'lucide-react'
import { type ContextType, useMemo } from 'react'
import { useNavigate } from 'react-router'
import type { Feature } from '../../kit/feature.ts'
import type { OrganisationsContext } from '../../kit/page.tsx'
import { Select } from '../../kit/Select.tsx'
import { licensed, type Profile, useSession } from '../../kit/session.ts'
import { type TextKey, t } from '../../kit/text.ts'
import { leaveThen } from '../../kit/unsaved.ts'
import { featureAt, firstScreenBelow, usable } from '../features.ts'
import { keepOrganisation } from '../organization.ts'
import { mayEnter, neutralAddress, organisationsOf } from '../views.ts'

const without: readonly View[] = ['profile', 'settings', 'tickets']
const actions = ['OrganizationCreate', 'OrganizationList'] as const
const systemSettingEntry = 'SystemSetting'

/** Permitted entries above the organizations: create, list, system settings. */
function entriesOf(profile: Profile): readonly { name: string; title: TextKey }[] {
  const hasSettings = mayEnter('settings', profile) && firstScreenBelow('/settings') !== undefined
  return [
    ...actions.flatMap((name) => usable(name) ?? []),
    ...(hasSettings ? [{ name: systemSettingEntry, title: 'viewSettings' } as const] : []),
  ]
}

/** Organisations of a view that people choose: the system's own is entered and left with its screens. */
export function useOrganisations(view: View): ContextType<typeof OrganisationsContext> {
  const { profile } = useSession()
  return useMemo(() => {
    const list = organisationsOf(view, profile).filter((org) => org.id !== systemOrgId)
    const choose = (id: string) => {
      const next = list.find((org) => org.id === id)
      if (!next) return
      leaveThen(() => {
        keepOrganisation(next)
        const address = neutralAddress(location.hash)
        location.hash = featureAt(address.split('?')[0] ?? '') ? address : '/'
        // The whole state of the page belongs to the old organisation (spec 1 §9).
        setTimeout(() => location.reload(), 400)
      })
    }
    return { list, choose }
  }, [view, profile])
}

export function OrganisationSelect({ view, feature }: { view: View; feature?: Feature }) {
  const { organisation, profile } = useSession()
  const go = useNavigate()
  const { list, choose: change } = useOrganisations(view)
  if (!licensed() || (without.includes(view) && !feature?.showsOrganisation)) return null
  const choose = (value: string) => {
    const screen = actions.map((name) => usable(name)).find((one) => one?.name === value)
    if (screen) go(screen.path)
    else if (value === systemSettingEntry) go('/settings')
    else change(value)
  }
  const organisations = list.map((org) => ({ value: org.id, label: org.name }))
  const entries = view === 'console' ? entriesOf(profile) : []
  const options: NonNullable<SelectProps['options']> =
    entries.length === 0
      ? organisations
      : [
          {
            label: t('organisationActions'),
            options: entries.map(({ name, title }) => ({ value: name, label: t(title) })),
          },
          { label: t('organisations'), options: organisations },
        ]
  return (
    <Select
      className="org-select"
      variant="borderless"
      size="middle"
      prefix={<Building2 size={14} />}
      suffixIcon={<ChevronDown size={14} />}
      popupMatchSelectWidth={false}
      showSearch={list.length > 8 ? { optionFilterProp: 'label' } : false}
      disabled={feature?.organisation !== undefined}
      title={feature?.organisation ? t('organisationLocked') : undefined}
      aria-label={t('organisation')}
      value={list.some((org) => org.id === organisation.id) ? organisation.id : undefined}
      options={options}
      onChange={choose}
    />
  )
}
