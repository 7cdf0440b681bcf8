import { createReadStream } from 'node:fs'
import { Agent as PlainAgent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import { isIP } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { guardedLookup, isForbiddenAddress } from '../../../../kernel/security/outgoing-addresses.ts'
import {
  bounded,
  connectPatience,
  failureOf,
  type ObjectStore,
  StorageFailure,
  silencePatience,
  statusFailure,
} from './object-store.ts'
import { partsOf, uploadIn } from './parts.ts'
import { abandonParts, putInParts } from './s3-parts.ts'

/** The attributes of storages that speak the protocol of S3. */
export interface S3Details {
  BUCKET: string
  ACCESS_KEY: string
  SECRET_KEY: string
  ENDPOINT: string
  REGION?: string
}

/** Bytes of an answer; a list of a thousand parts has a third of it. */
const longestList = 1024 * 1024

/** Services at which the bucket is a part of the host name; others accept it in the path. */
const bucketInHost = new Set(['oss', 'obs', 'cos'])

/** The region in the host names of the public services; others accept the default one of S3. */
function regionOf({ ENDPOINT, REGION }: S3Details): string {
  const { hostname } = new URL(ENDPOINT)
  const known = [
    /^s3[.-](?:dualstack\.)?([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$/,
    /^(?:s3\.)?(oss-[a-z0-9-]+?)(?:-internal)?\.aliyuncs\.com$/,
    /^(?:obs|cos)\.([a-z0-9-]+)\.my(?:huaweicloud|qcloud)\.com$/,
  ]
  return REGION || known.flatMap((pattern) => pattern.exec(hostname)?.[1] ?? [])[0] || 'us-east-1'
}

const nothing = () => undefined
const silent = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing }

interface SdkError extends Error {
  $metadata?: { httpStatusCode?: number }
}

/**
 * A storage with the protocol of S3: AWS, MinIO, Ceph, Swift's gateway, and the services compatible with it.
 * @param lookup how names become addresses
 */
export async function openS3(type: string, details: S3Details, lookup = guardedLookup): Promise<ObjectStore> {
  const sdk = await import('@aws-sdk/client-s3')
  const { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, PutObjectCommand, S3Client } = sdk
  const { BUCKET: Bucket } = details
  const url = new URL(details.ENDPOINT)
  if (isForbiddenAddress(url.hostname)) throw new StorageFailure('forbidden_address', { address: url.hostname })
  const isAddress = isIP(url.hostname.replace(/^\[|\]$/g, '')) > 0
  const agents = { keepAlive: true, lookup }
  const client: S3Client = new S3Client({
    endpoint: details.ENDPOINT,
    region: regionOf(details),
    forcePathStyle: isAddress || !bucketInHost.has(type),
    // Empty keys must never be replaced by credentials of this machine.
    credentials: { accessKeyId: details.ACCESS_KEY || 'none', secretAccessKey: details.SECRET_KEY || 'none' },
    // The upload job repeats; a stream cannot be sent twice.
    maxAttempts: 1,
    // Checksums in trailers are unknown to most of the compatible services.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Failures are told by the storage; the library would write to the console.
    logger: silent,
    requestHandler: {
      connectionTimeout: connectPatience,
      socketTimeout: silencePatience,
      httpAgent: new PlainAgent(agents),
      httpsAgent: new TlsAgent(agents),
    },
  })

  // The library reads answers as a whole, however long they are.
  client.middlewareStack.add(
    (next, context) => async (asked) => {
      const result = await next(asked)
      const response = result.response as { statusCode: number; body: Readable }
      if (context.commandName === 'GetObjectCommand' && response.statusCode < 300) return result
      response.body = pipeline(response.body, bounded(url.host, longestList), () => undefined)
      return result
    },
    { step: 'deserialize', priority: 'low', name: 'boundedAnswers' },
  )

  const failed = (error: unknown) => {
    const status = (error as SdkError).$metadata?.httpStatusCode ?? 0
    return status >= 300 ? statusFailure(status, url.host, Bucket) : failureOf(error, url.host)
  }
  const isMissing = (error: unknown) => ['NotFound', 'NoSuchKey'].includes((error as Error).name)

  return {
    async put(key, file, abortSignal, memory) {
      const { path, size } = file
      const parts = partsOf(size)
      if (parts.length > 1)
        return putInParts({ sdk, client, Bucket, Key: key, abortSignal }, file, parts, memory).catch((error) => {
          throw failed(error)
        })
      const Body = createReadStream(path)
      try {
        await client.send(new PutObjectCommand({ Bucket, Key: key, Body, ContentLength: size }), { abortSignal })
      } catch (error) {
        throw failed(error)
      } finally {
        Body.destroy()
      }
    },
    async abandon(key, known, abortSignal) {
      const upload = uploadIn(known)
      if (upload) await abandonParts({ sdk, client, Bucket, Key: key, abortSignal }, upload)
    },
    async size(key, abortSignal) {
      try {
        return (await client.send(new HeadObjectCommand({ Bucket, Key: key }), { abortSignal })).ContentLength
      } catch (error) {
        if (isMissing(error)) return undefined
        throw failed(error)
      }
    },
    async read(key, range, abortSignal) {
      const Range = range && `bytes=${range.start}-${range.end}`
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: key, ...(Range ? { Range } : {}) }), {
          abortSignal,
        })
        return Body as Readable
      } catch (error) {
        if (isMissing(error)) return undefined
        throw failed(error)
      }
    },
    async remove(key, abortSignal) {
      try {
        await client.send(new DeleteObjectCommand({ Bucket, Key: key }), { abortSignal })
      } catch (error) {
        if (!isMissing(error)) throw failed(error)
      }
    },
    close: () => client.destroy(),
  }
}
