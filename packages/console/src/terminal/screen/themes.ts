import type { ITheme } from '@xterm/xterm'
import { terminal } from '../../tokens.ts'

/**
 * Terminal color schemes, by the name stored in the preference `terminal_theme_name`. These are the published palettes
 * of their authors; only the default one is our own and comes from the tokens.
 */
interface Palette {
  background: string
  foreground: string
  cursor: string
  selection: string
  /** black red green yellow blue magenta cyan white, then the same bright */
  ansi: string
}

const palettes: Record<string, Palette> = {
  'Solarized Dark': {
    background: '#002b36',
    foreground: '#93a1a1',
    cursor: '#93a1a1',
    selection: '#274642',
    ansi: '#073642 #dc322f #859900 #b58900 #268bd2 #d33682 #2aa198 #eee8d5 #586e75 #cb4b16 #859900 #b58900 #839496 #6c71c4 #93a1a1 #fdf6e3',
  },
  'Solarized Light': {
    background: '#fdf6e3',
    foreground: '#586e75',
    cursor: '#586e75',
    selection: '#ddd6c1',
    ansi: '#073642 #dc322f #859900 #b58900 #268bd2 #d33682 #2aa198 #93a1a1 #586e75 #cb4b16 #859900 #b58900 #657b83 #6c71c4 #586e75 #002b36',
  },
  Dracula: {
    background: '#282a36',
    foreground: '#f8f8f2',
    cursor: '#f8f8f2',
    selection: '#44475a',
    ansi: '#21222c #ff5555 #50fa7b #f1fa8c #bd93f9 #ff79c6 #8be9fd #f8f8f2 #6272a4 #ff6e6e #69ff94 #ffffa5 #d6acff #ff92df #a4ffff #ffffff',
  },
  Nord: {
    background: '#2e3440',
    foreground: '#d8dee9',
    cursor: '#d8dee9',
    selection: '#434c5e',
    ansi: '#3b4252 #bf616a #a3be8c #ebcb8b #81a1c1 #b48ead #88c0d0 #e5e9f0 #4c566a #bf616a #a3be8c #ebcb8b #81a1c1 #b48ead #8fbcbb #eceff4',
  },
  'Gruvbox Dark': {
    background: '#282828',
    foreground: '#ebdbb2',
    cursor: '#ebdbb2',
    selection: '#504945',
    ansi: '#282828 #cc241d #98971a #d79921 #458588 #b16286 #689d6a #a89984 #928374 #fb4934 #b8bb26 #fabd2f #83a598 #d3869b #8ec07c #ebdbb2',
  },
  'One Dark': {
    background: '#282c34',
    foreground: '#abb2bf',
    cursor: '#528bff',
    selection: '#3e4451',
    ansi: '#3f4451 #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #d7dae0 #5c6370 #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #ffffff',
  },
  'Tango Light': {
    background: '#ffffff',
    foreground: '#2e3436',
    cursor: '#2e3436',
    selection: '#c8d8e8',
    ansi: '#2e3436 #cc0000 #3d7d04 #8f6b00 #3465a4 #75507b #06757a #6f736d #555753 #c4161c #4b8f0b #9a7b00 #2a5d9c #7d5688 #0a7c80 #2e3436',
  },
}

export const defaultTheme = 'Default'
export const themeNames = [defaultTheme, ...Object.keys(palettes)]

/** The scheme of a name; the default for unknown names. */
export function themeOf(name: string): ITheme {
  const palette = palettes[name]
  if (!palette) return ours
  const [black, red, green, yellow, blue, magenta, cyan, white, ...bright] = palette.ansi.split(' ')
  const [brightBlack, brightRed, brightGreen, brightYellow, brightBlue, brightMagenta, brightCyan, brightWhite] = bright
  return {
    background: palette.background,
    foreground: palette.foreground,
    cursor: palette.cursor,
    selectionBackground: palette.selection,
    ...{ black, red, green, yellow, blue, magenta, cyan, white },
    ...{ brightBlack, brightRed, brightGreen, brightYellow, brightBlue, brightMagenta, brightCyan, brightWhite },
  }
}

const ours: ITheme = {
  background: terminal.bg,
  foreground: terminal.fg,
  cursor: terminal.cursor,
  cursorAccent: terminal.bg,
  selectionBackground: terminal.selection,
  black: terminal.line,
  red: terminal.red,
  green: terminal.green,
  yellow: terminal.yellow,
  blue: terminal.blue,
  magenta: terminal.magenta,
  cyan: terminal.cyan,
  white: terminal.fg,
  brightBlack: terminal.dim,
  brightRed: terminal.red,
  brightGreen: terminal.green,
  brightYellow: terminal.yellow,
  brightBlue: terminal.blue,
  brightMagenta: terminal.magenta,
  brightCyan: terminal.cyan,
  brightWhite: terminal.fg,
}
