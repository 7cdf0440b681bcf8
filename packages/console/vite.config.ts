import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { antdStyles } from './build/antd-styles.ts'
import { chunkGroups } from './build/chunks.ts'
import { compress } from './build/compress.ts'
import { texts } from './build/texts.ts'
import { tokensCss } from './build/tokens-css.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const server = process.env.CASTELLAN_SERVER ?? 'http://127.0.0.1:8080'

/**
 * Three pages in one build. All load their files from `/static/`: `/ui/` may be served by another console, and the
 * sign-in pages and the web terminal must not depend on it.
 */
const input: Record<string, string> = { index: here('index.html'), signin: here('signin.html') }
if (existsSync(here('src/terminal/main.tsx'))) input.terminal = here('terminal.html')

export default defineConfig(({ command, isPreview }) => ({
  root: here('.'),
  // During development, the console is at `/ui/`.
  base: command === 'build' || isPreview ? '/' : '/ui/',
  plugins: [react(), texts(), tokensCss(), antdStyles(), compress()],
  build: {
    assetsDir: 'static/assets',
    target: 'es2023',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
    rolldownOptions: { input, output: { codeSplitting: { groups: chunkGroups } } },
  },
  server: {
    // OPTIONS requests read metadata from our server; Vite would handle them as CORS preflights.
    cors: false,
    proxy: {
      '/api': server,
      '/core': server,
      '/media': server,
      '/koko': { target: server, ws: true },
      '/ws': { target: server.replace('http', 'ws'), ws: true },
    },
  },
}))
