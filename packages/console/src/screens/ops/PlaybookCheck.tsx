/** What is wrong with the files of a playbook, with lines; nothing while they are good. */
import { useQuery } from '@tanstack/react-query'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import { t } from '../../kit/text.ts'
import './playbook-workspace.css'

interface Problem {
  path: string
  line?: number
  reason: string
}

export function PlaybookCheck({ id }: { id: string }) {
  const read = useQuery({
    queryKey: ['playbook-check', id, ...audience()],
    queryFn: () => call<{ problems: Problem[] }>(`/api/v1/ops/playbooks/${id}/check/`, { quiet: true }),
  })
  const problems = read.data?.problems ?? []
  if (problems.length === 0) return null
  return (
    <section>
      <div className="section-head">
        <h2>{t('playbookProblems')}</h2>
      </div>
      <ul className="playbook-problems">
        {problems.map(({ path, line, reason }) => (
          <li key={`${path} ${line} ${reason}`}>
            <b className="mono">{line === undefined ? path : `${path}:${line}`}</b> {reason}
          </li>
        ))}
      </ul>
    </section>
  )
}
