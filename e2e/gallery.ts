import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@castellan/testing/ports'
import { build, preview } from 'vite'

const consoleFolder = fileURLToPath(new URL('../packages/console/', import.meta.url))

/** The gallery of form controls, which no build of the console contains; its calls are answered by the product. */
export async function startGallery(product: string): Promise<AsyncDisposable & { url: string }> {
  const { NODE_ENV } = process.env
  process.env.CASTELLAN_SERVER = product
  // Under test, libraries give every element the same id, and no dialog its own name.
  process.env.NODE_ENV = 'production'
  const configFile = join(consoleFolder, 'vite.config.ts')
  const outDir = mkdtempSync(join(tmpdir(), 'castellan-gallery-'))
  const logLevel = 'error'
  const input = join(consoleFolder, 'gallery.html')
  await build({ configFile, logLevel, build: { outDir, minify: false, rolldownOptions: { input } } })
  const port = await freePort()
  const served = await preview({
    configFile,
    logLevel,
    build: { outDir },
    preview: { host: '127.0.0.1', port, strictPort: true },
  })
  // What runs in this process afterwards is under test again.
  delete process.env.CASTELLAN_SERVER
  process.env.NODE_ENV = NODE_ENV
  return {
    url: `http://127.0.0.1:${port}/gallery.html`,
    [Symbol.asyncDispose]: async () => {
      await served.close()
      rmSync(outDir, { recursive: true })
    },
  }
}
