import { type Row, rawOf, wordOf } from '../../kit/row.ts'
import { Status } from '../../kit/status.tsx'

/** Levels of a command: 0 accepted, 4 warned, 5 rejected, 6 to 8 reviewed. */
const riskOf = (row: Row): number => Number(rawOf(row.risk_level) ?? 0)

/** None where the command was simply accepted. */
export const toneOf = (row: Row): 'danger' | 'warning' | undefined => {
  const level = riskOf(row)
  return level === 0 ? undefined : level === 4 || level === 7 ? 'warning' : 'danger'
}

export function Risk({ row }: { row: Row }) {
  const tone = toneOf(row)
  const word = wordOf(row.risk_level)
  return tone ? <Status is={tone}>{word}</Status> : <span className="muted">{word}</span>
}

/** What was typed and what came back. */
export const output = (row: Row) => (
  <pre className="command-output">
    <b>$ {wordOf(row.input)}</b>
    {'\n'}
    {wordOf(row.output)}
  </pre>
)
