import { InputNumber, type InputNumberProps } from 'antd'
import { isNumeric } from '../values.ts'

type Props = Omit<InputNumberProps<string | number>, 'value' | 'onChange' | 'onInput'> & {
  value: unknown
  /** A number, null if empty, or the entered text if it is not a number: it stays visible until corrected. */
  onChange: (value: number | string | null) => void
}

/** A number input. Ant Design's own silently discards text that is not a number. */
export function NumberBox({ value, onChange, ...props }: Props) {
  const shown = value === '' || value === undefined || value === null ? null : String(value)
  return (
    <InputNumber<string | number>
      {...props}
      value={shown !== null && isNumeric(shown) ? Number(shown) : shown}
      onChange={onChange}
      onInput={(typed) => {
        if (typed.trim() !== '' && !isNumeric(typed)) onChange(typed)
      }}
    />
  )
}
