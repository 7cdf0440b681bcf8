import { Button, Dropdown, type MenuProps, Select } from 'antd'
import {
  Building2,
  ChevronDown,
  CircleQuestionMark,
  Languages,
  Menu as MenuIcon,
  Moon,
  Search,
  SquareTerminal,
  Sun,
} from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { writeCookie } from '../../kit/api/cookies.ts'
import { Avatar } from '../../kit/cells.tsx'
import type { Feature, View } from '../../kit/feature.ts'
import { languageChoices } from '../../kit/languages.ts'
import { useMobile } from '../../kit/media.ts'
import { can, licensed, useSession } from '../../kit/session.ts'
import { language, t } from '../../kit/text.ts'
import { leaveThen } from '../../kit/unsaved.ts'
import { keepOrganisation, logout } from '../startup.ts'
import { useTheme } from '../theme.tsx'
import { mayEnter, neutralAddress, organisationsOf, views } from '../views.ts'
import { MessageBell } from './Messages.tsx'

const About = lazy(() => import('./About.tsx'))

export function TopBar({
  view,
  feature,
  onMenu,
  onSearch,
}: {
  view: View
  feature?: Feature
  onMenu: () => void
  onSearch: () => void
}) {
  const mobile = useMobile()
  return (
    <header className="topbar">
      {mobile && <Button type="text" icon={<MenuIcon size={16} />} aria-label={t('menu')} onClick={onMenu} />}
      <ViewSwitch view={view} />
      {!mobile && <OrganisationSelect view={view} feature={feature} />}
      <button type="button" className="palette" onClick={onSearch}>
        <Search size={14} />
        {!mobile && (
          <>
            <span className="clip">{t('paletteHint')}</span>
            <kbd>Ctrl K</kbd>
          </>
        )}
      </button>
      <div className="grow" />
      {can('rbac.view_webterminal') && (
        <Button
          type="text"
          icon={<SquareTerminal size={16} />}
          aria-label={t('webTerminal')}
          title={t('webTerminal')}
          onClick={() => window.open(`/luna/?_=${Date.now()}`, '_blank', 'noopener')}
        />
      )}
      <MessageBell />
      {!mobile && <Help />}
      <LanguageSelect short={mobile} />
      <Account short={mobile} />
    </header>
  )
}

export function ViewSwitch({ view }: { view: View }) {
  const go = useNavigate()
  const { profile } = useSession()
  const here = views.find((facts) => facts.view === view)
  const items: MenuProps['items'] = views
    .filter((facts) => facts.switchable && mayEnter(facts.view, profile))
    .map((facts) => ({
      key: facts.view,
      label: t(facts.title),
      onClick: () => {
        localStorage.setItem('PreView', facts.view)
        localStorage.setItem('viewSwitcherTip', '1')
        go(facts.root)
      },
    }))
  return (
    <Dropdown menu={{ items, selectedKeys: [view] }} trigger={['click']}>
      <Button type="text" className="switch">
        <b>{here && t(here.title)}</b>
        <ChevronDown size={14} />
      </Button>
    </Dropdown>
  )
}

export function OrganisationSelect({ view, feature }: { view: View; feature?: Feature }) {
  const { profile, organisation } = useSession()
  const list = organisationsOf(view, profile)
  if (feature?.hidesOrganisation || !licensed() || view === 'profile' || view === 'settings' || view === 'tickets')
    return null
  const choose = (id: string) => {
    const next = list.find((org) => org.id === id)
    if (!next) return
    leaveThen(() => {
      keepOrganisation(next)
      location.hash = neutralAddress(location.hash)
      // The whole state of the page belongs to the old organisation (spec 1 §9).
      setTimeout(() => location.reload(), 400)
    })
  }
  return (
    <Select
      className="org-select"
      variant="borderless"
      size="middle"
      prefix={<Building2 size={14} />}
      suffixIcon={<ChevronDown size={14} />}
      popupMatchSelectWidth={false}
      showSearch={list.length > 8 ? { optionFilterProp: 'label' } : false}
      disabled={feature?.organisation !== undefined}
      title={feature?.organisation ? t('organisationLocked') : undefined}
      aria-label={t('organisation')}
      value={list.some((org) => org.id === organisation.id) ? organisation.id : undefined}
      options={list.map((org) => ({ value: org.id, label: org.name }))}
      onChange={choose}
    />
  )
}

function Help() {
  const { settings } = useSession()
  const [about, setAbout] = useState(false)
  const open = (url: string | undefined) => url && window.open(url, '_blank', 'noopener')
  const items: MenuProps['items'] = [
    {
      key: 'doc',
      label: t('helpDocument'),
      disabled: !settings.HELP_DOCUMENT_URL,
      onClick: () => open(settings.HELP_DOCUMENT_URL),
    },
    {
      key: 'support',
      label: t('helpSupport'),
      disabled: !settings.HELP_SUPPORT_URL,
      onClick: () => open(settings.HELP_SUPPORT_URL),
    },
    { key: 'about', label: t('about'), onClick: () => setAbout(true) },
  ]
  return (
    <>
      <Dropdown menu={{ items }} trigger={['click']}>
        <Button type="text" icon={<CircleQuestionMark size={16} />} aria-label={t('help')} title={t('help')} />
      </Dropdown>
      {about && (
        <Suspense>
          <About onClose={() => setAbout(false)} />
        </Suspense>
      )}
    </>
  )
}

export function LanguageSelect({ short }: { short: boolean }) {
  const here = languageChoices.find((choice) => choice.language === language)
  const items: MenuProps['items'] = languageChoices.map((choice) => ({
    key: choice.language,
    label: choice.label,
    onClick: () => {
      localStorage.setItem('lang', choice.code)
      writeCookie('django_language', choice.cookie, 31_536_000)
      location.reload()
    },
  }))
  return (
    <Dropdown menu={{ items, selectedKeys: [language] }} trigger={['click']}>
      <Button type="text" icon={<Languages size={16} />} aria-label={t('language')}>
        {short ? null : here?.label}
      </Button>
    </Dropdown>
  )
}

function Account({ short }: { short: boolean }) {
  const { profile } = useSession()
  const go = useNavigate()
  const { mode, toggle } = useTheme()
  const items: MenuProps['items'] = [
    { key: 'profile', label: t('profile'), onClick: () => go('/profile/info') },
    { key: 'preferences', label: t('preferences'), onClick: () => go('/profile/user/setting') },
    ...(can('authentication.view_accesskey')
      ? [{ key: 'keys', label: t('apiKeys'), onClick: () => go('/profile/api-keys') }]
      : []),
    {
      key: 'theme',
      label: t(mode === 'dark' ? 'themeLight' : 'themeDark'),
      icon: mode === 'dark' ? <Sun size={14} /> : <Moon size={14} />,
      onClick: toggle,
    },
    { type: 'divider' },
    { key: 'logout', label: t('signOut'), onClick: logout },
  ]
  return (
    <Dropdown menu={{ items }} trigger={['click']} placement="bottomRight">
      <Button type="text" className="me" aria-label={t('account')}>
        <Avatar name={profile.name} />
        {!short && <span className="clip">{profile.name}</span>}
        {!short && <ChevronDown size={14} />}
      </Button>
    </Dropdown>
  )
}
