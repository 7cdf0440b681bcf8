/** One field: label, control, and error or help text below, all linked for screen readers. */
import { Tooltip } from 'antd'
import { Info } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { t } from '../text.ts'
import { errorAt } from './checks.ts'
import type { Form } from './controller.ts'
import type { Aria, WidgetName } from './spec.ts'
import { get } from './values.ts'
import { widgets } from './widgets/index.tsx'
import { Repeat } from './widgets/Repeat.tsx'

/** Widgets without a single input for the label. */
const groups = new Set<WidgetName>([
  'choices',
  'tree',
  'rule',
  'week',
  'lines',
  'repeat',
  'attributes',
  'transfer',
  'protocols',
  'account-names',
  'all-or-some',
  'password-rules',
  'code',
  'json',
  'image',
])

/** Widgets whose choices explain themselves, and the phone field, whose country code is selected. */
const selfExplained = new Set<WidgetName>(['account-names', 'phone'])

/** More help for a field, accessible by pointer, keyboard and screen reader. */
function Tip({ text, word }: { text: string; word: string }) {
  return (
    <Tooltip title={text} trigger={['hover', 'focus']}>
      <button type="button" className="tip" aria-label={t('tipOf', { name: word, text })}>
        <Info size={14} />
      </button>
    </Tooltip>
  )
}

/** Whether the focus stayed in the field, or in a dialog or list it opened. */
function staysWith(field: Element, to: Element | null): boolean {
  const opened = to?.closest('[role=dialog], .ant-select-dropdown, .ant-picker-dropdown')
  return field.contains(to) || (opened !== null && opened !== undefined && !opened.contains(field))
}

export function Field({
  form,
  name,
  title,
  explained,
}: {
  form: Form
  name: string
  /** Title of the group, if this is its first field. */
  title?: string
  /** The group title is followed by a help text. */
  explained?: boolean
}): ReactNode {
  const id = useId()
  const field = form.fieldOf(name)
  const info = form.infoOf(name)
  const kind = form.kindOf(name)
  const choices = field.options ?? info.choices ?? []
  const grouped =
    groups.has(kind) || (kind === 'choice' && choices.length <= 4) || Boolean(field.component && !field.widget)
  // Rows show their own labels.
  const error = kind === 'repeat' ? form.errors[name] : errorAt(form.errors, name)
  const disabled =
    typeof field.disabled === 'function' ? field.disabled(form.values, form.context) : Boolean(field.disabled)
  const inline = kind === 'switch' || kind === 'checkbox'
  const required = form.required(name)
  const word = form.labelOf(name)
  // Below a heading with the same text, the label is visible to screen readers only, and the help text is not repeated.
  const said = word === title && !field.half ? 'only-read' : undefined
  const silent = field.help === false || (said && explained) || selfExplained.has(kind)
  const help = field.help ? t(field.help) : silent ? undefined : info.help_text
  const note = error || help ? `${id}-note` : undefined
  const aria: Aria = grouped
    ? { 'aria-labelledby': `${id}-label` }
    : {
        'aria-describedby': note,
        'aria-invalid': error ? true : undefined,
        'aria-required': required && !inline ? true : undefined,
      }
  const label = (
    <>
      {required && (
        <span className="required" aria-hidden>
          *{' '}
        </span>
      )}
      {word}
    </>
  )
  const head = grouped ? (
    <b id={`${id}-label`} className={said}>
      {label}
    </b>
  ) : (
    <label id={`${id}-label`} className={said} htmlFor={id}>
      {label}
    </label>
  )
  const Widget = field.component ?? (kind === 'repeat' ? undefined : widgets[kind])
  const source = form.sourceOf(name)
  return (
    <fieldset
      role={grouped ? undefined : 'presentation'}
      aria-labelledby={grouped ? `${id}-label` : undefined}
      aria-describedby={grouped ? note : undefined}
      className={['field', field.half ? 'half' : 'full', error ? 'bad' : '', inline ? 'inline' : ''].join(' ')}
      onBlur={(event) => {
        if (!staysWith(event.currentTarget, event.relatedTarget)) form.blur(name)
      }}
    >
      {field.tip ? (
        <div className="with-tip">
          {head}
          <Tip text={t(field.tip)} word={word} />
        </div>
      ) : (
        head
      )}
      {Widget ? (
        <Widget
          id={id}
          aria={aria}
          value={get(form.values, name)}
          onChange={(value) => form.change(name, value)}
          field={source ? { ...field, source } : field}
          info={info}
          invalid={error !== undefined}
          disabled={disabled || Boolean(info.read_only)}
          values={form.values}
          context={form.context}
        />
      ) : (
        <Repeat form={form} name={name} disabled={disabled} Field={Field} />
      )}
      {error ? (
        <small className="is-danger" role="alert" id={`${id}-note`}>
          {error}
        </small>
      ) : (
        help && (
          <small className="muted" id={`${id}-note`}>
            {help}
          </small>
        )
      )}
    </fieldset>
  )
}
