/** Pagination with named buttons, so that keyboards and screen readers can use them. */
import { ChevronLeft, ChevronRight, Ellipsis } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { number } from './row.ts'
import { t } from './text.ts'

/** Number of pages with their own button. */
const most = 5

/** The first page, the last page and those around the current page: five in total. */
export function pagesShown(page: number, last: number): number[] {
  if (last <= most) return Array.from({ length: last }, (_, at) => at + 1)
  const from = Math.max(2, Math.min(page - 1, last - 3))
  return [1, from, from + 1, from + 2, last]
}

/** A text field for the current page, where buttons do not fit. */
function TypedPage({ page, last, onChange }: { page: number; last: number; onChange: (page: number) => void }) {
  const [typed, setTyped] = useState<string>()
  const leave = () => {
    const target = Math.trunc(Number(typed))
    setTyped(undefined)
    if (target >= 1 && target !== page) onChange(Math.min(target, last))
  }
  return (
    <>
      <input
        inputMode="numeric"
        aria-label={t('pageOf', { total: number(last) })}
        value={typed ?? String(page)}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && leave()}
        onBlur={leave}
      />
      <span aria-hidden>/</span>
      <span aria-hidden>{number(last)}</span>
    </>
  )
}

export function Pager({
  page,
  size,
  total,
  simple,
  children,
  onChange,
}: {
  page: number
  size: number
  total: number
  simple?: boolean
  /** Number of rows of all pages. */
  children?: ReactNode
  onChange: (page: number) => void
}) {
  const last = Math.max(1, Math.ceil(total / size))
  const shown = pagesShown(page, last)
  const step = (to: number, label: string, icon: ReactNode) => (
    <li>
      <button
        type="button"
        aria-label={label}
        title={label}
        disabled={to < 1 || to > last}
        onClick={() => onChange(to)}
      >
        {icon}
      </button>
    </li>
  )
  return (
    <ul className="pages" aria-label={t('pages')}>
      {step(page - 1, t('pagePrevious'), <ChevronLeft size={14} />)}
      {simple ? (
        <li>
          <TypedPage page={page} last={last} onChange={onChange} />
        </li>
      ) : (
        shown.flatMap((one, at) => [
          at > 0 && one - (shown[at - 1] ?? 0) > 1 && (
            <li key={`before ${one}`} aria-hidden>
              <Ellipsis size={14} />
            </li>
          ),
          <li key={one}>
            <button
              type="button"
              aria-label={t('pageNumber', { page: number(one) })}
              aria-current={one === page ? 'page' : undefined}
              onClick={() => one !== page && onChange(one)}
            >
              {number(one)}
            </button>
          </li>,
        ])
      )}
      {step(page + 1, t('pageNext'), <ChevronRight size={14} />)}
      {children && <li>{children}</li>}
    </ul>
  )
}
