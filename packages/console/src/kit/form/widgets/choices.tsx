import { Checkbox, Input, Radio, Switch } from 'antd'
import type { FieldChoice } from '../../api/metadata.ts'
import { exactTime, timestampOf, wordOf, wordsOf } from '../../row.ts'
import { Select } from '../../Select.tsx'
import { t } from '../../text.ts'
import type { WidgetProps } from '../spec.ts'

const choicesOf = ({ field, info }: WidgetProps): readonly FieldChoice[] => field.choices?.options ?? info.choices ?? []
const option = (choice: FieldChoice) => ({ value: choice.value as string, label: choice.label })

/** Up to four choices are radio buttons; more become a searchable select. */
export function OneChoice(props: WidgetProps) {
  const { id, aria, value, onChange, disabled, invalid } = props
  const choices = choicesOf(props)
  if (choices.length <= 4) {
    return (
      <Radio.Group
        id={id}
        {...aria}
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value)}
        options={choices.map(option)}
      />
    )
  }
  return (
    <Select
      id={id}
      {...aria}
      allowClear={!props.info.required}
      value={value as string}
      disabled={disabled}
      status={invalid ? 'error' : undefined}
      showSearch={{ optionFilterProp: 'label' }}
      options={choices.map(option)}
      onChange={onChange}
    />
  )
}

export function ManyChoices(props: WidgetProps) {
  const choices = choicesOf(props)
  const value = Array.isArray(props.value) ? (props.value as string[]) : []
  return (
    <Checkbox.Group value={value} disabled={props.disabled} options={choices.map(option)} onChange={props.onChange} />
  )
}

export function OnOff({ id, aria, value, onChange, disabled }: WidgetProps) {
  return <Switch id={id} {...aria} checked={value === true} disabled={disabled} onChange={onChange} />
}

export function Check({ id, aria, value, onChange, disabled }: WidgetProps) {
  return (
    <Checkbox
      id={id}
      {...aria}
      checked={value === true}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
    />
  )
}

/** A read-only value. */
export function ReadOnly({ id, aria, value, field, info }: WidgetProps) {
  const timestamp = info.type === 'datetime' ? timestampOf(value) : undefined
  const word =
    typeof value === 'boolean'
      ? t(value ? 'yes' : 'no')
      : timestamp
        ? exactTime(timestamp)
        : Array.isArray(value)
          ? wordsOf(value).join(', ')
          : wordOf(value)
  const href = (field.with?.href as ((value: unknown) => string) | undefined)?.(value)
  if (href && word)
    return (
      <a id={id} href={href} target="_blank" rel="noreferrer">
        {word}
      </a>
    )
  return <Input id={id} {...aria} value={word} readOnly disabled />
}
