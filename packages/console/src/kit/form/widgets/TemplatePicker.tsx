/** Dialog to choose account templates. */

import { withQuery } from '../../api/client.ts'
import { PickDialog } from '../../list/PickDialog.tsx'
import type { Picking } from '../../list/spec.ts'
import type { Row } from '../../row.ts'
import { Tick } from '../../status.tsx'
import { t } from '../../text.ts'
import { templatesUrl } from './special-accounts.ts'

export default function TemplatePicker({
  chosen = [],
  protocols,
  ...dialog
}: {
  chosen?: readonly Row[]
  /** Only templates with a secret type that one of these protocols supports. */
  protocols?: readonly string[]
  may?: Picking['may']
  atLeast?: number
  verb?: string
  onClose: () => void
  onPick: (rows: Row[]) => unknown
}) {
  return (
    <PickDialog
      {...dialog}
      title={t('accountTemplates')}
      chosen={new Map(chosen.map((row) => [row.id, row]))}
      spec={{
        id: 'AccountTemplatePicker',
        url: protocols ? withQuery(templatesUrl, { protocols: protocols.join() }) : templatesUrl,
        resource: 'accounts.accounttemplate',
        noun: 'accountTemplate',
        texts: { empty: 'accountTemplatesNone' },
        columns: {
          only: ['name', 'username', 'secret_type', 'privileged', 'comment', 'date_created', 'date_updated'],
          shown: ['name', 'username', 'secret_type', 'privileged', 'comment'],
          cells: {
            username: { mono: true },
            privileged: { render: (row) => <Tick yes={row.privileged === true} word={t('privileged')} /> },
          },
        },
      }}
    />
  )
}
