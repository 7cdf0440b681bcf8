/** The organization selector, with create and list. */
import { systemOrgId } from '@castellan/contract/ids'
import type { View } from '@castellan/contract/routes'
import type { SelectProps } from 'antd'
import { Building2, ChevronDown } from 'lucide-react'
import { type ContextType, useMemo } from 'react'
import { useNavigate } from 'react-router'
import type { OrganizationsContext } from '../../kit/page.tsx'
import { Select } from '../../kit/Select.tsx'
import type { Screen } from '../../kit/screen.ts'
import { licensed, type Profile, useSession } from '../../kit/session.ts'
import { type TextKey, t } from '../../kit/text.ts'
import { leaveThen } from '../../kit/unsaved.ts'
import { keepOrganization } from '../organization.ts'
import { firstScreenBelow, screenAt, usable } from '../screens.ts'
import { mayEnter, neutralAddress, organizationsOf } from '../views.ts'

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

/** Selectable organizations of a view. The system organization is entered and left with its screens. */
export function useOrganizations(view: View): ContextType<typeof OrganizationsContext> {
  const { profile } = useSession()
  return useMemo(() => {
    const list = organizationsOf(view, profile).filter((org) => org.id !== systemOrgId)
    const choose = (id: string) => {
      const next = list.find((org) => org.id === id)
      if (!next) return
      leaveThen(() => {
        keepOrganization(next)
        const address = neutralAddress(location.hash)
        location.hash = screenAt(address.split('?')[0] ?? '') ? address : '/'
        // All state of the page belongs to the old organization.
        setTimeout(() => location.reload(), 400)
      })
    }
    return { list, choose }
  }, [view, profile])
}

export function OrganizationSelect({ view, screen }: { view: View; screen?: Screen }) {
  const { organization, profile } = useSession()
  const go = useNavigate()
  const { list, choose: change } = useOrganizations(view)
  if (!licensed() || (without.includes(view) && !screen?.showsOrganization)) return null
  const choose = (value: string) => {
    const target = actions.map((name) => usable(name)).find((one) => one?.name === value)
    if (target) go(target.path)
    else if (value === systemSettingEntry) go('/settings')
    else change(value)
  }
  const organizations = list.map((org) => ({ value: org.id, label: org.name }))
  const entries = view === 'console' ? entriesOf(profile) : []
  const options: NonNullable<SelectProps['options']> =
    entries.length === 0
      ? organizations
      : [
          {
            label: t('organizationActions'),
            options: entries.map(({ name, title }) => ({ value: name, label: t(title) })),
          },
          { label: t('organizations'), options: organizations },
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
      disabled={screen?.organization !== undefined}
      title={screen?.organization ? t('organizationLocked') : undefined}
      aria-label={t('organization')}
      value={list.some((org) => org.id === organization.id) ? organization.id : undefined}
      options={options}
      onChange={choose}
    />
  )
}
