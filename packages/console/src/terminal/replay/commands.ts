import { type RiskTone, riskTone } from '../../domain/terminal/sessions.ts'
import type { Recording } from './recording.ts'

/** The displayed fields of a row of `/api/v1/terminal/commands/`. `timestamp` in unix seconds. */
export interface CommandRow {
  id: string
  input: string
  timestamp: number
  risk_level: { value: number; label: string }
}

/** A command with its position in the recording. */
export interface CommandMark {
  id: string
  input: string
  /** Seconds from the start. */
  at: number
  /** Target of a jump: a few seconds early to show the typing, but never before the previous command. */
  jump: number
  tone: RiskTone
  label: string
}

/** Seconds by which a jump is early, as in the v3 player. */
const lead = 5

/** Positions of commands in a recording that started at `startedAt` (unix seconds). */
export function markCommands(rows: CommandRow[], startedAt: number, duration: number): CommandMark[] {
  const sorted = [...rows].sort((a, b) => a.timestamp - b.timestamp)
  let previous = 0
  return sorted.map((row) => {
    const at = Math.min(Math.max(0, row.timestamp - startedAt), Math.max(duration, 0))
    const jump = Math.max(0, Math.min(at, Math.max(at - lead, previous)))
    previous = at
    return {
      id: row.id,
      input: row.input,
      at,
      jump,
      tone: riskTone(row.risk_level.value),
      label: row.risk_level.label,
    }
  })
}

/** Index of the command at a time: the last one started; −1 before the first. */
export function currentCommand(marks: CommandMark[], time: number): number {
  let low = -1
  let high = marks.length - 1
  while (low < high) {
    const middle = Math.floor((low + high + 1) / 2)
    if ((marks[middle]?.at ?? 0) <= time) low = middle
    else high = middle - 1
  }
  return low
}

/** Start for `?timestamp=` (unix seconds): a few seconds earlier; 0 if missing or invalid. */
export function startFrom(timestamp: string | null, recording: Pick<Recording, 'header'>, startedAt: number): number {
  const moment = Number(timestamp)
  if (!timestamp || !Number.isFinite(moment)) return 0
  return Math.max(0, moment - (recording.header.timestamp || startedAt) - lead)
}

/** Seconds as `mm:ss`, from an hour on as `h:mm:ss`. */
export function clock(seconds: number): string {
  const total = Math.max(0, Math.floor(seconds))
  const two = (n: number) => String(n).padStart(2, '0')
  const hours = Math.floor(total / 3600)
  const rest = `${two(Math.floor((total % 3600) / 60))}:${two(total % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}
