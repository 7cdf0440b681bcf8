import { fileURLToPath } from 'node:url'
import { freePort } from '@castellan/testing/ports'
import { createServer } from 'vite'

/** The gallery of form controls, which no build contains: served from its sources, its calls answered by the product. */
export async function startGallery(product: string): Promise<AsyncDisposable & { url: string }> {
  process.env.CASTELLAN_SERVER = product
  // Under test, libraries give every element the same id, and no dialog its own name.
  process.env.NODE_ENV = 'development'
  const port = await freePort()
  const vite = await createServer({
    configFile: fileURLToPath(new URL('../packages/console/vite.config.ts', import.meta.url)),
    server: { host: '127.0.0.1', port, strictPort: true, hmr: false, watch: null },
    logLevel: 'error',
  })
  await vite.listen()
  return { url: `http://127.0.0.1:${port}/ui/gallery.html`, [Symbol.asyncDispose]: () => vite.close() }
}
