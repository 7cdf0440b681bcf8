/** A form item that opens the form of another category. */
import { Button } from 'antd'
import { useState } from 'react'
import type { FieldSpec, WidgetProps } from '../../kit/form/spec.ts'
import { type TextKey, t } from '../../kit/text.ts'
import { CategoryDialog } from './CategoryPanel.tsx'
import type { CategoryForm } from './category.ts'

export const dialogField = (
  label: TextKey,
  title: TextKey,
  form: CategoryForm | ((values: WidgetProps['values']) => CategoryForm | undefined),
): FieldSpec => ({
  label,
  info: { type: 'string' },
  sending: { local: true },
  component: function OpenDialog({ values, disabled }: WidgetProps) {
    const [open, setOpen] = useState(false)
    const shown = typeof form === 'function' ? form(values) : form
    return (
      <>
        <div>
          <Button disabled={disabled || !shown} onClick={() => setOpen(true)}>
            {t(title)}
          </Button>
        </div>
        {open && shown && <CategoryDialog form={shown} title={t(title)} onClose={() => setOpen(false)} />}
      </>
    )
  },
})
