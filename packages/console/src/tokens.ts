/**
 * All colors and sizes of the console; no other file defines any. `antdTheme(mode)` passes them to Ant Design,
 * `cssVariables(mode)` to the rules in src/css.
 */
import { theme as antd, type ThemeConfig } from 'antd'

export type Mode = 'light' | 'dark'
export type Status = 'ok' | 'warning' | 'danger' | 'info' | 'idle'

const light = {
  // Surfaces, from back to front. Hairlines separate them; only `overlay` has a shadow.
  page: '#f4f6f5', // the shell: sidebar, top bar, behind the sign-in card
  panel: '#ffffff', // main content: lists, forms, details
  raised: '#f8faf9', // table head, folded groups, form footer
  overlay: '#ffffff', // menus, dialogs, drawers
  hover: '#f1f5f3',
  line: '#e2e7e5', // lines within a group
  lineStrong: '#cbd3d0', // lines between groups
  control: '#84908c', // border of inputs and checkboxes: contrast 3:1

  text: '#16201d',
  text2: '#4f5c57',
  text3: '#5f6c67',
  disabled: '#9aa5a1',

  accent: '#2b6e62',
  accentHover: '#235a50',
  accentPress: '#1b473f',
  accentSoft: '#e3f0ec',
  accentLine: '#a9d0c5',
  onAccent: '#ffffff',
  link: '#1f5f55',

  ok: '#2f7a2b',
  okSoft: '#e8f4e5',
  okLine: '#b9dcb2',
  warning: '#8a5700',
  warningSoft: '#fdf2da',
  warningLine: '#eccd8c',
  danger: '#b3261e',
  dangerSoft: '#fdecea',
  dangerLine: '#f0b8b3',
  dangerHover: '#8f1d17',
  onDanger: '#ffffff',
  info: '#1f5fb8',
  infoSoft: '#e8f0fb',
  infoLine: '#b5cff0',
  idle: '#5b6762',
  idleSoft: '#edf0ef',
  idleLine: '#d2d9d6',

  mask: 'rgba(16, 24, 21, 0.32)',
  shadow: '0 0 0 1px rgba(16, 24, 21, 0.06), 0 8px 24px -4px rgba(16, 24, 21, 0.16), 0 2px 6px rgba(16, 24, 21, 0.06)',
  // Not the accent color: in a chart it would look selected.
  chart: ['#4a7ba6', '#8e6fa8', '#b57f33', '#6f8f4e', '#84908c'],
}

const dark: typeof light = {
  page: '#0e1312',
  panel: '#141a18',
  raised: '#191f1d',
  overlay: '#1d2422',
  hover: '#1b2220',
  line: '#26302d',
  lineStrong: '#394541',
  control: '#6b7975',

  text: '#e4eae8',
  text2: '#a9b6b1',
  text3: '#8b9994',
  disabled: '#5d6965',

  accent: '#63bda9',
  accentHover: '#7acdba',
  accentPress: '#4fa894',
  accentSoft: '#17302b',
  accentLine: '#2f5f55',
  onAccent: '#06201a',
  link: '#7fcdbb',

  ok: '#74c26f',
  okSoft: '#172a17',
  okLine: '#2f5230',
  warning: '#e0aa3e',
  warningSoft: '#2c2310',
  warningLine: '#5b4718',
  danger: '#f48a80',
  dangerSoft: '#361a18',
  dangerLine: '#6b302c',
  dangerHover: '#ffa39a',
  onDanger: '#2b0906',
  info: '#84b4f2',
  infoSoft: '#16253a',
  infoLine: '#2b4a73',
  idle: '#9ba8a3',
  idleSoft: '#212927',
  idleLine: '#394541',

  mask: 'rgba(3, 6, 5, 0.6)',
  shadow: '0 0 0 1px #323d3a, 0 12px 32px -4px rgba(0, 0, 0, 0.6)',
  chart: ['#7aa5d1', '#b193c9', '#d19f55', '#94b56f', '#8b9994'],
}

export const color = { light, dark }

/** The terminal has the same colors in both themes: a recording must look as it did. */
export const terminal = {
  bg: '#0c1110',
  fg: '#d6dedb',
  dim: '#7f8d88',
  line: '#222b29',
  bar: '#151b1a',
  cursor: '#63bda9',
  selection: '#24443d',
  green: '#7cc98a',
  yellow: '#e0b35a',
  red: '#f28b82',
  blue: '#86b4f0',
  cyan: '#6ec9c9',
  magenta: '#c79be0',
  added: '#16281a',
  removed: '#331b19',
}

export const size = {
  topbar: 48,
  tabstrip: 32,
  sidebar: 200,
  sidebarClosed: 54,
  tree: 240,
  rail: 304,
  row: 40,
  rowCompact: 32,
  tableHead: 36,
  control: 32,
  controlSmall: 26,
  controlLarge: 40,
  touch: 44,
  form: 720,
  card: 400,
  drawer: 560,
  dialog: 520,
  dialogWide: 960,
  radius: 6,
  radiusSmall: 4,
  radiusLarge: 10,
  gutter: 24,
  gutterSmall: 16,
  icon: 16,
  iconSmall: 14,
}

