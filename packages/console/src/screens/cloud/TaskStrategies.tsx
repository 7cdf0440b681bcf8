/** The strategies of a task: existing ones, and new ones made beside the form. */
import { Button } from 'antd'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import type { WidgetProps } from '../../kit/form/spec.ts'
import { RemoteSelect } from '../../kit/form/widgets/Remote.tsx'
import type { Row } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { form, strategySource } from './strategies.tsx'

export function TaskStrategies({ id, aria, value, onChange, invalid, disabled }: WidgetProps) {
  const [making, setMaking] = useState(false)
  const rows = (Array.isArray(value) ? value : []) as Row[]
  return (
    <div className="join">
      <RemoteSelect many {...{ id, aria, invalid, disabled, value: rows, onChange }} source={strategySource} />
      {can('xpack.add_strategy') && (
        <Button icon={<Plus size={14} />} disabled={disabled} onClick={() => setMaking(true)}>
          {t('cloudStrategyNew')}
        </Button>
      )}
      {making && (
        <FormDialog
          spec={form}
          title={t('cloudStrategyCreate')}
          onClose={() => setMaking(false)}
          onSaved={(saved) => onChange([...rows, saved])}
        />
      )}
    </div>
  )
}
