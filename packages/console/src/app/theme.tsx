/** Light or dark, by the system until somebody chooses; the accent by the installation. */
import { ConfigProvider } from 'antd'
import type { Locale } from 'antd/es/locale'
import { createContext, type ReactNode, useContext, useLayoutEffect, useMemo, useState } from 'react'
import { useMedia } from '../kit/media.ts'
import { language } from '../kit/text.ts'
import { antdTheme, cssVariables, type Mode } from '../tokens.ts'
import { accentFrom } from './accent.ts'

interface Theme {
  mode: Mode
  toggle: () => void
}

const ThemeContext = createContext<Theme>({ mode: 'light', toggle: () => {} })
export const useTheme = (): Theme => useContext(ThemeContext)

const key = 'theme'
const chosen = (): Mode | undefined => {
  const value = localStorage.getItem(key)
  return value === 'light' || value === 'dark' ? value : undefined
}

export function ThemeProvider({ locale, accent, children }: { locale: Locale; accent?: string; children: ReactNode }) {
  const system = useMedia('(prefers-color-scheme: dark)')
  const still = useMedia('(prefers-reduced-motion: reduce)')
  const [own, setOwn] = useState(chosen)
  const mode = own ?? (system ? 'dark' : 'light')
  const shades = useMemo(() => accentFrom(accent, mode), [accent, mode])
  useLayoutEffect(() => {
    const root = document.documentElement
    root.lang = { en: 'en', zh: 'zh-CN', ja: 'ja' }[language]
    root.dataset.theme = mode
    root.style.colorScheme = mode
    for (const [name, value] of Object.entries({ ...cssVariables(mode, language), ...shades.variables }))
      root.style.setProperty(name, value)
  }, [mode, shades])
  const theme = useMemo(() => shades.apply(antdTheme(mode, language, { still })), [mode, still, shades])
  const value = useMemo(
    () => ({
      mode,
      toggle: () => {
        const next = mode === 'dark' ? 'light' : 'dark'
        localStorage.setItem(key, next)
        setOwn(next)
      },
    }),
    [mode],
  )
  return (
    <ThemeContext value={value}>
      <ConfigProvider theme={theme} locale={locale} button={{ autoInsertSpace: false }}>
        {children}
      </ConfigProvider>
    </ThemeContext>
  )
}