/**
 * All distances: 4 px steps, `--space-1` … `--space-8`. 2, 6 and 10 px are for optical corrections inside small
 * elements.
 */
export const space = { 1: 4, 2: 8, 3: 12, 4: 16, 5: 20, 6: 24, 8: 32 }

export const font = {
  // Named fonts, not `system-ui`: on a Chinese Windows it renders Latin text in YaHei.
  ui: '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans"',
  cjk: {
    en: '"Noto Sans CJK SC"',
    zh: '"PingFang SC", "Microsoft YaHei UI", "Microsoft YaHei", "Noto Sans CJK SC"',
    ja: '"Hiragino Sans", "Yu Gothic UI", "Meiryo", "Noto Sans CJK JP"',
  },
  mono: '"SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono"',
  base: 14,
  table: 13,
  small: 12,
  tiny: 11,
  touch: 17,
  title: 20,
  heading: 15,
  number: 24,
  terminal: 13,
}
export type Lang = keyof typeof font.cjk
export const uiFont = (lang: Lang) => `${font.ui}, ${font.cjk[lang]}, sans-serif`
export const monoFont = (lang: Lang) => `${font.mono}, ${font.cjk[lang]}, monospace`

export const motion = { fast: '0.12s', mid: '0.14s', slow: '0.16s' }

const kebab = (key: string) =>
  key
    .replace(/([A-Z])/g, '-$1')
    .replace(/(\d+)$/, '-$1')
    .toLowerCase()

/** `--page`, `--text-2`, `--row` … on the root element. */
export function cssVariables(mode: Mode, lang: Lang = 'en'): Record<string, string> {
  const out: Record<string, string> = { '--font-ui': uiFont(lang), '--font-mono': monoFont(lang) }
  for (const [key, value] of Object.entries(color[mode]))
    if (Array.isArray(value)) for (const [i, v] of value.entries()) out[`--chart-${i + 1}`] = v
    else out[`--${kebab(key)}`] = value
  for (const [key, value] of Object.entries(terminal)) out[`--term-${kebab(key)}`] = value
  for (const [key, value] of Object.entries(space)) out[`--space-${key}`] = `${value}px`
  for (const [key, value] of Object.entries(size)) out[`--${kebab(key)}-size`] = `${value}px`
  for (const [key, value] of Object.entries(font)) if (typeof value === 'number') out[`--type-${key}`] = `${value}px`
  return out
}

