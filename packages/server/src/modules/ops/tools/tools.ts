import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Given, Message } from '@castellan/contract/messages'
import { toolTexts as texts } from '@castellan/contract/messages/tools'
import { badRequest, permissionDenied, text } from '../../../kernel/module/errors.ts'
import { type Program, pathOfProgram, runProgram } from './program.ts'
import { portsIn, type Target, targetsIn } from './targets.ts'

/** One request, and where its output goes. */
export interface ToolRun {
  /** As the client sent it. */
  readonly sent: Readonly<Record<string, unknown>>
  /** A system administrator: may examine the server itself, and capture its packets. */
  readonly mayExamineServer: boolean
  readonly signal: AbortSignal
  line(text: string): void
  /** A line in the language of the caller. */
  say<const M extends Message>(message: M, ...values: Given<M>): void
}

export interface Tool {
  /** Checks what was sent. Returns what the operate log names, and the work. @throws ApiError */
  prepare(run: ToolRun): Promise<{ described: string; start(): Promise<void> }>
}

const seconds = 1000
/** How long a connection may take, and how long its greeting is waited for. Milliseconds. */
const connectWithin = 10 * seconds
const greetWithin = 3 * seconds

/** Names each target that is skipped, works on the others one after the other, and counts successes. */
async function eachTarget(run: ToolRun, tool: string, work: (target: Target) => Promise<boolean>) {
  const { targets, skipped } = await targetsIn(run.sent.dest_ips, run.mayExamineServer)
  const described = `${tool} ${String(run.sent.dest_ips).trim()}`
  return {
    described,
    count: targets.length,
    async start() {
      for (const { target, reason } of skipped) run.say(reason, { target })
      run.say(texts.addresses, { count: targets.length })
      let ok = 0
      for (const target of targets) {
        if (run.signal.aborted) return
        run.line('')
        run.line(`${tool} ${target.label}`)
        const isOk = await work(target)
        if (run.signal.aborted) return
        if (isOk) ok += 1
        run.say(isOk ? texts.ok : texts.failed, { target: target.label })
      }
      run.line('')
      run.say(texts.summary, { ok, count: targets.length })
    },
  }
}

/** A tool that starts a program for each target. */
function programTool(name: Program, argsOf: (target: Target, ports: readonly string[]) => readonly string[]): Tool {
  return {
    async prepare(run) {
      const ports = name === 'nmap' ? portsIn(run.sent.dest_ports) : []
      let path = ''
      const work = await eachTarget(run, name, async (target) => {
        const code = await runProgram(path, argsOf(target, ports), run.line, run.signal)
        return code === 0
      })
      // What was sent is looked at first: installing the program would not mend it.
      if (work.count > 0) path = pathOfProgram(name)
      return work
    },
  }
}

const isV6 = (address: string) => address.includes(':')

const ping = programTool('ping', ({ address }) => ['-n', '-c', '5', '-W', '3', '-s', '64', address])

const traceroute = programTool('traceroute', ({ address }) => ['-n', '-q', '1', '-w', '3', '-m', '30', address])

/** Connect scans need no rights of the system, and read no configuration. */
const nmap = programTool('nmap', ({ address }, ports) => [
  '-n',
  '-sT',
  '--noninteractive',
  '--max-retries',
  '2',
  '--host-timeout',
  '5m',
  ...(isV6(address) ? ['-6'] : []),
  ...(ports.length > 0 ? ['-p', ports.join(',')] : []),
  address,
])

/** Connects to a port and shows what its server sends first. */
function greet(run: ToolRun, target: Target, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const values = { target: target.label, port }
  run.say(texts.connecting, values)
  const begun = Date.now()
  const socket = connect({ host: target.address, port })
  let greeting = ''
  let timer = setTimeout(() => {
    run.say(texts.silent, { ...values, seconds: connectWithin / seconds })
    socket.destroy()
    resolve(false)
  }, connectWithin)
  const end = () => socket.destroy()
  run.signal.addEventListener('abort', end, { once: true })
  socket.on('connect', () => {
    clearTimeout(timer)
    run.say(texts.connected, { ...values, milliseconds: Date.now() - begun })
    timer = setTimeout(end, greetWithin)
  })
  socket.on('data', (data) => {
    greeting += data.toString('utf8')
    if (greeting.length > 4096) end()
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED') run.say(texts.refused, values)
    else run.say(texts.unreachable, { ...values, reason: error.code ?? error.message })
    resolve(false)
  })
  socket.on('close', () => {
    clearTimeout(timer)
    run.signal.removeEventListener('abort', end)
    for (const line of greeting.split('\n').filter(Boolean)) run.line(line)
    resolve(true)
  })
  return promise
}

