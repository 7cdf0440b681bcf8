/** Three displays of a status: icon and word, badge, dot and word. Color is never the only indication. */
import { CircleAlert, CircleCheck, CircleDashed, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Status as Tone } from '../tokens.ts'

const icons = { ok: CircleCheck, warning: TriangleAlert, danger: CircleAlert, info: Info, idle: CircleDashed }

/** Icon and word in the strong color: in cells and facts. */
export function Status({ is, children }: { is: Tone; children: ReactNode }) {
  const Icon = icons[is]
  return (
    <span className={`status is-${is}`}>
      <Icon size={14} />
      {children}
    </span>
  )
}

/** The same on a tinted background: in headers, for the whole object. */
export function Badge({ is, children }: { is: Tone; children: ReactNode }) {
  const Icon = icons[is]
  return (
    <span className={`badge soft-${is}`}>
      <Icon size={13} />
      {children}
    </span>
  )
}

/** Connectivity and liveness. Only `live` is animated. */
export function Dot({ is, live, children }: { is: Tone; live?: boolean; children: ReactNode }) {
  return <span className={`dot is-${is} ${live ? 'live' : is === 'idle' ? 'hollow' : ''}`}>{children}</span>
}

/** A boolean in a list: a subtle check mark, or nothing. */
export const Tick = ({ yes, word }: { yes: boolean; word: string }) =>
  yes ? <span className="tick" role="img" aria-label={word} /> : null
