import { Button } from 'antd'
import { Square } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useParams } from 'react-router'
import { call } from '../../kit/api/client.ts'
import { ApiError } from '../../kit/api/errors.ts'
import { Dot } from '../../kit/status.tsx'
import TaskLogView from '../../kit/TaskLogView.tsx'
import { t } from '../../kit/text.ts'
import { setWindowTitle } from '../../kit/window-title.ts'

interface Execution {
  state: string
}

const addressOf = (id: string) => `/api/v1/ops/task-executions/${id}/`

/** State shown for a task that does not exist or cannot be read. */
const missing = 'MISSING'

/** Task status. Success or failure is shown only once it is known. */
function TaskState({ state }: { state: string | undefined }) {
  if (state === missing) return null
  if (state === undefined)
    return (
      <Dot is="ok" live>
        {t('taskRunning')}
      </Dot>
    )
  if (state === 'FAILURE') return <Dot is="danger">{t('taskFailed')}</Dot>
  if (state === 'CANCELED') return <Dot is="warning">{t('taskStopped')}</Dot>
  return <Dot is="idle">{t('taskDone')}</Dot>
}

/** Live log of a background task. */
function TaskLog({ type }: { type: 'celery' | 'ansible' }) {
  const { id = '' } = useParams()
  const [ended, setEnded] = useState<string>()
  const [stopping, setStopping] = useState(false)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    setWindowTitle(t('taskLog'))
    // The socket waits indefinitely for an unknown task, which may still be started.
    call(addressOf(id), { quiet: true }).catch((error) => {
      if (type !== 'celery' || !(error instanceof ApiError) || error.status !== 404) return
      setEnded(missing)
      setProblem(t('taskUnknown'))
    })
  }, [id, type])
  const onEnd = () =>
    call<Execution>(addressOf(id), { quiet: true }).then(
      ({ state }) => setEnded(state),
      () => setEnded('SUCCESS'),
    )
  const stop = async () => {
    setStopping(true)
    try {
      await call(`${addressOf(id)}stop/`, { method: 'POST', quiet: true })
      setProblem('')
    } catch (error) {
      setStopping(false)
      setProblem((error as Error).message)
    }
  }
  return (
    <div className="task-log">
      <header>
        <b>{t('taskLog')}</b>
        <span className="mono clip">{id}</span>
        <span className="grow" />
        {problem && (
          <span className="is-danger" role="alert">
            {problem}
          </span>
        )}
        {ended === undefined && (
          <Button size="small" icon={<Square size={12} />} loading={stopping} onClick={() => void stop()}>
            {t('taskStop')}
          </Button>
        )}
        <TaskState state={ended} />
      </header>
      {ended === missing ? <div /> : <TaskLogView id={id} type={type} onEnd={() => void onEnd()} />}
    </div>
  )
}

export const CeleryTaskLog = () => <TaskLog type="celery" />
export const AnsibleTaskLog = () => <TaskLog type="ansible" />
