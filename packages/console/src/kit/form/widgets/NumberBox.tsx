import { InputNumber, type InputNumberProps } from 'antd'
import { isNumeric } from '../values.ts'

type Props = Omit<InputNumberProps<string | number>, 'value' | 'onChange' | 'onInput'> & {
  value: unknown
  /** A number, null for nothing, or the text that was typed and is none: it stays in view until it is mended. */
  onChange: (value: number | string | null) => void
}

/** A number that is typed or stepped. Ant Design's own throws away what is no number without a word. */
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
