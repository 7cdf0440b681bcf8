/** Actions on one object: a sentence with a switch or a button. */
import { Button, Switch } from 'antd'
import { useId, useState } from 'react'
import { attempt } from '../api/errors.ts'
import { type TextKey, t } from '../text.ts'

export interface QuickAction {
  key: string
  title: string
  help?: string
  /** Renders a switch if given, otherwise a button. */
  on?: boolean
  verb?: string
  visible?: boolean
  disabled?: string | boolean
  danger?: boolean
  run: () => Promise<unknown> | unknown
}

export function QuickActions({ actions, title }: { actions: readonly QuickAction[]; title?: TextKey }) {
  const shown = actions.filter((action) => action.visible ?? true)
  if (shown.length === 0) return null
  return (
    <section>
      <div className="section-head">
        <h2>{t(title ?? 'quickActions')}</h2>
      </div>
      <div className="list-plain">
        {shown.map((action) => (
          <Line key={action.key} action={action} />
        ))}
      </div>
    </section>
  )
}

function Line({ action }: { action: QuickAction }) {
  const [busy, setBusy] = useState(false)
  const said = useId()
  const reason = typeof action.disabled === 'string' ? action.disabled : undefined
  const disabled = Boolean(action.disabled)
  const run = async () => {
    setBusy(true)
    await attempt(action.run).finally(() => setBusy(false))
  }
  return (
    <div className="row quick" title={reason}>
      <span className="grow" id={said}>
        {action.title}
        {(reason ?? action.help) && <small className="muted">{reason ?? action.help}</small>}
      </span>
      {action.on === undefined ? (
        <Button
          size="small"
          danger={action.danger}
          loading={busy}
          disabled={disabled}
          aria-describedby={said}
          onClick={() => void run()}
        >
          {action.verb}
        </Button>
      ) : (
        <Switch
          checked={action.on}
          loading={busy}
          disabled={disabled}
          aria-label={action.title}
          aria-describedby={said}
          onChange={() => void run()}
        />
      )}
    </div>
  )
}
