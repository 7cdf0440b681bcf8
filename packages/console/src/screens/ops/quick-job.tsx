/** A command on many hosts at once, with the answer of each as it arrives. */
import { Button, Dropdown, Segmented } from 'antd'
import { BookOpen, ChevronDown, Play, RotateCcw, Save, Square } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { HostOutput } from '../../domain/ops/HostOutput.tsx'
import { languageOf } from '../../domain/ops/modules.ts'
import { type Execution, useExecution } from '../../domain/ops/use-execution.ts'
import { call } from '../../kit/api/client.ts'
import { attempt } from '../../kit/api/errors.ts'
import { CodeArea } from '../../kit/form/widgets/Code.tsx'
import { lazyComponent } from '../../kit/lazy-component.tsx'
import { PageHead, useScreen } from '../../kit/page.tsx'
import { can, inRoot } from '../../kit/session.ts'
import { Badge, Dot } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import { AssetTree } from '../../kit/tree/AssetTree.tsx'
import { TreeBeside } from '../../kit/tree/TreeBeside.tsx'
import { CommandBar } from './CommandBar.tsx'
import './quick-job.css'
import { QuickTransfer } from './QuickTransfer.tsx'
import {
  type Chosen,
  type Command,
  commandOf,
  emptyCommand,
  executionsUrl,
  problemOf,
  runCommand,
  targetsOf,
} from './quick-command.ts'
import type { QuickDialog } from './quick-dialogs.tsx'
import { type Moved, nothingMoved, type QuickKind, runTransfer, transferProblem } from './quick-transfer.ts'

const Dialog = lazyComponent(() => import('./quick-dialogs.tsx'))

const granted = '/api/v1/perms/users/self/'

/** How the execution stands, and how long it has taken. */
function RunState({ execution }: { execution: Execution }) {
  const { isFinished, isSuccess, hosts, seconds, since, isLost } = execution
  const [now, setNow] = useState(since)
  useEffect(() => {
    if (isFinished) return undefined
    const timer = setInterval(() => setNow(Date.now()), 100)
    return () => clearInterval(timer)
  }, [isFinished])
  const isStopped = hosts.some(({ status }) => status === 'canceled')
  const time = `${(isFinished ? seconds : seconds + Math.max(0, now - since) / 1000).toFixed(2)} s`
  if (isLost) return <Badge is="warning">{t('runLost')}</Badge>
  if (!isFinished)
    return (
      <Dot is="info" live>
        {t('taskRunning')} · {time}
      </Dot>
    )
  if (isStopped)
    return (
      <Badge is="warning">
        {t('taskStopped')} · {time}
      </Badge>
    )
  return (
    <Badge is={isSuccess ? 'ok' : 'danger'}>
      {t(isSuccess ? 'succeeded' : 'failed')} · {time}
    </Badge>
  )
}

/** Stops an execution. */
const stop = (id: string) => attempt(() => call(`${executionsUrl}${id}/stop/`, { method: 'POST', body: {} }))

/** Runs an execution again where it did not succeed. Returns the id of the new one. */
const retry = async (id: string): Promise<string> =>
  (await call<{ task_id: string }>(`${executionsUrl}${id}/retry/`, { method: 'POST', body: {} })).task_id

const unsuccessful = new Set(['failed', 'lost', 'canceled'])

function Targets({ chosen, onChange }: { chosen: Chosen; onChange: (chosen: Chosen) => void }) {
  return (
    <AssetTree
      url={`${granted}nodes/children-with-assets/tree/`}
      searchUrl={`${granted}assets/tree/`}
      onSelect={() => undefined}
      checks={{ chosen, onChange }}
    />
  )
}

const summaryOf = (chosen: Chosen): string => {
  const { assets, nodes } = targetsOf(chosen)
  return assets.length + nodes.length === 0
    ? t('quickNothingChosen')
    : t('quickChosen', { assets: assets.length, nodes: nodes.length })
}

