import { ConfigProvider } from 'antd'
import type { Locale } from 'antd/es/locale'
import { type ReactNode, useLayoutEffect, useMemo, useSyncExternalStore } from 'react'
import { useMedia } from '../kit/media.ts'
import { language } from '../kit/text.ts'
import { antdTheme, cssVariables } from '../tokens.ts'

/** Shared with the console, so that both pages change together. */
const key = 'theme'
export type ChosenMode = 'system' | 'light' | 'dark'

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

/** Light or dark, by the system until somebody chooses. */
export function Look({ locale, children }: { locale: Locale; children: ReactNode }) {
  const system = useMedia('(prefers-color-scheme: dark)')
  const still = useMedia('(prefers-reduced-motion: reduce)')
  const chosen = useSyncExternalStore(subscribe, chosenMode)
  const mode = chosen === 'system' ? (system ? 'dark' : 'light') : chosen
  useLayoutEffect(() => {
    const root = document.documentElement
    root.lang = { en: 'en', zh: 'zh-CN', ja: 'ja' }[language]
    root.dataset.theme = mode
    root.style.colorScheme = mode
    for (const [name, value] of Object.entries(cssVariables(mode, language))) root.style.setProperty(name, value)
  }, [mode])
  const theme = useMemo(() => antdTheme(mode, language, { still }), [mode, still])
  return (
    <ConfigProvider theme={theme} locale={locale} button={{ autoInsertSpace: false }}>
      {children}
    </ConfigProvider>
  )
}
