import { expect } from 'vitest'
import type { TestServer } from './server.ts'

let counter = 0
/** A unique name. */
export const named = (word: string) => `${word}-${++counter}`

export const cloudPath = (path: string) => `/api/v1/xpack/cloud/${path}`

export interface Summary {
  new: number
  sync: number
  updated: number
  unsync: number
  released: number
}

export interface SyncResult {
  id: string
  status: number
  reason: string | null
  summary: Summary
  date_sync: string | null
  preview?: {
    summary: Summary
    samples: { change: string; name: string; region: string }[]
    failures: { reason: string }[]
  }
}

export interface SeenInstance {
  instance_id: string
  instance_name: string
  asset: { id: string; name: string } | null
  asset_ip: string
  status: number
  reason: string | null
}

/** The calls that tests of synchronization make, as one user. */
export function cloudClient({ admin }: Pick<TestServer, 'admin'>) {
  const api = <T>(method: string, path: string, body?: unknown) => admin.request<T>(method, cloudPath(path), body)
  const make = async (path: string, body: object) =>
    (await api<{ id: string }>('POST', path, { name: named('made'), ...body })).id
  const executionOf = (id: string) => api<SyncResult>('GET', `sync-instance-task-executions/${id}/`)
  const ended = async (id: string) => {
    await expect.poll(async () => (await executionOf(id)).date_sync, { timeout: 30_000, interval: 50 }).not.toBeNull()
    return executionOf(id)
  }
  return {
    api,
    account: (provider: string, attrs: object) => make('accounts/', { provider, attrs }),
    strategy: (body: object) => make('strategies/', { strategy_rules: [], strategy_actions: [], ...body }),
    task: (account: string, body: object = {}) =>
      make('sync-instance-tasks/', {
        account,
        regions: ['default'],
        hostname_strategy: 'instance_name',
        is_periodic: false,
        ...body,
      }),
    async sync(task: string) {
      return ended((await api<{ task: string }>('GET', `sync-instance-tasks/${task}/run/`)).task)
    },
    async preview(task: string) {
      return ended((await api<{ task: string }>('POST', `sync-instance-tasks/${task}/preview/`, {})).task)
    },
    ended,
    instances: (task: string) =>
      api<SeenInstance[]>('GET', `sync-instance-tasks/${task}/instances/?order=instance_name`),
    logOf: async (id: string) =>
      (await admin.request<{ data: string }>('GET', `/api/v1/ops/celery/task/${id}/task-execution/${id}/log/`)).data,
  }
}
