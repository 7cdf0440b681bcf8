/** A form as part of a page. After saving, it stays and shows the stored values. */

import type { Row } from '../row.ts'
import { t } from '../text.ts'
import { toast } from '../toast.ts'
import { useForm } from './controller.ts'
import { FormFoot, FormGroups, showFirstError } from './FormView.tsx'
import type { FormSpec } from './spec.ts'

export function FormPanel({ spec, onSaved }: { spec: FormSpec; onSaved?: (saved: Row) => void }) {
  const form = useForm(spec, { query: new URLSearchParams() })
  const save = async () => {
    const saved = await form.save()
    if (!saved) return showFirstError()
    toast.ok(t('saved'))
    form.reread()
    onSaved?.(saved)
    return undefined
  }
  return (
    <div className="panel-form">
      <FormGroups form={form} />
      <FormFoot form={form} verb={t(spec.verb ?? 'save')} onSave={() => void save()} />
    </div>
  )
}
