/** One field: label, control, and error or help text below, all linked for screen readers. */

import { Button, Tooltip } from 'antd'
import { Info } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { popups } from '../../ant-design/classes.ts'
import { t } from '../text.ts'
import { errorAt } from './checks.ts'
import type { Form } from './controller.ts'
import type { Aria, FieldTexts, WidgetName } from './spec.ts'
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

const helpText = (help: Exclude<NonNullable<FieldTexts['help']>, false>): string =>
  typeof help === 'string' ? t(help) : help.said

/** Whether the focus stayed in the field, or in a dialog or list it opened. */
function staysWith(field: Element, to: Element | null): boolean {
  const opened = to?.closest(`[role=dialog], ${popups}`)
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
  const { texts = {}, state = {}, layout = {} } = field
  const info = form.infoOf(name)
  const kind = form.kindOf(name)
  const choices = field.choices?.options ?? info.choices ?? []
  const grouped =
    groups.has(kind) || (kind === 'choice' && choices.length <= 4) || Boolean(field.component && !field.widget)
  // Rows show their own labels.
  const error = kind === 'repeat' ? form.errors[name] : errorAt(form.errors, name)
  const disabled =
    typeof state.disabled === 'function' ? state.disabled(form.values, form.context) : Boolean(state.disabled)
  const inline = kind === 'switch' || kind === 'checkbox'
  // A switch always has a value: nothing is left to enter.
  const required = form.required(name) && !inline
  const word = form.labelOf(name)
  // Below a heading with the same text, the label is visible to screen readers only, and the help text is not repeated.
  const said = word === title && !layout.half ? 'only-read' : undefined
  const silent = texts.help === false || (said && explained) || selfExplained.has(kind)
  const help = texts.help ? helpText(texts.help) : silent ? undefined : info.help_text
  const note = error || help ? `${id}-note` : undefined
  const aria: Aria = grouped
    ? { 'aria-labelledby': `${id}-label` }
    : {
        'aria-describedby': note,
        'aria-invalid': error ? true : undefined,
        'aria-required': required || undefined,
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
      data-field={name}
      role={grouped ? undefined : 'presentation'}
      aria-labelledby={grouped ? `${id}-label` : undefined}
      aria-describedby={grouped ? note : undefined}
      className={['field', layout.half ? 'half' : 'full', error ? 'bad' : '', inline ? 'inline' : ''].join(' ')}
      onBlur={(event) => {
        if (!staysWith(event.currentTarget, event.relatedTarget)) form.blur(name)
      }}
    >
      {texts.tip || field.action ? (
        <div className="with-tip">
          {head}
          {texts.tip && <Tip text={t(texts.tip)} word={word} />}
          {field.action && (
            <Button type="link" size="small" aria-label={field.action.title} onClick={field.action.run}>
              {field.action.label}
            </Button>
          )}
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