/** The Ant Design theme. The last algorithm sets derived colors exactly to ours, in both modes. */
export function antdTheme(mode: Mode, lang: Lang = 'en', { compact = false, still = false } = {}): ThemeConfig {
  const c = color[mode]
  // In dark mode, popups are lighter than the page's hover color.
  const activeInOverlay = mode === 'dark' ? c.line : c.hover
  const base = mode === 'dark' ? antd.darkAlgorithm : antd.defaultAlgorithm
  const status = (name: string, strong: string, soft: string, line: string) => ({
    [`color${name}`]: strong,
    [`color${name}Text`]: strong,
    [`color${name}Bg`]: soft,
    [`color${name}BgHover`]: soft,
    [`color${name}Border`]: line,
    [`color${name}BorderHover`]: line,
    [`color${name}Hover`]: strong,
    [`color${name}Active`]: strong,
  })
  return {
    cssVar: { key: `castellan-${mode}` },
    hashed: false,
    zeroRuntime: true,
    token: {
      colorPrimary: c.accent,
      colorSuccess: c.ok,
      colorWarning: c.warning,
      colorError: c.danger,
      colorInfo: c.info,
      fontFamily: uiFont(lang),
      fontFamilyCode: monoFont(lang),
      fontSize: font.base,
      fontSizeSM: font.small,
      fontSizeLG: font.base,
      borderRadius: size.radius,
      borderRadiusSM: size.radiusSmall,
      borderRadiusLG: size.radius,
      controlHeight: size.control,
      controlHeightSM: size.controlSmall,
      controlHeightLG: size.controlLarge,
      motionDurationFast: motion.fast,
      motionDurationMid: motion.mid,
      motionDurationSlow: motion.slow,
      colorTextPlaceholder: c.text3,
      motion: !still,
      wireframe: false,
      fontWeightStrong: 600,
    },
    algorithm: [
      base,
      (_seed, map) => ({
        ...(map ?? base(_seed)),
        ...status('Primary', c.accent, c.accentSoft, c.accentLine),
        ...status('Success', c.ok, c.okSoft, c.okLine),
        ...status('Warning', c.warning, c.warningSoft, c.warningLine),
        ...status('Error', c.danger, c.dangerSoft, c.dangerLine),
        ...status('Info', c.info, c.infoSoft, c.infoLine),
        colorPrimaryHover: c.accentHover,
        colorPrimaryActive: c.accentPress,
        colorErrorHover: c.dangerHover,
        colorLink: c.link,
        colorLinkHover: c.accentHover,
        colorLinkActive: c.accentPress,
        colorText: c.text,
        colorTextSecondary: c.text2,
        colorTextTertiary: c.text3,
        colorTextQuaternary: c.disabled,
        colorBgLayout: c.page,
        colorBgContainer: c.panel,
        colorBgElevated: c.overlay,
        colorBgMask: c.mask,
        colorBorder: c.control,
        colorBorderSecondary: c.line,
        colorFillQuaternary: c.raised,
        colorFillTertiary: c.hover,
        colorFillSecondary: c.line,
      }),
    ],
    components: {
      Alert: { defaultPadding: '8px 12px' },
      Badge: { colorTextLightSolid: c.onDanger },
      Breadcrumb: { fontSize: font.small },
      Button: {
        primaryColor: c.onAccent,
        dangerColor: c.onDanger,
        primaryShadow: 'none',
        defaultShadow: 'none',
        dangerShadow: 'none',
        defaultBorderColor: c.lineStrong,
        defaultHoverBg: c.hover,
        defaultHoverColor: c.text,
        defaultHoverBorderColor: c.control,
        fontWeight: 500,
        paddingInline: 12,
        contentFontSizeSM: font.table,
      },
      Checkbox: { colorWhite: c.onAccent },
      Descriptions: { itemPaddingBottom: 10, labelColor: c.text3 },
      Drawer: { paddingLG: 20 },
      Dropdown: { paddingBlock: 4, boxShadowSecondary: c.shadow, controlItemBgHover: activeInOverlay },
      Form: {
        labelColor: c.text,
        verticalLabelPadding: '0 0 4px',
        itemMarginBottom: 16,
        labelRequiredMarkColor: c.danger,
      },
      Input: { activeShadow: `0 0 0 2px ${c.accentSoft}`, hoverBorderColor: c.text2 },
      InputNumber: { activeShadow: `0 0 0 2px ${c.accentSoft}` },
      Menu: {
        itemHeight: 32,
        itemMarginInline: 8,
        itemMarginBlock: 2,
        itemBorderRadius: size.radius,
        itemBg: 'transparent',
        subMenuItemBg: 'transparent',
        itemColor: c.text2,
        itemSelectedBg: c.accentSoft,
        itemSelectedColor: c.link,
        itemHoverBg: c.hover,
        iconSize: size.icon,
        activeBarBorderWidth: 0,
      },
      Modal: {
        titleFontSize: 16,
        borderRadiusLG: size.radiusLarge,
        contentBg: c.overlay,
        headerBg: c.overlay,
        boxShadow: c.shadow,
      },
      Popover: { boxShadowSecondary: c.shadow },
      Progress: { defaultColor: c.accent, remainingColor: c.line },
      Radio: { colorWhite: c.onAccent, buttonSolidCheckedColor: c.onAccent },
      Segmented: {
        trackBg: c.idleSoft,
        itemSelectedBg: mode === 'dark' ? c.lineStrong : c.panel,
        itemColor: c.text2,
        trackPadding: 2,
      },
      Select: {
        optionActiveBg: activeInOverlay,
        optionSelectedBg: c.accentSoft,
        optionFontSize: font.table,
        multipleItemBg: c.idleSoft,
      },
      Steps: { fontSize: font.table },
      Switch: { colorWhite: mode === 'dark' ? c.text : '#ffffff' },
      Table: {
        headerBg: c.panel,
        headerColor: c.text3,
        headerSplitColor: 'transparent',
        headerSortActiveBg: c.panel,
        headerSortHoverBg: c.hover,
        bodySortBg: c.panel,
        rowHoverBg: c.hover,
        borderColor: c.line,
        rowSelectedBg: c.accentSoft,
        rowSelectedHoverBg: c.accentSoft,
        cellFontSize: font.table,
        cellFontSizeMD: font.table,
        cellFontSizeSM: font.table,
        cellPaddingBlockSM: compact ? 0 : 2,
        cellPaddingInlineSM: 8,
      },
      Tabs: {
        horizontalItemPadding: '8px 0 10px',
        horizontalItemGutter: 24,
        itemColor: c.text2,
        titleFontSize: font.base,
      },
      Tag: { defaultBg: c.idleSoft, defaultColor: c.text2, borderRadiusSM: size.radiusSmall },
      Timeline: { itemPaddingBottom: 14 },
      Tooltip: { fontSize: font.small },
      Tree: { titleHeight: 28, nodeSelectedBg: c.accentSoft, nodeHoverBg: c.hover, indentSize: 16 },
    },
  }
}
