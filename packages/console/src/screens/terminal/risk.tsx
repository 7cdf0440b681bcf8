import { type Row, rawOf, wordOf } from '../../kit/row.ts'
import { Status } from '../../kit/status.tsx'

/** Levels of a command: 0 accepted, 4 warned, 5 rejected, 6 to 8 reviewed. */
export const riskOf = (row: Row): number => Number(rawOf(row.risk_level) ?? 0)

export function Risk({ row }: { row: Row }) {
  const level = riskOf(row)
  if (level === 0) return <span className="muted">{wordOf(row.risk_level)}</span>
  return <Status is={level === 4 || level === 7 ? 'warning' : 'danger'}>{wordOf(row.risk_level)}</Status>
}

export const toneOf = (row: Row): 'danger' | 'warning' | undefined => {
  const level = riskOf(row)
  return level === 0 ? undefined : level === 4 || level === 7 ? 'warning' : 'danger'
}

/** What was typed and what came back. */
export const output = (row: Row) => (
  <pre className="command-output">
    <b>$ {wordOf(row.input)}</b>
    {'\n'}
    {wordOf(row.output)}
  </pre>
)
