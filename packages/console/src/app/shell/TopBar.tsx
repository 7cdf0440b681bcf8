/** Top bar of every screen: view, organization, search, user menu. */
import { pathOf, type View } from '@castellan/contract/routes'
import { Button, Dropdown, type MenuProps } from 'antd'
import {
  ChevronDown,
  CircleQuestionMark,
  Languages,
  Menu as MenuIcon,
  Search,
  Settings,
  SquareTerminal,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { languageChoices, saveLanguage } from '../../browser/languages.ts'
import { useMobile, useTiny } from '../../browser/media.ts'
import { Avatar } from '../../kit/cells.tsx'
import { lazyComponent } from '../../kit/lazy-component.tsx'
import { choosesOnly } from '../../kit/menu.ts'
import { openExternal, type Screen } from '../../kit/screen.ts'
import { can, licensed, useSession } from '../../kit/session.ts'
import { language, type TextKey, t } from '../../kit/text.ts'
import { chooseMode, useMode } from '../../kit/theme.tsx'
import { screensOf, usable } from '../screens.ts'
import { logout } from '../startup.ts'
import { MessageBell } from './Messages.tsx'
import { OrganizationSelect } from './OrganizationSelect.tsx'
import { TicketCounter } from './TicketCounter.tsx'
import { ViewSwitch } from './ViewSwitch.tsx'

const About = lazyComponent(() => import('./About.tsx'))

export function TopBar({
  view,
  screen,
  onMenu,
  onSearch,
}: {
  view: View
  screen?: Screen
  onMenu: () => void
  onSearch: () => void
}) {
  const mobile = useMobile()
  const tiny = useTiny()
  // Permissions change with the organization.
  useSession()
  const terminal = usable('WebTerminal')?.external
  return (
    <header className="topbar">
      {mobile && <Button type="text" icon={<MenuIcon size={16} />} aria-label={t('menu')} onClick={onMenu} />}
      <ViewSwitch view={view} />
      {!mobile && <OrganizationSelect view={view} screen={screen} />}
      <button type="button" className="palette" aria-label={t('paletteHint')} onClick={onSearch}>
        <Search size={14} />
        {!mobile && (
          <>
            <span className="clip">{t('paletteHint')}</span>
            <kbd>Ctrl K</kbd>
          </>
        )}
      </button>
      <div className="grow" />
      {terminal && (
        <Button
          type="text"
          icon={<SquareTerminal size={16} />}
          aria-label={t('webTerminal')}
          title={t('webTerminal')}
          onClick={() => openExternal(terminal)}
        />
      )}
      <TicketCounter />
      <MessageBell />
      {!tiny && <SystemSettings />}
      {!tiny && <Help />}
      <LanguageSelect short={mobile} />
      <Account short={mobile} withHelp={tiny} />
    </header>
  )
}

/** Link to the first settings screen. */
function SystemSettings() {
  const first = can('settings.view_setting') ? screensOf('settings').find((screen) => screen.menu) : undefined
  if (!first) return null
  return (
    <Button
      type="text"
      icon={<Settings size={16} />}
      aria-label={t('viewSettings')}
      title={t('viewSettings')}
      href={`#${first.path}`}
    />
  )
}

/** Entries of the help menu, and the about dialog. */
function useHelp(): { items: NonNullable<MenuProps['items']>; dialog: ReactNode } {
  const { settings } = useSession()
  const [about, setAbout] = useState(false)
  const open = (url: string) => window.open(url, '_blank', 'noopener')
  const optionalLink = (key: string, label: TextKey, url: string | undefined) =>
    url ? [{ key, label: t(label), onClick: () => open(url) }] : []
  const items = [
    // Only with a configured address.
    ...optionalLink('doc', 'helpDocument', settings.HELP_DOCUMENT_URL),
    ...optionalLink('support', 'helpSupport', settings.HELP_SUPPORT_URL),
    // Without a valid license: link to the license page.
    ...(!licensed() && usable('License')
      ? [{ key: 'enterprise', label: t('editionEnterprise'), onClick: () => open(`/ui/#${pathOf('License')}`) }]
      : []),
    { key: 'tools', label: t('ownTools'), onClick: () => open('/core/download/') },
    { key: 'about', label: t('about'), onClick: () => setAbout(true) },
  ]
  const dialog = about && <About onClose={() => setAbout(false)} />
  return { items, dialog }
}

function Help() {
  const { items, dialog } = useHelp()
  return (
    <>
      <Dropdown autoFocus menu={{ items, onClick: choosesOnly }} trigger={['click']}>
        <Button type="text" icon={<CircleQuestionMark size={16} />} aria-label={t('help')} title={t('help')} />
      </Dropdown>
      {dialog}
    </>
  )
}

function LanguageSelect({ short }: { short: boolean }) {
  const here = languageChoices.find((choice) => choice.language === language)
  const items: MenuProps['items'] = languageChoices.map((choice) => ({
    key: choice.language,
    label: choice.label,
    onClick: () => {
      saveLanguage(choice)
      location.reload()
    },
  }))
  return (
    <Dropdown autoFocus menu={{ items, onClick: choosesOnly, selectedKeys: [language] }} trigger={['click']}>
      <Button type="text" icon={<Languages size={16} />} aria-label={t('language')}>
        {short ? null : here?.label}
      </Button>
    </Dropdown>
  )
}

/** Entries of the user menu that link to screens. */
const own = ['ProfileInfo', 'UserSetting', 'ApiKey', 'TempPassword', 'Passkey'] as const

function Account({ short, withHelp }: { short: boolean; withHelp: boolean }) {
  const { profile } = useSession()
  const go = useNavigate()
  const mode = useMode()
  const help = useHelp()
  const links = own.flatMap((name) => usable(name) ?? [])
  const items: MenuProps['items'] = [
    ...links.map((screen) => ({ key: screen.name, label: t(screen.title), onClick: () => go(screen.path) })),
    {
      key: 'theme',
      label: t(mode === 'dark' ? 'themeLight' : 'themeDark'),
      onClick: () => chooseMode(mode === 'dark' ? 'light' : 'dark'),
    },
    ...(withHelp ? [{ type: 'divider' } as const, ...help.items] : []),
    { type: 'divider' },
    { key: 'logout', label: t('signOut'), onClick: logout },
  ]
  return (
    <>
      <Dropdown autoFocus menu={{ items, onClick: choosesOnly }} trigger={['click']} placement="bottomRight">
        <Button type="text" className="me" aria-label={t('account')}>
          <Avatar name={profile.name} />
          {!short && <span className="clip">{profile.name}</span>}
          {!short && <ChevronDown size={14} />}
        </Button>
      </Dropdown>
      {help.dialog}
    </>
  )
}
