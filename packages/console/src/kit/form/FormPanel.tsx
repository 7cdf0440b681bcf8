/** A form as part of a page. After saving, it stays and shows the stored values. */

import type { Row } from '../row.ts'
import { t } from '../text.ts'
import { toast } from '../toast.ts'
import { useForm } from './controller.ts'
import { FormFoot, FormGroups, showFirstError } from './FormView.tsx'
import type { FormSpec } from './spec.ts'

export function FormPanel({
  spec,
  locked,
  onSaved,
}: {
  spec: FormSpec
  /** Nothing can be changed here. */
  locked?: boolean
  onSaved?: (saved: Row) => void
}) {
  const form = useForm(spec, { query: new URLSearchParams() })
  const Buttons = spec.layout?.buttons
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
      {!locked && (
        <FormFoot form={form} verb={t(spec.submit?.verb ?? 'save')} onSave={() => void save()}>
          {Buttons && form.ready && <Buttons values={form.values} body={form.body} refused={form.refused} />}
        </FormFoot>
      )}
    </div>
  )
}
