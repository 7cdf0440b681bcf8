import { session } from '../kit/session.ts'
import { t } from './text.ts'

/** Logo with a link to the console. */
export function Brand() {
  const logo = session().settings.INTERFACE.logo_index
  return (
    <a className="brand-mark" href="/ui/" title={t('toConsole')}>
      <img src={logo || `${import.meta.env.BASE_URL}static/mark.svg`} alt={t('toConsole')} height={22} />
    </a>
  )
}
