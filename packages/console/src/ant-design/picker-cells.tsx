/** Days, hours and minutes of an open date picker as buttons: the picker's own cells are not reachable by keyboard. */
import { isDayjs } from 'dayjs'
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'

const columns = 7
const chosen = ':is(.ant-picker-time-panel-cell-selected, .ant-picker-cell-selected, .ant-picker-cell-range-start)'

const groupOf = (button: Element | null) => button?.closest('ul, tbody')
const buttonsOf = (group: Element | null | undefined): HTMLButtonElement[] => [
  ...(group?.querySelectorAll('button') ?? []),
]

/** Returns the focus to the field of the popup. */
export function leavePopup(): void {
  document.querySelector<HTMLElement>('.ant-picker-focused :is(.ant-picker-input-active input, input)')?.focus()
}

/** The target of a key; hours wrap around, days end with the visible month. */
function stepFrom(at: number, count: number, key: string, days: boolean): number | undefined {
  const row = at - (at % columns)
  const to = days
    ? {
        ArrowLeft: at - 1,
        ArrowRight: at + 1,
        ArrowUp: at - columns,
        ArrowDown: at + columns,
        Home: row,
        End: row + columns - 1,
      }
    : { ArrowUp: (at + count - 1) % count, ArrowDown: (at + 1) % count, Home: 0, End: count - 1 }
  return (to as Record<string, number>)[key]
}

const monthKeys: Readonly<Record<string, string>> = { PageUp: 'prev', PageDown: 'next' }

function move(event: KeyboardEvent<HTMLButtonElement>): void {
  const { key, currentTarget: button } = event
  if (key === 'Escape') leavePopup()
  const group = groupOf(button)
  const all = buttonsOf(group)
  const days = group?.matches('tbody') ?? false
  const month = days ? monthKeys[key] : undefined
  const to = stepFrom(all.indexOf(button), all.length, key, days)
  if (to === undefined && !month) return
  event.preventDefault()
  if (month) button.closest('.ant-picker-panel')?.querySelector<HTMLElement>(`.ant-picker-header-${month}-btn`)?.click()
  else if (to !== undefined) all[to]?.focus()
}

function CellButton({
  className,
  label,
  onPick,
  children,
}: {
  className: string
  label?: string
  onPick?: () => void
  children: ReactNode
}) {
  const ref = useRef<HTMLButtonElement>(null)
  // One tab stop per group, at the selected cell. Only the picker knows it, and exposes it as a class. The panel would
  // be an additional stop without any key handling.
  useLayoutEffect(() => {
    const button = ref.current
    const group = groupOf(button)
    const stop =
      group?.querySelector(`${chosen} button, .ant-picker-cell-today button`) ??
      group?.querySelector('.ant-picker-cell-in-view button') ??
      buttonsOf(group)[0]
    if (!button) return
    button.tabIndex = button === stop ? 0 : -1
    button.closest('.ant-picker-panel')?.setAttribute('tabindex', '-1')
  })
  return (
    <button
      ref={ref}
      type="button"
      className={`${className} picker-cell`}
      aria-label={label}
      onKeyDown={move}
      onClick={onPick}
    >
      {children}
    </button>
  )
}

/** The picker's `cellRender`. `onPick` is called on a click of a day or time, before the picker handles it. */
export function pickerCell(
  value: unknown,
  { type, originNode }: { type: string; originNode: ReactNode },
  onPick?: (what: 'day' | 'time') => void,
): ReactNode {
  if (type === 'time')
    return (
      <CellButton className="ant-picker-time-panel-cell-inner" onPick={() => onPick?.('time')}>
        {String(value).padStart(2, '0')}
      </CellButton>
    )
  if (type !== 'date' || !isDayjs(value)) return originNode
  return (
    <CellButton className="ant-picker-cell-inner" label={value.format('YYYY-MM-DD')} onPick={() => onPick?.('day')}>
      {value.date()}
    </CellButton>
  )
}
