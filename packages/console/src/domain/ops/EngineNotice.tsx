/** Says that playbooks cannot run on this server, and how to change that. Nothing where they can. */
import { useQuery } from '@tanstack/react-query'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import { can } from '../../kit/session.ts'
import './engine-notice.css'

interface Answer {
  problem: { code: string; reason: string } | null
}

export function EngineNotice() {
  const asked = useQuery({
    queryKey: ['playbook-engine', ...audience()],
    queryFn: () => call<Answer>('/api/v1/ops/playbook-engine/', { quiet: true }),
    enabled: can('ops.view_playbook'),
  })
  const problem = asked.data?.problem
  return problem ? (
    <p className="engine-notice" role="alert" data-problem={problem.code}>
      {problem.reason}
    </p>
  ) : null
}
