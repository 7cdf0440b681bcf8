/** A read-only terminal for logs and outputs, which fits its box. Loads the emulator: import it lazily. */
import '@xterm/xterm/css/xterm.css'
import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import { font, terminal as ink } from '../tokens.ts'

export interface LogScreen {
  write(text: string): void
  reset(): void
  dispose(): void
}

export function openLogScreen(box: HTMLElement): LogScreen {
  const screen = new Terminal({
    fontSize: font.terminal,
    fontFamily: `${font.mono}, monospace`,
    scrollback: 100_000,
    disableStdin: true,
    theme: {
      background: ink.bg,
      foreground: ink.fg,
      cursor: ink.bg,
      green: ink.green,
      yellow: ink.yellow,
      red: ink.red,
      blue: ink.blue,
      cyan: ink.cyan,
      magenta: ink.magenta,
    },
  })
  const fit = new FitAddon()
  screen.loadAddon(fit)
  screen.open(box)
  fit.fit()
  const observer = new ResizeObserver(() => fit.fit())
  observer.observe(box)
  return {
    write: (text) => screen.write(text.replaceAll('\0', '')),
    reset: () => screen.reset(),
    dispose: () => {
      observer.disconnect()
      screen.dispose()
    },
  }
}
