/** A dashboard card: title, a number beside it, and a link to more. */
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Keeps, useReservedSpace } from '../reserved-space.ts'

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
  /** The content loads after the card. */
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
