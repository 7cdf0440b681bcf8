import { type RiskTone, riskTone } from '../../domain/terminal/sessions.ts'
import { type Row, rawOf, wordOf } from '../../kit/row.ts'
import { Status } from '../../kit/status.tsx'

/** None if the command was accepted. */
export const toneOf = (row: Row): RiskTone => riskTone(Number(rawOf(row.risk_level) ?? 0))

export function Risk({ row }: { row: Row }) {
  const tone = toneOf(row)
  const word = wordOf(row.risk_level)
  return tone ? <Status is={tone}>{word}</Status> : <span className="muted">{word}</span>
}

/** Input and output of a command. */
export const output = (row: Row) => (
  <pre className="command-output">
    <b>$ {wordOf(row.input)}</b>
    {'\n'}
    {wordOf(row.output)}
  </pre>
)
