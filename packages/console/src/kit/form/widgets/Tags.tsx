/** Tag input: Enter, a comma or blur adds, a click edits, pasted text may contain several tags. */
import { Button } from 'antd'
import { Eye, EyeOff, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { t } from '../../text.ts'
import { isAddressItem } from '../addresses.ts'
import type { WidgetProps } from '../spec.ts'
import { listOf, withWords, wordsIn } from './tags.ts'

export function TagInput({
  wrong,
  onTyping,
  ...props
}: WidgetProps & {
  /** Marks an invalid tag. */
  wrong?: (word: string) => boolean
  /** Called with the text that is no tag yet, for suggestions. */
  onTyping?: (text: string) => void
}) {
  const { id, aria, value, onChange, field, info, invalid, disabled } = props
  const words = listOf(value)
  const [text, setText] = useState('')
  const [shown, setShown] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const mask = field.with?.mask as RegExp | undefined
  const blanks = field.with?.blanks !== false
  const put = (typed: string) => {
    const next = withWords(words, wordsIn(typed, blanks))
    setText('')
    if (next.length !== words.length) onChange(next)
  }
  const without = (word: string) => words.filter((other) => other !== word)
  return (
    // A press beside the tags focuses the input.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input itself takes the keys
    // biome-ignore lint/a11y/noStaticElementInteractions: the input itself is the control
    <div
      className={['tag-input', invalid ? 'bad' : '', disabled ? 'off' : ''].join(' ')}
      onClick={(event) => event.target === event.currentTarget && input.current?.focus()}
    >
      {words.map((word) => (
        <span className={wrong?.(word) ? 'tag wrong' : 'tag'} key={word}>
          <button
            type="button"
            disabled={disabled}
            title={t('edit')}
            onClick={() => {
              onChange(without(word))
              setText(word)
              input.current?.focus()
            }}
          >
            {mask?.test(word) && !shown ? '******' : word}
          </button>
          <button
            type="button"
            className="close"
            disabled={disabled}
            aria-label={t('removeName', { name: mask && !shown ? t('value') : word })}
            onClick={() => {
              onChange(without(word))
              input.current?.focus()
            }}
          >
            <X size={12} />
          </button>
        </span>
      ))}
      <input
        ref={input}
        id={id}
        {...aria}
        value={text}
        disabled={disabled}
        autoComplete="off"
        spellCheck={false}
        list={info.choices ? `${id}-words` : undefined}
        placeholder={words.length === 0 ? (field.texts?.placeholder ?? t('tagsPlaceholder')) : undefined}
        onChange={(event) => {
          const typed = event.target.value
          if (/[,;，；\n]/.test(typed) || (blanks && /\s$/.test(typed))) put(typed)
          else setText(typed)
          onTyping?.(typed)
        }}
        onFocus={() => onTyping?.(text)}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text')
          if (wordsIn(pasted, blanks).length < 2) return
          event.preventDefault()
          put(text + pasted)
        }}
        onBlur={() => text && put(text)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Enter' && text) {
            event.preventDefault()
            put(text)
          } else if (event.key === 'Backspace' && text === '' && words.length > 0) onChange(words.slice(0, -1))
        }}
      />
      {info.choices && (
        <datalist id={`${id}-words`}>
          {info.choices.map((choice) => (
            <option key={String(choice.value)} value={String(choice.value)}>
              {choice.label}
            </option>
          ))}
        </datalist>
      )}
      {mask && (
        <Button
          type="text"
          size="small"
          icon={shown ? <EyeOff size={14} /> : <Eye size={14} />}
          aria-label={t(shown ? 'hide' : 'show')}
          onClick={() => setShown(!shown)}
        />
      )}
    </div>
  )
}

/** Addresses of a rule: `*`, single addresses, networks and ranges. */
export function IpGroup(props: WidgetProps) {
  return (
    <TagInput
      {...props}
      field={{
        ...props.field,
        texts: { placeholder: '10.0.0.0/8', ...props.field.texts },
        with: { ...props.field.with, blanks: true },
      }}
      wrong={(word) => !isAddressItem(word)}
    />
  )
}
