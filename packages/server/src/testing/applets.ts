import type { Client } from '@castellan/testing/client'
import { BlobWriter, TextReader, Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js'

/** A picture of one pixel. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export const manifest = (name: string, more = '') => `name: ${name}
display_name: "{{ 'Browser' | trans }} ${name}"
version: 1.2
author: Somebody
type: web
protocols: [http, website]
tags: [ "{{ 'Web' | trans }}" ]
comment: Opens pages
i18n:
  Browser: { en: Navigator, zh: Navigator-zh, ja: Navigator-ja }
${more}`

/** Content of a file; `link` stores it as a symbolic link to the content. */
export type Files = Record<string, string | Buffer | { link: string }>

export const filesOf = (name: string, more = ''): Files => ({
  'manifest.yml': manifest(name, more),
  'setup.yml': 'type: manual\nsource: ""\n',
  'icon.png': pixel,
  'README.md': `# ${name}`,
  'main.py': 'print("hello")',
})

/** A ZIP archive of paths as they are given. */
export async function zipOf(files: Files): Promise<Blob> {
  const writer = new ZipWriter(new BlobWriter(), { useWebWorkers: false })
  for (const [path, content] of Object.entries(files)) {
    const isLink = typeof content === 'object' && 'link' in content
    const reader = Buffer.isBuffer(content)
      ? new Uint8ArrayReader(new Uint8Array(content))
      : new TextReader(isLink ? (content as { link: string }).link : String(content))
    await writer.add(path, reader, isLink ? { externalFileAttributes: 0o120777 * 65_536, versionMadeBy: 0x314 } : {})
  }
  return writer.close()
}

/** A package: everything below a folder. */
export const packageOf = (name: string, files: Files = filesOf(name)) =>
  zipOf(Object.fromEntries(Object.entries(files).map(([path, content]) => [`${name}/${path}`, content])))

/** Uploads a package as a browser does. */
export async function uploadPackage(client: Client, blob: Blob | undefined, fileName: string, query = '') {
  const path = `/api/v1/terminal/applets/upload/${query}`
  const form = new FormData()
  if (blob) form.append('file', blob, fileName)
  const answer = await fetch(new URL(path, client.url), {
    method: 'POST',
    headers: { ...client.proof('POST', path), 'accept-language': 'en' },
    body: form,
  })
  const text = await answer.text()
  // biome-ignore lint/suspicious/noExplicitAny: an applet or an error
  return { status: answer.status, body: JSON.parse(text) as any }
}