export default function QuickJob() {
  const screen = useScreen()
  const [address, setAddress] = useSearchParams()
  const task = address.get('taskId') ?? undefined
  const [command, setCommand] = useState<Command>(emptyCommand)
  const [chosen, setChosen] = useState<Chosen>(new Map())
  const [starting, setStarting] = useState(false)
  const [kind, setKind] = useState<QuickKind>('command')
  const [moved, setMoved] = useState<Moved>(nothingMoved)
  const [dialog, setDialog] = useState<QuickDialog>()
  const { execution, missing } = useExecution(task)
  const change = (changed: Partial<Command>) => setCommand((old) => ({ ...old, ...changed }))
  const isRunning = starting || (execution !== undefined && !execution.isFinished && !missing)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what an address restores is read when the page is opened
  useEffect(() => {
    if (!task) return
    void commandOf(task).then((known) => {
      if (!known) return
      setCommand(known.command)
      setChosen((old) => (old.size > 0 ? old : known.chosen))
    })
  }, [])
  const open = (id: string) => {
    const next = new URLSearchParams(address)
    next.set('taskId', id)
    setAddress(next, { replace: true })
  }
  const begin = async (start: () => Promise<string>) => {
    setStarting(true)
    await attempt(async () => open(await start()))
    setStarting(false)
  }
  const run = () => {
    const problem = kind === 'command' ? problemOf(command, chosen) : transferProblem(kind, moved, command, chosen)
    if (problem) return toast.error(problem)
    if (!isRunning && !inRoot())
      void begin(() => (kind === 'command' ? runCommand(command, chosen) : runTransfer(kind, moved, command, chosen)))
    return undefined
  }
  const failed = execution?.isFinished ? execution.hosts.filter(({ status }) => unsuccessful.has(status)).length : 0
  return (
    <div className="page list-page quick-job">
      <PageHead title={t(screen.title)} after={execution && !missing && <RunState execution={execution} />}>
        <Button icon={<BookOpen size={16} />} disabled={!can('ops.view_adhoc')} onClick={() => setDialog('open')}>
          {t('templateOpen')}
        </Button>
        <Dropdown
          menu={{
            items: [
              ...(can('ops.add_adhoc') ? [{ key: 'template', label: t('templateSave') }] : []),
              { key: 'job', label: t('jobSave') },
            ],
            onClick: ({ key }) => {
              if (command.args.trim() === '') toast.error(t('quickNoCommand'))
              else if (key === 'job' && problemOf(command, chosen)) toast.error(problemOf(command, chosen) ?? '')
              else setDialog(key as QuickDialog)
            },
          }}
          trigger={['click']}
        >
          <Button icon={<Save size={16} />}>
            {t('save')} <ChevronDown size={14} />
          </Button>
        </Dropdown>
      </PageHead>
      <TreeBeside
        id="QuickJob"
        chosen={undefined}
        summary={summaryOf(chosen)}
        onChoose={() => undefined}
        tree={() => <Targets chosen={chosen} onChange={setChosen} />}
      >
        <div className="quick-work">
          <div className="quick-run">
            {isRunning && execution ? (
              <Button danger icon={<Square size={14} />} onClick={() => void stop(execution.id)}>
                {t('stop')}
              </Button>
            ) : (
              <Button
                type="primary"
                icon={<Play size={14} />}
                loading={starting}
                disabled={inRoot()}
                title={inRoot() ? t('quickNotInRoot') : t('quickRunKeys')}
                onClick={run}
              >
                {t('run')}
              </Button>
            )}
            {failed > 0 && execution && can('ops.add_jobexecution') && (
              <Button
                icon={<RotateCcw size={14} />}
                disabled={isRunning}
                onClick={() => void begin(() => retry(execution.id))}
              >
                {t('quickRepeat', { count: failed })}
              </Button>
            )}
            <Segmented<QuickKind>
              data-field="kind"
              aria-label={t('quickKind')}
              value={kind}
              disabled={isRunning}
              options={[
                { value: 'command', label: t('typeAdhoc') },
                { value: 'upload', label: t('transferUpload') },
                { value: 'fetch', label: t('transferFetch') },
              ]}
              onChange={setKind}
            />
            <span className="muted clip">{summaryOf(chosen)}</span>
            {chosen.size > 0 && (
              <Button size="small" type="text" onClick={() => setChosen(new Map())}>
                {t('clear')}
              </Button>
            )}
            <span className="grow" />
            {kind === 'command' && (
              <Button type="text" onClick={() => setDialog('variables')}>
                {t('variables')}
              </Button>
            )}
          </div>
          <CommandBar
            command={command}
            chosen={chosen}
            withCommand={kind === 'command'}
            disabled={isRunning}
            onChange={change}
          />
          {kind !== 'command' && (
            <QuickTransfer
              kind={kind}
              moved={moved}
              disabled={isRunning}
              onChange={(changed) => setMoved((old) => ({ ...old, ...changed }))}
            />
          )}
          <div
            hidden={kind !== 'command'}
            data-field="args"
            className="quick-editor"
            onKeyDownCapture={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
              event.preventDefault()
              event.stopPropagation()
              run()
            }}
          >
            <CodeArea
              aria={{ 'aria-labelledby': 'quick-command' }}
              text={command.args}
              language={languageOf(command.module)}
              invalid={false}
              disabled={false}
              onChange={(args) => change({ args })}
            />
            <span id="quick-command" hidden>
              {t('command')}
            </span>
          </div>
          {missing && (
            <p className="muted" role="alert">
              {t('runMissing')}
            </p>
          )}
          {execution && !missing ? (
            <HostOutput key={execution.id} execution={execution} />
          ) : (
            !missing && <p className="quick-empty muted">{t('quickEmpty')}</p>
          )}
        </div>
      </TreeBeside>
      {dialog && (
        <Dialog which={dialog} command={command} chosen={chosen} onOpen={change} onClose={() => setDialog(undefined)} />
      )}
    </div>
  )
}