const telnet: Tool = {
  prepare(run) {
    const [port = '23', ...more] = portsIn(run.sent.dest_port)
    if (more.length > 0 || port.includes('-'))
      throw badRequest(text(texts.invalid_port, { port: String(run.sent.dest_port).slice(0, 32), max: 1 }))
    return eachTarget(run, `telnet ${port}`, (target) => greet(run, target, Number(port)))
  },
}

/** Interfaces that one request may watch. */
const mostInterfaces = 8
/** Packets after which a capture ends. */
const mostPackets = 10_000

function interfacesIn(written: unknown): string[] {
  const named = (Array.isArray(written) ? written : [written ?? '']).map(String).filter(Boolean)
  const known = ['any', ...Object.keys(networkInterfaces())]
  for (const name of named)
    if (!known.includes(name))
      throw badRequest(text(texts.no_interface, { name: name.slice(0, 32), names: known.join(', ') }))
  return named.length > 0 ? [...new Set(named)].slice(0, mostInterfaces) : ['any']
}

/** One condition of a capture filter: any of these values. */
const anyOf = (word: string, values: readonly string[]) =>
  values.length === 0 ? [] : [`(${values.map((value) => `${word} ${value}`).join(' or ')})`]
const portConditions = (side: 'src' | 'dst', ports: readonly string[]) =>
  anyOf(
    side,
    ports.map((port) => (port.includes('-') ? `portrange ${port}` : `port ${port}`)),
  )

const addressesFor = async (written: unknown) =>
  typeof written === 'string' && written.trim() !== '' ? (await targetsIn(written, true)).targets : []

const tcpdump: Tool = {
  async prepare(run) {
    if (!run.mayExamineServer) throw permissionDenied(text(texts.capture_denied))
    const { sent } = run
    const interfaces = interfacesIn(sent.interfaces)
    const conditions = [
      ...anyOf(
        'src host',
        (await addressesFor(sent.src_ips)).map(({ address }) => address),
      ),
      ...portConditions('src', portsIn(sent.src_ports)),
      ...anyOf(
        'dst host',
        (await addressesFor(sent.dest_ips)).map(({ address }) => address),
      ),
      ...portConditions('dst', portsIn(sent.dest_ports)),
    ]
    const filter = conditions.join(' and ')
    const path = pathOfProgram('tcpdump')
    return {
      described: `tcpdump ${interfaces.join(',')} ${filter}`,
      async start() {
        run.say(texts.capturing, {
          interfaces: interfaces.join(', '),
          filter: filter || '-',
        })
        const codes = await Promise.all(
          interfaces.map((name) => {
            // Headers only: what packets carry includes passwords and sessions of others.
            const args = ['-n', '-l', '-q', '-tttt', '-c', String(mostPackets), '-i', name, ...(filter ? [filter] : [])]
            return runProgram(path, args, run.line, run.signal)
          }),
        )
        if (!run.signal.aborted && codes.some((code) => code !== 0))
          run.say(texts.needs_rights, { program: 'tcpdump', path })
      },
    }
  },
}

const tools: ReadonlyMap<string, Tool> = new Map(Object.entries({ ping, telnet, nmap, tcpdump, traceroute }))

/** The tool of a name, whatever its case; ping without one. @throws ApiError */
export function toolOf(name: unknown = 'ping'): Tool {
  const tool = typeof name === 'string' ? tools.get(name.toLowerCase()) : undefined
  if (!tool) throw badRequest(text(texts.unknown_tool))
  return tool
}
