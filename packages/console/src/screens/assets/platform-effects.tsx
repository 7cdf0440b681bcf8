/** What a change of a platform does to its assets, shown before it is saved. */
import { call } from '../../kit/api/client.ts'
import { confirmed } from '../../kit/confirm.ts'
import { number, type Row, wordOf } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'

export const platformsUrl = '/api/v1/assets/platforms/'

interface Preview {
  assets_amount: number
  assets: readonly Row[]
  effects: readonly { effect: string; subject: string; text: string }[]
}

/** Waits for the user's consent if a change affects assets. @throws Cancelled without it */
export async function confirmEffects(id: string, body: Record<string, unknown>): Promise<void> {
  const url = `${platformsUrl}${id}/change-preview/`
  const { assets_amount, assets, effects } = await call<Preview>(url, { method: 'POST', body, quiet: true })
  if (effects.length === 0) return
  const names = assets.map((row) => `${wordOf(row.name)} (${wordOf(row.address)})`)
  const more = assets_amount - assets.length
  await confirmed({
    title: t('platformEffects'),
    text: t('platformEffectsText', { count: number(assets_amount) }),
    verb: t('save'),
    details: (
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
    ),
  })
}

/** Changes a platform once the user agrees to what that does to its assets. */
export async function changePlatform(id: string, body: Record<string, unknown>): Promise<Row> {
  await confirmEffects(id, body)
  return call<Row>(`${platformsUrl}${id}/`, { method: 'PATCH', body })
}
