/** Theme from `INTERFACE.theme_info.colors`; lightness is shifted until text has enough contrast. */
import type { ThemeConfig } from 'antd'
import { color, type Mode } from '../tokens.ts'

type Rgb = readonly [number, number, number]

const parse = (hex: string): Rgb | undefined => {
  const found = /^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex.trim())
  return found
    ? [Number.parseInt(found[1] ?? '', 16), Number.parseInt(found[2] ?? '', 16), Number.parseInt(found[3] ?? '', 16)]
    : undefined
}
const hex = (rgb: Rgb): string => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
const mix = (a: Rgb, b: Rgb, share: number): Rgb => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
  a[2] + (b[2] - a[2]) * share,
]

function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** WCAG contrast of two colors. */
export function contrast(a: Rgb, b: Rgb): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

const black: Rgb = [0, 0, 0]
const white: Rgb = [255, 255, 255]

export interface Colors {
  /** Custom properties of the root element. */
  variables: Record<string, string>
  /** Surfaces with a configured color, for style sheets: `banner`, `menu`. */
  painted: readonly string[]
  apply: (theme: ThemeConfig) => ThemeConfig
}

/** `INTERFACE.theme_info.colors`: custom property → `#rrggbb`. */
export type ThemeColors = Readonly<Record<string, string>>

const blackish: Rgb = [6, 20, 16]

/** Shifts a color's lightness until its contrast on a surface is at least 4.5. */
function readable(requested: Rgb, on: Rgb): Rgb {
  const towards = luminance(on) < 0.18 ? white : black
  let color = requested
  for (let step = 0; step < 20 && contrast(color, on) < 4.5; step++) color = mix(color, towards, 0.08)
  return color
}

const onto = (surface: Rgb): Rgb => (contrast(surface, white) >= 4.5 ? white : blackish)

function accentFrom(base: Rgb, panel: Rgb, mode: Mode): Colors {
  const accent = readable(base, panel)
  const shades = {
    accent: hex(accent),
    hover: hex(mix(accent, black, 0.15)),
    press: hex(mix(accent, black, 0.3)),
    soft: hex(mix(panel, accent, mode === 'dark' ? 0.2 : 0.12)),
    line: hex(mix(panel, accent, 0.4)),
    on: hex(onto(accent)),
  }
  return {
    painted: [],
    variables: {
      '--accent': shades.accent,
      '--accent-hover': shades.hover,
      '--accent-press': shades.press,
      '--accent-soft': shades.soft,
      '--accent-line': shades.line,
      '--on-accent': shades.on,
      '--link': shades.accent,
    },
    apply: (theme) => ({
      ...withTokens(theme, {
        colorPrimary: shades.accent,
        colorPrimaryText: shades.accent,
        colorPrimaryBg: shades.soft,
        colorPrimaryBgHover: shades.soft,
        colorPrimaryBorder: shades.line,
        colorPrimaryBorderHover: shades.line,
        colorPrimaryHover: shades.hover,
        colorPrimaryActive: shades.press,
        colorLink: shades.accent,
        colorLinkHover: shades.hover,
        colorLinkActive: shades.press,
      }),
      token: { ...theme.token, colorPrimary: shades.accent },
      components: {
        ...theme.components,
        Button: { ...theme.components?.Button, primaryColor: shades.on },
        Menu: { ...theme.components?.Menu, itemSelectedBg: shades.soft, itemSelectedColor: shades.accent },
        Table: { ...theme.components?.Table, rowSelectedBg: shades.soft, rowSelectedHoverBg: shades.soft },
      },
    }),
  }
}

/** Overrides tokens that Ant Design derives. */
const withTokens = (theme: ThemeConfig, tokens: Readonly<Record<string, string>>): ThemeConfig => ({
  ...theme,
  algorithm: [
    ...(Array.isArray(theme.algorithm) ? theme.algorithm : []),
    (_seed, map) => ({ ...(map as NonNullable<typeof map>), ...tokens }),
  ],
})

