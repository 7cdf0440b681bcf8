/** Arrow keys in a table move between rows on the same kind of control. */
import type { KeyboardEvent } from 'react'

const controls = 'a[href], button:not([disabled]), input:not([disabled])'

const rowOf = (element: Element | null): HTMLElement | null => element?.closest<HTMLElement>('tr[data-row-key]') ?? null

function neighbour(row: HTMLElement, key: string): HTMLElement | undefined {
  const rows = [...(row.parentElement?.querySelectorAll<HTMLElement>(':scope > tr[data-row-key]') ?? [])]
  const at = rows.indexOf(row)
  if (key === 'ArrowDown') return rows[at + 1]
  if (key === 'ArrowUp') return rows[at - 1]
  return key === 'Home' ? rows[0] : key === 'End' ? rows.at(-1) : undefined
}

/** The control of the same cell in another row; its first control if that cell has none. */
function sameControl(from: HTMLElement, row: HTMLElement, to: HTMLElement): HTMLElement | null {
  const cell = from.closest('td')
  const column = cell ? [...row.children].indexOf(cell) : 0
  return to.children[column]?.querySelector<HTMLElement>(controls) ?? to.querySelector<HTMLElement>(controls)
}

/** Moves the focus if a row contains it; other keys are left to the browser. */
export function moveByKey(event: KeyboardEvent): void {
  if (!['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(event.key) || event.altKey || event.ctrlKey || event.metaKey)
    return
  const from = event.target as HTMLElement
  const typing = from instanceof HTMLInputElement && from.type !== 'checkbox'
  const row = rowOf(from)
  const to = row && !typing ? neighbour(row, event.key) : undefined
  if (!row || !to) return
  event.preventDefault()
  sameControl(from, row, to)?.focus()
}
