/** A box of a dashboard: its title, a number beside it, what else there is of its kind. */
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Keeps, useReservedSpace } from './reserved-space.ts'

export function Card({
  title,
  note,
  link,
  keeps,
  children,
}: {
  title: string
  note?: string
  link?: { to: string; label: string }
  /** What it shows comes later than itself. */
  keeps?: Keeps
  children: ReactNode
}) {
  return (
    <section className="card" {...useReservedSpace<HTMLElement>(keeps)}>
      <header>
        <h2>{title}</h2>
        {note && <span className="muted small">{note}</span>}
        <div className="grow" />
        {link && (
          <a className="linkish small" href={`#${link.to}`}>
            {link.label} <ChevronRight size={12} />
          </a>
        )}
      </header>
      {children}
    </section>
  )
}
