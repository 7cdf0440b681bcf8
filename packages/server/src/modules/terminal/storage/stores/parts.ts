import { isObject } from '../../../../kernel/fields/safe-lookup.ts'

/** Size of a part, and the size up to which a file is sent in one request. Bytes. */
const usualPart = 8 * 1024 * 1024
/** No service accepts fewer parts in one upload. */
const mostParts = 10_000

/** A part of a file, counted from 1. */
export interface Part {
  number: number
  /** Position in the file, and length. Bytes. */
  start: number
  length: number
}

/** The parts of a file, all of the same size but the last one. A single part means that it is sent in one request. */
export function partsOf(size: number): Part[] {
  const length = Math.max(usualPart, Math.ceil(size / mostParts))
  return Array.from({ length: Math.max(1, Math.ceil(size / length)) }, (_, index) => ({
    number: index + 1,
    start: index * length,
    length: Math.min(length, size - index * length),
  }))
}

/** The upload that a store has noted, and the size of its file; undefined for any other text. */
function read(known: string | undefined): { upload: string; size: number } | undefined {
  try {
    const state: unknown = JSON.parse(known ?? 'null')
    return isObject(state) && typeof state.upload === 'string' && typeof state.size === 'number'
      ? { upload: state.upload, size: state.size }
      : undefined
  } catch {
    return undefined
  }
}

/** The id of a noted upload. */
export const uploadIn = (known: string | undefined): string | undefined => read(known)?.upload

/** The same if it was of a file of this size. */
export function notedUpload(known: string | undefined, size: number): string | undefined {
  const state = read(known)
  return state?.size === size ? state.upload : undefined
}

/** The text that both read. */
export const noteOf = (upload: string, size: number): string => JSON.stringify({ upload, size })
