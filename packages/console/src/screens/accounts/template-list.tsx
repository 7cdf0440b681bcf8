import { Eye, LayoutTemplate } from 'lucide-react'
import { useState } from 'react'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { askAhead } from '../../kit/list/queries.ts'
import type { ListSpec } from '../../kit/list/spec.ts'
import type { Row } from '../../kit/row.ts'
import type { ScreenModule } from '../../kit/screen.ts'
import { Tick } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import { type Template, templates } from './template.ts'
import { mayViewSecret, TemplateSecret } from './template-secret.tsx'

const listOf = (open: (template: Row) => void): ListSpec<Template> => ({
  ...templates,
  id: 'AccountTemplateList',
  texts: { empty: 'accountTemplatesNone', help: 'accountTemplatesHelp' },
  columns: {
    shown: ['name', 'username', 'secret_type', 'secret_strategy', 'privileged'],
    fixed: ['name'],
    exclude: ['spec_info', 'password_rules', 'push_params'],
    cells: {
      username: { mono: true, width: 180 },
      secret_type: { width: 140 },
      secret_strategy: { width: 140 },
      privileged: { width: 110, render: (row) => <Tick yes={row.privileged === true} word={t('privileged')} /> },
      is_active: { falseWord: t('disabled'), width: 110 },
    },
  },
  row: { icon: () => <LayoutTemplate size={16} className="kind" />, secondary: 'username' },
  actions: {
    create: { label: 'accountTemplateCreate' },
    row: [
      {
        key: 'secret',
        label: () => t('secretView'),
        icon: <Eye size={14} />,
        visible: mayViewSecret,
        run: open,
      },
    ],
  },
  files: { import: false, export: false },
  bulk: false,
})

export const ask: ScreenModule['ask'] = (client, address) =>
  askAhead(
    client,
    listOf(() => {}),
    address,
  )

/** Templates of accounts. */
export default function AccountTemplates() {
  const [viewed, setViewed] = useState<Row>()
  return (
    <>
      <ListPage spec={listOf(setViewed)} />
      {viewed && <TemplateSecret template={viewed} onClose={() => setViewed(undefined)} />}
    </>
  )
}
