import { createHash } from 'node:crypto'
import { interfaceMessages as texts } from '@castellan/contract/messages/settings-interface'
import type { TableShape } from '../../db/schema.ts'
import { type Field, text as textField } from '../../kernel/fields/index.ts'
import { isObject } from '../../kernel/fields/safe-lookup.ts'
import { defineRoute, Reply, UploadedBytes } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { notFound, Rejected, reject, type Text, text } from '../../kernel/module/errors.ts'

/** Uploaded pictures. In the database, so that every program has them at once. */
export const pictureTable = {
  name: 'settings_picture',
  columns: {
    /** File name: `<setting>-<hash>.<suffix>`. A changed picture has another one, so browsers may keep it. */
    name: { type: 'text' },
    type: { type: 'text' },
    /** Base64. */
    content: { type: 'text' },
    date_created: { type: 'timestamp' },
  },
  primaryKey: ['name'],
  unique: [],
  indexes: [],
} as const satisfies TableShape

/** Bytes, and pixels of each side. */
export const largestPicture = 512 * 1024
const widest = 2048

export interface Picture {
  type: string
  suffix: string
  bytes: Buffer
}

export const isPicture = (value: unknown): value is Picture =>
  isObject(value) && value.bytes instanceof Buffer && typeof value.suffix === 'string'

interface Format {
  type: string
  suffix: string
  is(bytes: Buffer): boolean
  /** Width and height, where they are at a fixed place. */
  size?(bytes: Buffer): readonly [number, number]
}

const begins = (...signatures: string[]) => {
  const known = signatures.map((one) => Buffer.from(one, 'latin1'))
  return (bytes: Buffer) => known.some((one) => bytes.subarray(0, one.length).equals(one))
}

/** What a picture is, by its first bytes: neither its name nor the type that the browser says decides. */
const formats: readonly Format[] = [
  {
    type: 'image/png',
    suffix: 'png',
    is: (bytes) =>
      begins('\x89PNG\r\n\x1a\n')(bytes) && bytes.length > 24 && bytes.toString('latin1', 12, 16) === 'IHDR',
    size: (bytes) => [bytes.readUInt32BE(16), bytes.readUInt32BE(20)],
  },
  { type: 'image/jpeg', suffix: 'jpg', is: begins('\xff\xd8\xff') },
  {
    type: 'image/gif',
    suffix: 'gif',
    is: (bytes) => begins('GIF87a', 'GIF89a')(bytes) && bytes.length > 10,
    size: (bytes) => [bytes.readUInt16LE(6), bytes.readUInt16LE(8)],
  },
  {
    type: 'image/webp',
    suffix: 'webp',
    is: (bytes) => begins('RIFF')(bytes) && bytes.toString('latin1', 8, 12) === 'WEBP',
  },
  { type: 'image/x-icon', suffix: 'ico', is: begins('\0\0\x01\0') },
]

const tooLarge = (): Text => text(texts.picture_size, { max: largestPicture / 1024, pixels: widest })

/** The picture in some bytes; what is wrong with it otherwise. */
export function pictureOf(bytes: Buffer): Picture | Text {
  if (bytes.length > largestPicture) return tooLarge()
  const format = formats.find((one) => one.is(bytes))
  if (!format) return text(texts.picture_type)
  const sides = format.size?.(bytes) ?? [1, 1]
  if (sides.some((side) => side < 1 || side > widest)) return tooLarge()
  return { type: format.type, suffix: format.suffix, bytes }
}

const folder = '/media/settings/'

/** Stores a picture. Returns the address under which browsers find it. */
export async function storePicture(ctx: Context, field: string, { type, suffix, bytes }: Picture): Promise<string> {
  const name = `${field}-${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.${suffix}`
  await ctx.rawDb
    .insertInto(pictureTable.name)
    .values({ name, type, content: bytes.toString('base64'), date_created: ctx.now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return folder + name
}

/** Deletes the pictures of these fields that no address names. */
export async function dropPictures(ctx: Context, fields: readonly string[], used: readonly string[]): Promise<void> {
  for (const field of fields)
    await ctx.rawDb
      .deleteFrom(pictureTable.name)
      .where('name', 'like', `${field}-%`)
      .where('name', 'not in', ['', ...used.map((address) => address.slice(folder.length))])
      .execute()
}

/** The bytes of an uploaded file, no more than can be a picture and one. */
export async function sentBytes(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of stream) {
    length += part.length
    if (length <= largestPicture + 1) parts.push(Buffer.from(part))
  }
  return length > largestPicture ? Buffer.alloc(largestPicture + 1) : Buffer.concat(parts)
}

/** A setting that is a picture: sent as a file of a form, shown as its address. An address is only taken as it is. */
export const pictureSetting = (): Field<string, 'own'> => {
  const field = textField({ default: '', blank: true })
  return {
    ...field,
    type: 'image upload',
    nullable: true,
    parse(input, ctx) {
      if (input instanceof UploadedBytes) {
        const found = pictureOf(input.bytes)
        if (!isPicture(found)) throw new Rejected(found)
        return found as unknown as string
      }
      const address = String(field.parse?.(input, ctx) ?? '')
      return !address || /^\/media\/settings\/[\w.-]{1,200}$/.test(address) ? address : reject(texts.picture_type)
    },
  }
}

/** Pages show them before anybody has signed in. */
export const pictureRoute = defineRoute({
  method: 'GET',
  path: `${folder}:name`,
  requires: 'public',
  summary: 'An uploaded logo or picture',
  async handle({ ctx, request }) {
    const row = await ctx.rawDb
      .selectFrom(pictureTable.name)
      .select(['type', 'content'])
      .where('name', '=', request.params.name ?? '')
      .executeTakeFirst()
    if (!row) throw notFound(texts.picture)
    return new Reply(200, Buffer.from(String(row.content), 'base64'), {
      'content-type': String(row.type),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=86400',
    })
  },
})
