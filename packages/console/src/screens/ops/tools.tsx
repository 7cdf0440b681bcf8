/** Network tools of the server: a form per tool, and its output as it arrives. */
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { Square } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { audience, type Fields } from '../../kit/api/metadata.ts'
import { askSocket } from '../../kit/api/socket.ts'
import { useForm } from '../../kit/form/controller.ts'
import { FormFoot, FormGroups, showFirstError } from '../../kit/form/FormView.tsx'
import type { FieldSpec, FormSpec } from '../../kit/form/spec.ts'
import type { LogScreen } from '../../kit/log-screen.ts'
import { PageHead, type Tab, TabBar, useScreen, useTabs } from '../../kit/page.tsx'
import { can } from '../../kit/session.ts'
import { type TextKey, t } from '../../kit/text.ts'
import './tools.css'

interface Tool {
  readonly type: string
  readonly title: TextKey
  readonly fields: readonly string[]
  readonly help?: TextKey
}

const tools: readonly Tool[] = [
  { type: 'ping', title: 'toolPing', fields: ['dest_ips'] },
  { type: 'telnet', title: 'toolTelnet', fields: ['dest_ips', 'dest_port'] },
  { type: 'nmap', title: 'toolNmap', fields: ['dest_ips', 'dest_ports'] },
  {
    type: 'tcpdump',
    title: 'toolTcpdump',
    fields: ['interfaces', 'src_ips', 'src_ports', 'dest_ips', 'dest_ports'],
    help: 'toolCaptureHelp',
  },
  { type: 'traceroute', title: 'toolTraceroute', fields: ['dest_ips'] },
]

const addresses = { type: 'string', max_length: 4096 }
const list = { type: 'list', child: { type: 'string' } }

/** As the server reads them. Required where the tool cannot do without a target. */
const fieldsOf = ({ type, fields }: Tool): Fields =>
  Object.fromEntries(
    fields.map((name) => [
      name,
      name === 'dest_port'
        ? { type: 'integer', required: true, min_value: 1, max_value: 65_535, default: 23 }
        : name === 'dest_ips'
          ? { ...addresses, required: type !== 'tcpdump' }
          : name === 'src_ips'
            ? addresses
            : list,
    ]),
  )

const specsOf = ({ type }: Tool): Record<string, FieldSpec> => ({
  dest_ips: { label: 'toolDestinations', texts: { help: 'toolTargetsHelp' }, layout: { mono: true } },
  dest_port: { label: 'toolDestinationPort' },
  dest_ports: {
    label: 'toolDestinationPorts',
    widget: 'tags',
    ...(type === 'nmap' && { texts: { help: 'toolPortsHelp' } }),
  },
  src_ips: { label: 'toolSources', layout: { mono: true } },
  src_ports: { label: 'toolSourcePorts', widget: 'tags' },
  interfaces: { label: 'toolInterfaces', widget: 'tags', texts: { help: 'toolInterfacesHelp' } },
})

const isFilled = ([, value]: [string, unknown]) =>
  Array.isArray(value) ? value.length > 0 : value !== '' && value != null

function ToolPanel({ tool }: { tool: Tool }) {
  const box = useRef<HTMLDivElement>(null)
  const output = useRef<LogScreen>(undefined)
  const stop = useRef<() => void>(undefined)
  const [state, setState] = useState<'idle' | 'running' | 'ended'>('idle')
  useEffect(
    () => () => {
      stop.current?.()
      output.current?.dispose()
    },
    [],
  )
  const write = (line: string) => output.current?.write(`${line}\r\n`)
  const start = async (values: Record<string, unknown>) => {
    setState('running')
    const { openLogScreen } = await import('../../kit/log-screen.ts')
    if (!box.current) return
    output.current ??= openLogScreen(box.current)
    output.current.reset()
    const filled = Object.fromEntries(Object.entries(values).filter(isFilled))
    stop.current = askSocket(
      '/ws/setting/tools/',
      { ...filled, tool_type: tool.type },
      (message) => output.current?.write((message as { msg?: string }).msg ?? ''),
      (how) => {
        write(t(how === 'done' ? 'toolDone' : 'toolLost'))
        setState('ended')
      },
    )
  }
  const end = () => {
    stop.current?.()
    write(`\r\n${t('toolStopped')}`)
    setState('ended')
  }
  const spec: FormSpec = {
    url: `/ws/setting/tools/${tool.type}`,
    noun: 'systemTools',
    local: {
      fields: fieldsOf(tool),
      save: async (body) => {
        await start(body)
        return { id: tool.type }
      },
    },
    groups: [
      {
        key: 'basic',
        title: 'toolParameters',
        fields: tool.fields,
        ...(tool.help && { help: tool.help }),
      },
    ],
    fields: specsOf(tool),
  }
  const form = useForm(spec, { query: new URLSearchParams() })
  const run = async () => {
    if (!(await form.save())) showFirstError()
  }
  return (
    <div className="tool">
      <form
        className="panel-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (state !== 'running') void run()
        }}
      >
        <FormGroups form={form} />
        {state === 'running' ? (
          <footer className="form-foot">
            <Button danger icon={<Square size={14} />} onClick={end}>
              {t('stop')}
            </Button>
          </footer>
        ) : (
          <FormFoot form={form} verb={t('run')} onSave={() => undefined} />
        )}
      </form>
      <section className="tool-output" data-chart="terminal" aria-label={t('toolOutput')}>
        {state === 'idle' && <p>{t('toolIdle')}</p>}
        <div ref={box} className="task-log-lines" />
      </section>
    </div>
  )
}

/** `2026/11/24 08:00:00 +0800`, as the server writes it. */
const written = /^(\d+)\D(\d+)\D(\d+)\D(\d+):(\d+):(\d+)\s*(\S*)$/

/** The clock of the server in its own zone, which runs on here. */
function ServerTime() {
  const time = useQuery({
    queryKey: ['server-time', ...audience()],
    queryFn: async () => ({
      at: Date.now(),
      ...(await call<{ CURRENT_TIME: string }>('/api/v1/settings/server-info/')),
    }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const match = written.exec(time.data?.CURRENT_TIME ?? '')
  if (!time.data || !match) return null
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number)
  const clock = new Date(Date.UTC(year, month - 1, day, hour, minute, second) + Math.max(0, now - time.data.at))
  const shown = clock.toISOString().slice(0, 19).replace('T', ' ')
  return (
    <span className="muted nowrap">
      {t('serverTime')} <time className="mono">{`${shown} ${match[7]}`}</time>
    </span>
  )
}

export default function Tools() {
  const screen = useScreen()
  const tabs: Tab[] = tools.map((tool) => ({
    key: tool.type,
    title: tool.title,
    // Packets carry the data of all organizations.
    visible: tool.type !== 'tcpdump' || can('settings.change_security'),
    render: () => <ToolPanel tool={tool} />,
  }))
  const { visible, active, open } = useTabs(tabs, undefined, 'screen')
  return (
    <div className="page list-page">
      <PageHead title={t(screen.title)}>
        <ServerTime />
      </PageHead>
      <TabBar tabs={visible} active={active?.key} onOpen={open} />
      <div className="tab-body" key={active?.key}>
        {active?.render()}
      </div>
    </div>
  )
}
