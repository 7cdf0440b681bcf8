/** Filters as chips in one line: pick a field, pick or type a value. Free words search. */
import { Search, X } from 'lucide-react'
import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { t } from '../text.ts'
import { choiceOf, type FilterField, filterOf, withoutEffect } from './columns.ts'
import { addTag, type ListState, removeTag, replaceTag, type Tag } from './state.ts'

interface Option {
  key: string
  label: string
  pick: () => void
}

function useSlashKey(focus: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLElement && event.target.closest('input, textarea, [contenteditable]')
      if (event.key !== '/' || typing || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [focus])
}

const inView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })

export function FilterBar({
  filters,
  state,
  onChange,
  placeholder,
}: {
  filters: readonly FilterField[]
  state: ListState
  onChange: (next: ListState) => void
  placeholder?: string
}) {
  const [text, setText] = useState('')
  const [field, setField] = useState<FilterField>()
  const [open, setOpen] = useState(false)
  const [lit, setLit] = useState(-1)
  const [erasing, setErasing] = useState(0)
  /** The edited tag. It stays active until another one is confirmed. */
  const [edited, setEdited] = useState<Tag>()
  const input = useRef<HTMLInputElement>(null)
  const menu = useId()
  const focus = useCallback(() => input.current?.focus(), [])
  useSlashKey(focus)

  const done = (next: ListState) => {
    onChange(next)
    setText('')
    setField(undefined)
    setEdited(undefined)
    setLit(-1)
  }
  const confirm = () => {
    const typed = text.trim()
    // A choice may be typed by its label.
    const called = field?.choices?.find(({ label }) => label.toLowerCase() === typed.toLowerCase())
    const tag = { field: field?.field ?? '', value: called?.value ?? typed }
    if (edited) done(replaceTag(state, edited, tag))
    else if (field && !typed) done(removeField(field.field))
    else if (typed) done(addTag(state, tag))
    setOpen(false)
  }
  const drop = () => {
    setText('')
    setField(undefined)
    setEdited(undefined)
  }
  /** Typed words are applied on blur, as with Enter, unless they match several choices. */
  const leave = () => {
    const value = text.trim()
    setOpen(false)
    if (edited && (!value || value === edited.value)) drop()
    else if (value && !field?.choices) confirm()
  }
  const removeField = (name: string): ListState => ({
    ...state,
    page: 1,
    tags: state.tags.filter((tag) => tag.field !== name),
  })

  const needle = text.trim().toLowerCase()
  const options: Option[] = field
    ? (field.choices ?? [])
        .filter((choice) => choice.label.toLowerCase().includes(needle))
        .map((choice) => ({
          key: choice.value,
          label: choice.label,
          pick: () => {
            const tag = { field: field.field, value: choice.value }
            done(edited ? replaceTag(state, edited, tag) : addTag(state, tag))
            setOpen(false)
          },
        }))
    : filters
        .filter((filter) => filter.label.toLowerCase().includes(needle))
        .map((filter) => ({
          key: filter.field,
          label: filter.label,
          pick: () => {
            setField(filter)
            setText('')
            setLit(-1)
            focus()
          },
        }))

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    // Close it while the focus is still inside: removing the focused element loses the focus.
    if (event.key === 'Tab') setOpen(false)
    else if (event.key === 'Enter') {
      const option = options[lit]
      if (option) option.pick()
      else confirm()
    } else if (event.key === 'Escape') {
      // Closes the menu or leaves the field first, not the dialog around the list.
      if (field || (open && options.length > 0)) event.stopPropagation()
      setOpen(false)
      drop()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      const step = event.key === 'ArrowDown' ? 1 : -1
      setLit((old) => Math.max(-1, Math.min(options.length - 1, old + step)))
    } else if (event.key === 'Backspace' && text === '') {
      if (field && !edited) setField(undefined)
      else if (erasing >= 1) {
        const last = edited ?? shown.at(-1)
        if (last) done(removeTag(state, last))
        setErasing(0)
      } else setErasing(erasing + 1)
      return
    }
    setErasing(0)
  }

  const edit = (tag: Tag) => {
    const known = filterOf(filters, tag.field)
    if (known && !known.editable) return
    setEdited(tag)
    setField(known)
    // A choice is replaced by another one; its value is a wire value, not text to edit.
    setText(known?.choices ? '' : tag.value)
    setOpen(true)
    focus()
  }

  const shown = state.tags.filter((tag) => tag.field !== edited?.field || tag.value !== edited.value)
  return (
    <search
      className="filter-bar"
      onBlur={(event) => {
        // Focus moved within the bar or to another window; the typed text stays.
        if (event.currentTarget.contains(event.relatedTarget) || !document.hasFocus()) return
        leave()
      }}
    >
      <Search size={14} />
      {shown.map((tag) => (
        <Chip
          key={`${tag.field}=${tag.value}`}
          tag={tag}
          filter={filterOf(filters, tag.field)}
          onEdit={() => edit(tag)}
          onRemove={() => onChange(removeTag(state, tag))}
        />
      ))}
      {field && <em className="filter-field">{field.label}:</em>}
      <input
        ref={input}
        value={text}
        aria-label={t('filter')}
        aria-controls={menu}
        aria-activedescendant={open && options[lit] ? `${menu}-${lit}` : undefined}
        aria-expanded={open && options.length > 0}
        role="combobox"
        autoComplete="off"
        placeholder={
          edited && field?.choices
            ? (choiceOf(field, edited.value) ?? edited.value)
            : field
              ? t('filterEnter')
              : shown.length > 0
                ? t('filterMore')
                : (placeholder ?? t('filterOrSearch'))
        }
        onChange={(event) => {
          setText(event.target.value)
          setOpen(true)
          setLit(-1)
        }}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onKeyDown={onKeyDown}
      />
      {text.trim() ? <kbd title={t('filterConfirm')}>↵</kbd> : <kbd>/</kbd>}
      {open && options.length > 0 && (
        <div className="filter-menu" id={menu} role="listbox" tabIndex={-1}>
          {options.map((option, index) => (
            <button
              type="button"
              role="option"
              id={`${menu}-${index}`}
              // With many fields the menu scrolls.
              ref={index === lit ? inView : undefined}
              tabIndex={-1}
              aria-selected={index === lit}
              className={index === lit ? 'on' : ''}
              key={option.key}
              onMouseDown={(event) => event.preventDefault()}
              onClick={option.pick}
            >
              {option.label}
            </button>
          ))}
        </div>
      )}
    </search>
  )
}

function Chip({
  tag,
  filter,
  onEdit,
  onRemove,
}: {
  tag: Tag
  filter?: FilterField
  onEdit: () => void
  onRemove: () => void
}) {
  const value = choiceOf(filter, tag.value) ?? tag.value
  const idle = withoutEffect(filter, tag.value)
  return (
    <span
      className={idle ? 'chip idle' : 'chip'}
      title={idle ? t('filterIdleWhy', { field: filter?.label ?? tag.field, value }) : undefined}
    >
      <button type="button" onClick={onEdit}>
        {filter && <em>{filter.label}</em>} {idle ? <s>{value}</s> : value}
      </button>
      {idle && <em>{t('filterIdle')}</em>}
      <button type="button" aria-label={t('removeFilter', { name: value })} onClick={onRemove}>
        <X size={12} />
      </button>
    </span>
  )
}
