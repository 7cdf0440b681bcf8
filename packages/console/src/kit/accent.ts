/** The accent's shades out of one colour of the installation, lightness shifted until text on it reads (LOOK, "Decided"). */
import type { ThemeConfig } from 'antd'
import { colour, type Mode } from '../tokens.ts'

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

/** WCAG contrast of two colours. */
export function contrast(a: Rgb, b: Rgb): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

const black: Rgb = [0, 0, 0]
const white: Rgb = [255, 255, 255]

export interface Accent {
  variables: Record<string, string>
  apply: (theme: ThemeConfig) => ThemeConfig
}

/** Shades for a mode; nothing changes when the installation has no colour of its own. */
export function accentFrom(wanted: string | undefined, mode: Mode): Accent {
  const base = wanted ? parse(wanted) : undefined
  if (!base) return { variables: {}, apply: (theme) => theme }
  const panel = parse(colour[mode].panel) ?? white
  const towards = mode === 'dark' ? white : black
  let accent = base
  for (let step = 0; step < 20 && contrast(accent, panel) < 4.5; step++) accent = mix(accent, towards, 0.08)
  const onAccent = contrast(accent, white) >= 4.5 ? white : ([6, 20, 16] as const)
  const shades = {
    accent: hex(accent),
    hover: hex(mix(accent, black, 0.15)),
    press: hex(mix(accent, black, 0.3)),
    soft: hex(mix(panel, accent, mode === 'dark' ? 0.2 : 0.12)),
    line: hex(mix(panel, accent, 0.4)),
    on: hex(onAccent),
  }
  return {
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
      ...theme,
      cssVar: { key: `castellan-${mode}-${shades.accent.slice(1)}` },
      token: { ...theme.token, colorPrimary: shades.accent },
      algorithm: [
        ...(Array.isArray(theme.algorithm) ? theme.algorithm : []),
        (_seed, map) => ({
          ...(map as NonNullable<typeof map>),
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
      ],
      components: {
        ...theme.components,
        Button: { ...theme.components?.Button, primaryColor: shades.on },
        Menu: { ...theme.components?.Menu, itemSelectedBg: shades.soft, itemSelectedColor: shades.accent },
        Table: { ...theme.components?.Table, rowSelectedBg: shades.soft, rowSelectedHoverBg: shades.soft },
      },
    }),
  }
}
