import { type Language, languages, type Message } from '@castellan/contract/messages'
import { storageMessages as texts } from '@castellan/contract/messages/storages'
import { defineJob } from '../../../kernel/jobs/kinds.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { notifySubscribers } from '../../notifications/index.ts'
import { siteUrl } from '../../settings/index.ts'
import { commandStorages, searchDetails } from './command-storages.ts'
import { externalStorages } from './media-files.ts'
import { testStore } from './open-store.ts'
import { testIndex } from './stores/command-index.ts'
import { failureOf, type StorageFailure } from './stores/object-store.ts'

/** Milliseconds that one storage may take. */
const patience = 20_000

interface Broken {
  name: string
  failure: StorageFailure
}

/** The storages outside of the server that do not work, with the reasons. */
async function brokenStorages(ctx: Context, signal: AbortSignal): Promise<Broken[]> {
  const until = () => AbortSignal.any([signal, AbortSignal.timeout(patience)])
  const tests: [string, () => Promise<void>][] = [
    ...(await externalStorages(ctx)).map((row): [string, () => Promise<void>] => [
      row.name,
      () => testStore(ctx, row, until()),
    ]),
    ...(await commandStorages(ctx)).map((row): [string, () => Promise<void>] => [
      row.name,
      () => testIndex(searchDetails(ctx, row), until()),
    ]),
  ]
  const broken: Broken[] = []
  for (const [name, test] of tests)
    try {
      await test()
    } catch (error) {
      signal.throwIfAborted()
      broken.push({ name, failure: failureOf(error, name) })
    }
  return broken
}

/** Nightly: tests every storage outside of the server, and tells the subscribers which do not work. */
export const testStorages = defineJob<object>({
  name: 'terminal.tasks.check_command_replay_storage_connectivity',
  delivery: 'idempotent',
  schedule: '0 0 * * *',
  timeout: 3_600_000,
  async run(ctx, _payload, job) {
    const broken = await brokenStorages(ctx, job.signal)
    if (broken.length === 0) return
    const lines = (language: Language) =>
      broken.map(({ name, failure }) => `${name}: ${failure.text(language)}`).join('\n')
    await job.log(lines('en'))
    const storages = Object.fromEntries(languages.map((language) => [language, lines(language)])) as unknown as Message
    await ctx.transaction((inside) =>
      notifySubscribers(inside, 'StorageConnectivityMessage', {
        subject: texts.storages_broken_subject,
        body: texts.storages_broken_body,
        values: { storages },
        link: `${siteUrl(inside)}/ui/#/settings/storage`,
      }),
    )
  },
})
