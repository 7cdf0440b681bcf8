/** The thread in which documents of users are parsed. It has no environment, no database and no key. */
import { parentPort } from 'node:worker_threads'
import { languages } from '@castellan/contract/messages'
import { ApiError } from '../module/errors.ts'

/** What the thread is told to do. */
export interface Task {
  /** URL of the module of the parser. */
  readonly module: string
  readonly name: string
  readonly given: readonly unknown[]
}

/** An `ApiError` as it passes between threads: its text in each language. */
export interface PassedError {
  readonly status: number
  readonly summary: string
  readonly bodies: Readonly<Record<string, unknown>>
}

/** What the thread tells. `begun` comes once the module of the parser is there: only then its time counts. */
export type Told =
  | { readonly state: 'begun' }
  | { readonly state: 'found'; readonly found: unknown }
  | { readonly state: 'refused'; readonly error: PassedError }
  | { readonly state: 'failed'; readonly reason: string; readonly isDeep: boolean }

function failureOf(error: unknown): Told {
  if (error instanceof ApiError) {
    const bodies = Object.fromEntries(languages.map((language) => [language, error.body(language)]))
    return { state: 'refused', error: { status: error.status, summary: error.message, bodies } }
  }
  const reason = error instanceof Error ? error.message.slice(0, 300) : ''
  // What parsers that call themselves throw for a document that is nested too deep.
  return { state: 'failed', reason, isDeep: error instanceof RangeError }
}

const tell = (told: Told) => parentPort?.postMessage(told)

parentPort?.on('message', async ({ module, name, given }: Task) => {
  try {
    const parser = (await import(module))[name] as (...given: unknown[]) => unknown
    tell({ state: 'begun' })
    tell({ state: 'found', found: await parser(...given) })
  } catch (error) {
    tell(failureOf(error))
  }
})
