import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Plugin } from 'vite'

const brotli = promisify(brotliCompress)
const worth = /\.(js|css|svg|json)$/

/**
 * Writes `<file>.br` beside each compressible file; the server sends these unchanged. Builds that are not minified are
 * for tests and are not compressed.
 */
export function compress(): Plugin {
  let folder = ''
  return {
    name: 'castellan-compress',
    apply: ({ build }, { command }) => command === 'build' && build?.minify !== false,
    configResolved: (config) => {
      folder = join(config.root, config.build.outDir)
    },
    async writeBundle() {
      for (const name of await readdir(folder, { recursive: true })) {
        const path = join(folder, name)
        if (!worth.test(name) || (await stat(path)).size < 1024) continue
        const bytes = await readFile(path)
        const small = await brotli(bytes, {
          params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
        })
        await writeFile(`${path}.br`, small)
      }
    },
  }
}
