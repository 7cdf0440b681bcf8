/** Light or dark theme, by the system until the user chooses one; accent colors by the installation. */
import { ConfigProvider } from 'antd'
import type { Locale } from 'antd/es/locale'
import { type ReactNode, useLayoutEffect, useMemo, useSyncExternalStore } from 'react'
import { pageLanguage } from '../browser/languages.ts'
import { useMedia } from '../browser/media.ts'
import { antdTheme, cssVariables, type Mode } from '../tokens.ts'
import { type ThemeColors, themeFromColors } from './accent.ts'

/** Shared storage key of all pages of the product, so that open pages change together. */
const key = 'theme'
export type ChosenMode = 'system' | Mode

const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

export function chosenMode(): ChosenMode {
  const value = localStorage.getItem(key)
  return value === 'light' || value === 'dark' ? value : 'system'
}

export function chooseMode(mode: ChosenMode): void {
  if (mode === 'system') localStorage.removeItem(key)
  else localStorage.setItem(key, mode)
  for (const listener of listeners) listener()
}

export function useMode(): Mode {
  const system = useMedia('(prefers-color-scheme: dark)')
  const chosen = useSyncExternalStore(subscribe, chosenMode)
  return chosen === 'system' ? (system ? 'dark' : 'light') : chosen
}

export function Theme({ locale, colors, children }: { locale?: Locale; colors?: ThemeColors; children: ReactNode }) {
  const mode = useMode()
  const language = pageLanguage()
  const still = useMedia('(prefers-reduced-motion: reduce)')
  const chosen = useMemo(() => themeFromColors(colors, mode), [colors, mode])
  useLayoutEffect(() => {
    const root = document.documentElement
    root.lang = { en: 'en', zh: 'zh-CN', ja: 'ja' }[language]
    root.dataset.theme = mode
    root.style.colorScheme = mode
    for (const [name, value] of Object.entries({ ...cssVariables(mode, language), ...chosen.variables }))
      root.style.setProperty(name, value)
    root.dataset.painted = chosen.painted.join(' ')
    return () => {
      for (const name of Object.keys(chosen.variables)) root.style.removeProperty(name)
    }
  }, [mode, language, chosen])
  const theme = useMemo(() => chosen.apply(antdTheme(mode, language, { still })), [mode, language, still, chosen])
  return (
    <ConfigProvider theme={theme} locale={locale} button={{ autoInsertSpace: false }}>
      {children}
    </ConfigProvider>
  )
}
