/** The full value of a truncated cell, with a copy button. */
import { Button } from 'antd'
import { Copy } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { copyText } from '../copy.ts'
import { t } from '../text.ts'

interface Shown {
  text: string
  left: number
  top: number
}

/** Delays before opening and after the pointer leaves, in ms. */
const openAfter = 350
const closeAfter = 100

/** The text of a cell if a part is hidden: by width, or because of a summary (`data-full`). */
function hiddenText(cell: HTMLElement): string | undefined {
  const full = cell.querySelector<HTMLElement>('[data-full]')
  const parts = [cell, ...cell.querySelectorAll<HTMLElement>('.clip, a, b, small, .mono')]
  const cut = parts.some(
    (part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflow !== 'visible',
  )
  if (full?.dataset.full) return cut || full.dataset.full !== full.innerText ? full.dataset.full : undefined
  return cut ? cell.innerText.trim() : undefined
}

export function CellTips({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const over = useRef<Element>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const later = (run: () => void, ms: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(run, ms)
  }
  const hide = () => later(() => setShown(undefined), closeAfter)
  const enter = (target: EventTarget) => {
    const cell = target instanceof Element ? target.closest<HTMLElement>('.list-table td') : null
    if (!cell || cell === over.current) return
    over.current = cell
    later(() => {
      const text = hiddenText(cell)
      const box = cell.getBoundingClientRect()
      setShown(text ? { text, left: Math.min(box.left, innerWidth - 380), top: box.bottom - 2 } : undefined)
    }, openAfter)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering adds details to the content of the cells
    <div
      onMouseOver={(event) => enter(event.target)}
      onFocus={(event) => enter(event.target)}
      onBlur={hide}
      onMouseLeave={() => {
        over.current = undefined
        hide()
      }}
    >
      {children}
      {shown &&
        createPortal(
          <div
            className="cell-tip"
            role="tooltip"
            style={{ left: shown.left, top: shown.top }}
            onMouseEnter={() => clearTimeout(timer.current)}
            onMouseLeave={hide}
          >
            <span>{shown.text}</span>
            <Button
              type="text"
              size="small"
              icon={<Copy size={14} />}
              aria-label={t('copy')}
              title={t('copy')}
              onClick={() => void copyText(shown.text)}
            />
          </div>,
          document.body,
        )}
    </div>
  )
}
