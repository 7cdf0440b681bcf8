import { EventEmitter } from 'node:events'
import { statfs } from 'node:fs/promises'
import { freemem, loadavg, totalmem } from 'node:os'
import WebSocket from 'ws'
import { log } from '../log.ts'
import { type ServerHttp, ServerUnreachable } from './http.ts'
import { signatureHeaders } from './signature.ts'
import type { ComponentTask, HeartbeatStatus } from './wire.ts'

const socketPath = '/ws/terminal-task/'

/**
 * Reports this component and its sessions as alive, and receives its tasks, over the task socket or, while that is
 * unavailable, by HTTP. Emits `task` once per task, and `recheck` when a user may have been signed out or a ticket decided.
 */
export class Heartbeat extends EventEmitter<{ task: [ComponentTask]; recheck: [] }> {
  private readonly http: ServerHttp
  private readonly stateDir: string
  private readonly liveSessions: () => string[]
  private socket: WebSocket | undefined
  private timer: NodeJS.Timeout | undefined
  private retry: NodeJS.Timeout | undefined
  private stopped = false
  private readonly seen = new Map<string, number>()
  private fetching = false
  interval = 20

  constructor(http: ServerHttp, stateDir: string, liveSessions: () => string[]) {
    super()
    this.http = http
    this.stateDir = stateDir
    this.liveSessions = liveSessions
  }

  get connected(): boolean {
    return this.socket?.readyState === WebSocket.OPEN
  }

  start(): void {
    this.connect()
    const beat = () => {
      void this.beat()
      this.timer = setTimeout(beat, Math.min(Math.max(this.interval, 5), 60) * 1000)
    }
    beat()
  }

  stop(): void {
    this.stopped = true
    if (this.timer) clearTimeout(this.timer)
    if (this.retry) clearTimeout(this.retry)
    this.socket?.terminate()
  }

  /** Sends a heartbeat at once for a new session, whose orphan timeout starts now. */
  async beat(): Promise<void> {
    const payload = await this.status()
    if (this.socket?.readyState === WebSocket.OPEN) {
      this.socket.send(JSON.stringify({ type: 'status', payload }))
      return
    }
    if (this.fetching) return
    this.fetching = true
    try {
      const tasks = await this.http.call<unknown>('POST', '/api/v1/terminal/terminals/status/', { body: payload })
      this.take(tasks)
    } catch (error) {
      const text = error instanceof ServerUnreachable ? 'the server is away' : 'the heartbeat was refused'
      log.warn({ detail: (error as Error).message }, text)
    } finally {
      this.fetching = false
    }
  }

  private connect(): void {
    if (this.stopped || !this.http.key) return
    const socket = new WebSocket(this.http.baseUrl.replace(/^http/, 'ws') + socketPath, {
      headers: { ...signatureHeaders(this.http.key, 'GET', socketPath), 'x-jms-org': 'ROOT' },
      handshakeTimeout: 10_000,
      maxPayload: 4 * 1024 * 1024,
    })
    this.socket = socket
    socket.on('open', () => {
      log.info('task socket open')
      // What was announced before that is unknown.
      this.emit('recheck')
      void this.beat()
    })
    socket.on('message', (data) => {
      try {
        const tasks: unknown = JSON.parse(data.toString())
        if (Array.isArray(tasks) && tasks.length === 0) this.emit('recheck')
        else this.take(tasks)
      } catch (error) {
        log.warn({ err: error }, 'a task frame is not readable')
      }
    })
    let alive = true
    const guard = setInterval(() => {
      if (!alive) return socket.terminate()
      alive = false
      if (socket.readyState === WebSocket.OPEN) socket.ping()
    }, 20_000)
    const isAlive = () => {
      alive = true
    }
    socket.on('pong', isAlive).on('ping', isAlive).on('message', isAlive).on('open', isAlive)
    socket.on('error', (error) => log.debug({ detail: error.message }, 'task socket'))
    socket.on('close', () => {
      clearInterval(guard)
      if (this.stopped) return
      this.retry = setTimeout(() => this.connect(), 3000)
    })
  }

  private take(tasks: unknown): void {
    if (!Array.isArray(tasks)) return
    for (const [id, when] of this.seen) if (Date.now() - when > 900_000) this.seen.delete(id)
    for (const task of tasks as ComponentTask[]) {
      if (typeof task?.id !== 'string' || task.is_finished || this.seen.has(task.id)) continue
      this.seen.set(task.id, Date.now())
      this.emit('task', task)
    }
  }

  private async status(): Promise<HeartbeatStatus> {
    const sessions = this.liveSessions()
    const disk = await statfs(this.stateDir).catch(() => undefined)
    const round = (value: number) => Math.round(value * 10) / 10
    return {
      sessions,
      session_online: sessions.length,
      cpu_load: round(loadavg()[0] ?? 0),
      memory_used: round((1 - freemem() / totalmem()) * 100),
      disk_used: disk && disk.blocks > 0 ? round((1 - disk.bavail / disk.blocks) * 100) : 0,
    }
  }
}
