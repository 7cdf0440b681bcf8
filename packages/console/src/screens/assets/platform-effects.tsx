/** What a change of a platform does to its assets, shown before it is saved. */
import { call } from '../../kit/api/client.ts'
import { ApiError } from '../../kit/api/errors.ts'
import { confirmed } from '../../kit/confirm.ts'
import { number, type Row, wordOf } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'

export const platformsUrl = '/api/v1/assets/platforms/'

interface Preview {
  assets_amount: number
  assets: readonly Row[]
  effects: readonly { effect: string; subject: string; text: string }[]
}

const previewOf = (id: string, body: Record<string, unknown>) =>
  call<Preview>(`${platformsUrl}${id}/change-preview/`, { method: 'POST', body, quiet: true })

function Effects({ assets_amount, assets, effects }: Preview) {
  const names = assets.map((row) => `${wordOf(row.name)} (${wordOf(row.address)})`)
  const more = assets_amount - assets.length
  return (
    <>
      <ul data-effects>
        {effects.map(({ effect, subject, text }) => (
          <li key={`${effect} ${subject}`} data-effect={effect}>
            {text}
          </li>
        ))}
      </ul>
      {names.length > 0 && (
        <p className="muted small gap-above">
          {more > 0 ? t('platformEffectsAssets', { names: names.join(', '), count: number(more) }) : names.join(', ')}
        </p>
      )}
    </>
  )
}

/** Waits for the user's consent if a change affects assets. @throws Cancelled without it */
export async function confirmEffects(id: string, body: Record<string, unknown>): Promise<void> {
  const preview = await previewOf(id, body)
  if (preview.effects.length === 0) return
  await confirmed({
    title: t('platformEffects'),
    text: t('platformEffectsText', { count: number(preview.assets_amount) }),
    verb: t('save'),
    details: <Effects {...preview} />,
  })
}

/**
 * Waits for the user's consent if the rows of a file affect assets, with the effects of each platform. What is wrong
 * with a row is said when it is sent. @throws Cancelled without it
 */
export async function confirmImport(bodies: readonly Record<string, unknown>[]): Promise<void> {
  const found: { name: string; preview: Preview }[] = []
  for (const { id, ...body } of bodies) {
    if (typeof id !== 'string' && typeof id !== 'number') continue
    try {
      const preview = await previewOf(String(id), body)
      if (preview.effects.length > 0) found.push({ name: wordOf(body.name) || String(id), preview })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
    }
  }
  if (found.length === 0) return
  const amount = found.reduce((sum, { preview }) => sum + preview.assets_amount, 0)
  await confirmed({
    title: t('platformEffects'),
    text: t('platformEffectsImport', { count: number(found.length), assets: number(amount) }),
    verb: t('importStart'),
    details: found.map(({ name, preview }) => (
      <section key={name} className="gap-above">
        <b>{name}</b>
        <Effects {...preview} />
      </section>
    )),
  })
}

/** Changes a platform once the user agrees to what that does to its assets. */
export async function changePlatform(id: string, body: Record<string, unknown>): Promise<Row> {
  await confirmEffects(id, body)
  return call<Row>(`${platformsUrl}${id}/`, { method: 'PATCH', body })
}