/** Status color names: setting, own custom property, Ant Design token. */
const statuses = [
  ['--color-success', 'ok', 'Success'],
  ['--color-warning', 'warning', 'Warning'],
  ['--color-danger', 'danger', 'Error'],
  ['--color-info', 'info', 'Info'],
] as const

function statusFrom([, own, library]: (typeof statuses)[number], base: Rgb, panel: Rgb, mode: Mode): Colors {
  const strong = hex(readable(base, panel))
  const soft = hex(mix(panel, base, mode === 'dark' ? 0.2 : 0.12))
  const line = hex(mix(panel, base, 0.4))
  return {
    painted: [],
    variables: { [`--${own}`]: strong, [`--${own}-soft`]: soft, [`--${own}-line`]: line },
    apply: (theme) =>
      withTokens(theme, {
        [`color${library}`]: strong,
        [`color${library}Text`]: strong,
        [`color${library}Bg`]: soft,
        [`color${library}BgHover`]: soft,
        [`color${library}Border`]: line,
        [`color${library}BorderHover`]: line,
        [`color${library}Hover`]: strong,
        [`color${library}Active`]: strong,
      }),
  }
}

/** The top bar. */
const bannerFrom = (banner: Rgb): Colors => ({
  painted: ['banner'],
  variables: { '--banner': hex(banner), '--on-banner': hex(onto(banner)) },
  apply: (theme) => theme,
})

/** The side menu. The default hover color is 90 % white mixed with the active color. */
function menuFrom(of: (name: string) => Rgb | undefined): Colors | undefined {
  const [requested, submenu, text, lit] = ['--menu-bg', '--submenu-bg', '--menu-text', '--menu-text-active'].map(of)
  if (!(requested ?? submenu ?? text ?? lit)) return undefined
  const back = requested ?? parse(color.light.page) ?? white
  const words = hex(readable(text ?? parse(color.light.text2) ?? black, back))
  const active = readable(lit ?? parse(color.light.link) ?? black, back)
  const hover = of('--menu-hover') ?? mix(active, white, 0.9)
  const soft = mix(back, active, 0.12)
  return {
    painted: ['menu'],
    variables: { '--menu-back': hex(back), '--submenu-back': hex(submenu ?? back), '--menu-word': words },
    apply: (theme) => ({
      ...theme,
      components: {
        ...theme.components,
        Menu: {
          ...theme.components?.Menu,
          itemColor: words,
          itemSelectedColor: hex(readable(active, soft)),
          itemSelectedBg: hex(soft),
          itemHoverBg: hex(hover),
          itemHoverColor: hex(readable(active, hover)),
        },
      },
    }),
  }
}

/**
 * The theme of an installation in one mode. Configured surfaces apply in light mode only: they are chosen for a light page.
 * Without configured colors, nothing changes.
 */
export function themeFromColors(chosen: ThemeColors | undefined, mode: Mode): Colors {
  const of = (name: string) => parse(chosen?.[name] ?? '')
  const panel = parse(color[mode].panel) ?? white
  const parts: Colors[] = []
  const primary = of('--color-primary')
  if (primary) parts.push(accentFrom(primary, panel, mode))
  for (const status of statuses) {
    const base = of(status[0])
    if (base) parts.push(statusFrom(status, base, panel, mode))
  }
  const banner = mode === 'light' ? of('--banner-bg') : undefined
  if (banner) parts.push(bannerFrom(banner))
  const menu = mode === 'light' ? menuFrom(of) : undefined
  if (menu) parts.push(menu)
  if (parts.length === 0) return { variables: {}, painted: [], apply: (theme) => theme }
  const named = Object.entries(chosen ?? {}).filter(([name, value]) => name.startsWith('--') && parse(value))
  const key = `castellan-${mode}-${named.map(([, value]) => value.replace('#', '')).join('')}`
  return {
    variables: Object.assign(Object.fromEntries(named), ...parts.map(({ variables }) => variables)),
    painted: parts.flatMap(({ painted }) => painted),
    apply: (theme) => ({ ...parts.reduce((made, part) => part.apply(made), theme), cssVar: { key } }),
  }
}
