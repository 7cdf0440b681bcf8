import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Services } from '../../../kernel/context.ts'

/** Suffix of a recording by the version of its format. */
export const suffixes: Readonly<Record<string, string>> = { 2: '.replay.gz', 3: '.cast.gz', 4: '.replay.mp4' }

export const replayFolder = (services: Services) => join(services.dataDir, 'media', 'replay')

export interface ReplayFile {
  /** In the data folder. */
  path: string
  /** The URL for players. */
  url: string
  suffix: string
  /** The file name inside the downloaded archive. */
  name: string
}

/** Recordings are stored by the UTC day on which their session began. No part of the path comes from a request. */
export const dayOf = (dateStart: number) => new Date(dateStart).toISOString().slice(0, 10)

export function replayFile(services: Services, id: string, dateStart: number, suffix: string): ReplayFile {
  const day = dayOf(dateStart)
  const name = `${id}${suffix}`
  return { path: join(replayFolder(services), day, name), url: `/media/replay/${day}/${name}`, suffix, name }
}

/** The recording of a session; undefined when there is none (yet). */
export async function findReplay(services: Services, id: string, dateStart: number): Promise<ReplayFile | undefined> {
  for (const suffix of ['.cast.gz', '.replay.gz', '.replay.mp4']) {
    const file = replayFile(services, id, dateStart, suffix)
    if (await stat(file.path).catch(() => undefined)) return file
  }
  return undefined
}
