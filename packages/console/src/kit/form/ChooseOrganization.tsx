/** Replaces a form in the root organization, where objects cannot be created or changed. */
import { Building2 } from 'lucide-react'
import { useContext } from 'react'
import { OrganizationsContext, PageHead } from '../page.tsx'
import { Select } from '../Select.tsx'
import { t } from '../text.ts'

export function ChooseOrganization({ title, back, changing }: { title: string; back?: string; changing: boolean }) {
  const { list, choose } = useContext(OrganizationsContext)
  const question = t(changing ? 'organizationOfIt' : 'organizationFirst')
  return (
    <div className="page">
      <PageHead title={title} back={back} />
      <div className="state">
        <Building2 size={24} aria-hidden />
        <b>{question}</b>
        <p>{t(changing ? 'organizationOfItText' : 'organizationFirstText')}</p>
        <Select
          className="state-choice"
          showSearch={{ optionFilterProp: 'label' }}
          aria-label={question}
          placeholder={question}
          options={list.filter((org) => !org.is_root).map((org) => ({ value: org.id, label: org.name }))}
          onChange={choose}
        />
      </div>
    </div>
  )
}
