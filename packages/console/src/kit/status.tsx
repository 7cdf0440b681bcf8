/** Three forms of a state: icon and word, pill, dot and word. Always a word beside the colour. */
import { CircleAlert, CircleCheck, CircleDashed, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Status as Tone } from '../tokens.ts'

const icons = { ok: CircleCheck, warning: TriangleAlert, danger: CircleAlert, info: Info, idle: CircleDashed }

/** Icon and word in the strong colour: in cells and facts. */
export function Status({ is, children }: { is: Tone; children: ReactNode }) {
  const Icon = icons[is]
  return (
    <span className={`status is-${is}`}>
      <Icon size={14} />
      {children}
    </span>
  )
}

/** The same on its soft ground: in headers, for the whole object. */
export function Badge({ is, children }: { is: Tone; children: ReactNode }) {
  const Icon = icons[is]
  return (
    <span className={`badge soft-${is}`}>
      <Icon size={13} />
      {children}
    </span>
  )
}

/** Connectivity and liveness. Only `live` moves. */
export function Dot({ is, live, children }: { is: Tone; live?: boolean; children: ReactNode }) {
  return <span className={`dot is-${is} ${live ? 'live' : is === 'idle' ? 'hollow' : ''}`}>{children}</span>
}

/** A boolean in a list: a quiet tick, or nothing. */
export const Tick = ({ yes, word }: { yes: boolean; word: string }) =>
  yes ? <span className="tick" role="img" aria-label={word} /> : null
