/** Instead of a form for something new where all organisations are seen: whose is it to be? */
import { Building2 } from 'lucide-react'
import { useContext } from 'react'
import { OrganisationsContext, PageHead } from '../page.tsx'
import { Select } from '../Select.tsx'
import { t } from '../text.ts'

export function ChooseOrganisation({ title, back }: { title: string; back?: string }) {
  const { list, choose } = useContext(OrganisationsContext)
  return (
    <div className="page">
      <PageHead title={title} back={back} />
      <div className="state">
        <Building2 size={24} aria-hidden />
        <b>{t('organisationFirst')}</b>
        <p>{t('organisationFirstText')}</p>
        <Select
          className="state-choice"
          showSearch={{ optionFilterProp: 'label' }}
          aria-label={t('organisationFirst')}
          placeholder={t('organisationFirst')}
          options={list.filter((org) => !org.is_root).map((org) => ({ value: org.id, label: org.name }))}
          onChange={choose}
        />
      </div>
    </div>
  )
}
