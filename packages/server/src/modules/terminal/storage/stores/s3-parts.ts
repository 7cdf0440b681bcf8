import { createReadStream } from 'node:fs'
import type { S3Client } from '@aws-sdk/client-s3'
import { type LocalFile, StorageFailure, type UploadMemory } from './object-store.ts'
import { notedUpload, noteOf, type Part } from './parts.ts'

type Sdk = typeof import('@aws-sdk/client-s3')

/** Longest id of an upload that is remembered. Characters. */
const longestId = 2048

/** An object at a storage with the protocol of S3. */
interface Place {
  sdk: Sdk
  client: S3Client
  Bucket: string
  Key: string
  abortSignal: AbortSignal
}

/** Parts that are at the storage: their sizes and tags by number. Undefined when it does not know the upload. */
async function storedParts(
  { sdk, client, abortSignal, ...object }: Place,
  UploadId: string,
): Promise<Map<number, { size: number; tag: string }> | undefined> {
  const found = new Map<number, { size: number; tag: string }>()
  let PartNumberMarker: string | undefined
  try {
    // A server that pages without an end ends here.
    for (let page = 0; page < 100; page++) {
      const more = PartNumberMarker ? { PartNumberMarker } : {}
      const answer = await client.send(new sdk.ListPartsCommand({ ...object, UploadId, ...more }), { abortSignal })
      for (const { PartNumber, Size, ETag } of answer.Parts ?? [])
        if (PartNumber !== undefined && Size !== undefined && ETag) found.set(PartNumber, { size: Size, tag: ETag })
      if (!answer.IsTruncated || !answer.NextPartNumberMarker) break
      PartNumberMarker = answer.NextPartNumberMarker
    }
    return found
  } catch (error) {
    if ((error as Error).name === 'NoSuchUpload') return undefined
    throw error
  }
}

/** Gives up an upload; one that is not there is no error. */
export async function abandonParts({ sdk, client, abortSignal, ...object }: Place, UploadId: string): Promise<void> {
  try {
    await client.send(new sdk.AbortMultipartUploadCommand({ ...object, UploadId }), { abortSignal })
  } catch (error) {
    if ((error as Error).name !== 'NoSuchUpload') throw error
  }
}

/** Sends a file in parts, one after the other, and puts them together. What an earlier attempt has sent is not repeated. */
export async function putInParts(
  place: Place,
  file: LocalFile,
  parts: readonly Part[],
  memory?: UploadMemory,
): Promise<void> {
  const { sdk, client, abortSignal, ...object } = place
  const noted = notedUpload(memory?.known, file.size)
  const before = noted === undefined ? undefined : await storedParts(place, noted)
  const UploadId =
    (before && noted) ?? (await client.send(new sdk.CreateMultipartUploadCommand(object), { abortSignal })).UploadId
  if (!UploadId || UploadId.length > longestId)
    throw new StorageFailure('bad_answer', { address: object.Bucket, reason: 'UploadId' })
  try {
    if (!before) await memory?.note(noteOf(UploadId, file.size))
    const Parts: { PartNumber: number; ETag: string }[] = []
    for (const { number, start, length } of parts) {
      const known = before?.get(number)
      if (known?.size === length) {
        Parts.push({ PartNumber: number, ETag: known.tag })
        continue
      }
      const Body = createReadStream(file.path, { start, end: start + length - 1 })
      try {
        const sent = { ...object, UploadId, PartNumber: number, Body, ContentLength: length }
        const { ETag } = await client.send(new sdk.UploadPartCommand(sent), { abortSignal })
        if (!ETag) throw new StorageFailure('bad_answer', { address: object.Bucket, reason: 'ETag' })
        Parts.push({ PartNumber: number, ETag })
      } finally {
        Body.destroy()
      }
    }
    const whole = { ...object, UploadId, MultipartUpload: { Parts } }
    await client.send(new sdk.CompleteMultipartUploadCommand(whole), { abortSignal })
  } catch (error) {
    // Without a memory nobody could continue. The reason of the failure matters more than that of this request.
    if (!memory) await abandonParts({ ...place, abortSignal: AbortSignal.timeout(10_000) }, UploadId).catch(() => {})
    throw error
  }
}
