import type { Servable } from '../../../kernel/files/serve.ts'
import type { Context, Services } from '../../../kernel/module/context.ts'
import { findMedia, findUnrecorded, localPath } from '../storage/media-files.ts'

/** Suffix of a recording by the version of its format. */
export const suffixes: Readonly<Record<string, string>> = { 2: '.replay.gz', 3: '.cast.gz', 4: '.replay.mp4' }

export const replayFolder = (services: Services) => localPath(services, 'replay')

export interface ReplayFile {
  /** Below the media folder. */
  path: string
  /** The URL for players. */
  url: string
  suffix: string
  /** The file name inside the downloaded archive. */
  name: string
}

/** Recordings are stored by the UTC day on which their session began. No part of the path comes from a request. */
export const dayOf = (dateStart: number) => new Date(dateStart).toISOString().slice(0, 10)

export function replayFile(id: string, dateStart: number, suffix: string): ReplayFile {
  const path = `replay/${dayOf(dateStart)}/${id}${suffix}`
  return { path, url: `/media/${path}`, suffix, name: `${id}${suffix}` }
}

/** A session, as far as its recording goes. */
interface Recorded {
  id: string
  date_start: number
  has_replay: boolean
}

/**
 * The recording of a session, wherever it is; undefined when there is none (yet).
 * @throws ApiError 503 when its storage does not return it
 */
export async function findReplay(ctx: Context, row: Recorded): Promise<(ReplayFile & Servable) | undefined> {
  const files = ['.cast.gz', '.replay.gz', '.replay.mp4'].map((suffix) =>
    replayFile(row.id, Number(row.date_start), suffix),
  )
  for (const file of files) {
    const found = await findMedia(ctx, file.path)
    if (found) return { ...file, ...found }
  }
  // Components of the v3 contract write to storages by themselves, and report only that there is a recording.
  const paths = files.map(({ path }) => path)
  const found = row.has_replay ? await findUnrecorded(ctx, paths) : undefined
  const file = files.find(({ path }) => path === found?.path)
  return found && file && { ...file, ...found }
}
