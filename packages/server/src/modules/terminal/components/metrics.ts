import { defineRoute, Reply } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { findAll } from '../../../kernel/resource/repository.ts'
import { type ComponentRow, component } from './component.ts'
import { type Load, livingBeats, loadOf, type Snapshot } from './heartbeat.ts'
import { onlineSessions } from './session-counts.ts'

const states = ['normal', 'high', 'critical', 'offline'] as const satisfies readonly Load[]

interface TypeMetrics {
  total: number
  type: string
  session_active: number
  normal: string[]
  high: string[]
  critical: string[]
  offline: string[]
}

interface Measured {
  types: TypeMetrics[]
  living: { row: ComponentRow; beat: Snapshot }[]
}

/** Components by type, and their names by state. */
async function measure(ctx: Context): Promise<Measured> {
  const rows = await findAll(ctx, component, (query) => query.orderBy('t.type').orderBy('t.name'))
  const beats = await livingBeats(ctx)
  const online = await onlineSessions(ctx)
  const types = new Map<string, TypeMetrics>()
  const living: Measured['living'] = []
  for (const row of rows) {
    const beat = beats.get(row.id)
    if (beat) living.push({ row, beat })
    const known = types.get(row.type) ?? {
      total: 0,
      type: row.type,
      session_active: 0,
      normal: [],
      high: [],
      critical: [],
      offline: [],
    }
    known.total += 1
    known.session_active += online.get(row.id) ?? 0
    known[loadOf(beat)].push(row.name)
    types.set(row.type, known)
  }
  return { types: [...types.values()], living }
}

/** Current names of the metrics, and those used by older dashboards. */
const measures: readonly (readonly [string, keyof Snapshot])[] = [
  ['cpu_load', 'cpu_load'],
  ['memory_used', 'memory_used'],
  ['disk_used', 'disk_used'],
  ['session_online', 'session_online'],
  ['system_cpu_load_1', 'cpu_load'],
  ['system_memory_used_percent', 'memory_used'],
  ['system_disk_used_percent', 'disk_used'],
  ['session_active_count', 'session_online'],
]

const quoted = (value: string) => JSON.stringify(value)

/** Prometheus' text format 0.0.4. Every value is a number: the count of components in a state, not their names. */
function prometheusText({ types, living }: Measured): string {
  const lines = ['# Components by state']
  for (const one of types) {
    lines.push(`jumpserver_components_status_total{component_type=${quoted(one.type)}, status="any"} ${one.total}`)
    for (const state of states)
      lines.push(
        `jumpserver_components_status_total{component_type=${quoted(one.type)}, status="${state}"} ${one[state].length}`,
      )
  }
  lines.push('', '# Unfinished sessions')
  for (const one of types)
    lines.push(`jumpserver_components_session_active_total{component_type=${quoted(one.type)}} ${one.session_active}`)
  for (const [name, key] of measures) {
    lines.push('', `## ${name}`)
    for (const { row, beat } of living)
      lines.push(
        `jumpserver_components_${name}{component_type=${quoted(row.type)}, component=${quoted(row.name)}} ${beat[key]}`,
      )
  }
  return `${lines.join('\n')}\n`
}

export const metricsRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/terminal/components/metrics/',
    requires: 'terminal.view_terminal',
    summary: 'Components by type and state',
    handle: async ({ ctx }) => (await measure(ctx)).types,
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/prometheus/metrics/',
    requires: 'public',
    summary: 'Metrics of the components for Prometheus',
    mediaType: 'text/plain',
    async handle({ ctx }) {
      const body = prometheusText(await measure(ctx.acrossOrgs()))
      return new Reply(200, body, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
    },
  }),
]
