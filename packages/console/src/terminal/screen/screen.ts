import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { SerializeAddon } from '@xterm/addon-serialize'
import { Unicode11Addon } from '@xterm/addon-unicode11'
import { WebglAddon } from '@xterm/addon-webgl'
import { type ITheme, Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { font } from '../../tokens.ts'
import type { HiddenTerminal } from '../replay/keyframes.ts'
import { t } from '../text.ts'

const scrollback = 5000
/**
 * Monospace fonts only: a named CJK font before `monospace` would render Latin text proportionally where the first
 * fonts are missing.
 */
const terminalFont = `${font.mono}, "DejaVu Sans Mono", "Noto Sans Mono", "Noto Sans Mono CJK SC", monospace`
/** Limits of the font size that fits a terminal into its element. */
const smallestFont = 8
const largestFont = 18

export interface ScreenOptions {
  fontSize: number
  theme: ITheme
}

interface NewScreen extends ScreenOptions {
  /** A recording or monitored session: no cursor and no input. */
  readOnly?: boolean
  /** Whether the terminal accepts input. If not, Tab moves the focus as elsewhere. */
  isLive?: () => boolean
}

/** An xterm with the add-ons in use, in one element. */
export class Screen {
  readonly term: Terminal
  readonly search = new SearchAddon()
  readonly #fit = new FitAddon()
  #webgl: WebglAddon | undefined

  constructor(element: HTMLElement, options: NewScreen) {
    this.term = new Terminal({
      allowProposedApi: true,
      scrollback,
      fontFamily: terminalFont,
      fontSize: options.fontSize,
      lineHeight: 1.2,
      theme: options.theme,
      cursorBlink: !options.readOnly,
      disableStdin: options.readOnly ?? false,
      macOptionIsMeta: true,
      rightClickSelectsWord: false,
      minimumContrastRatio: 1,
    })
    this.term.loadAddon(this.#fit)
    this.term.loadAddon(this.search)
    this.term.loadAddon(new Unicode11Addon())
    this.term.unicode.activeVersion = '11'
    this.term.open(element)
    this.term.textarea?.setAttribute('aria-label', t(options.readOnly ? 'terminalShown' : 'terminalInput'))
    const isLive = options.isLive ?? (() => !options.readOnly)
    this.term.attachCustomKeyEventHandler(({ key }) => key !== 'Tab' || isLive())
  }

  /** Renders with WebGL while visible. Browsers allow only a few contexts, so hidden screens release theirs. */
  setVisible(visible: boolean) {
    if (!visible) {
      this.#webgl?.dispose()
      this.#webgl = undefined
      return
    }
    if (this.#webgl || !hasGraphicsCard()) return
    try {
      const webgl = new WebglAddon()
      webgl.onContextLoss(() => {
        webgl.dispose()
        if (this.#webgl === webgl) this.#webgl = undefined
      })
      this.term.loadAddon(webgl)
      this.#webgl = webgl
    } catch {
      this.#webgl = undefined
    }
  }

  /** Fits the terminal to its element; does nothing while hidden. */
  fit() {
    const size = this.#fit.proposeDimensions()
    if (!size || size.cols < 2 || size.rows < 1 || Number.isNaN(size.cols)) return
    if (size.cols !== this.term.cols || size.rows !== this.term.rows) this.term.resize(size.cols, size.rows)
  }

  /** Scales a screen of fixed size to its element; for recordings and monitored sessions. */
  scaleInto(element: HTMLElement) {
    const drawn = this.term.element?.querySelector<HTMLElement>('.xterm-screen')
    if (!drawn?.offsetWidth || !element.clientWidth) return
    const now = this.term.options.fontSize ?? 14
    const scale = Math.min(
      (element.clientWidth - 2) / drawn.offsetWidth,
      (element.clientHeight - 2) / drawn.offsetHeight,
    )
    const next = Math.min(largestFont, Math.max(smallestFont, Math.floor(now * scale * 2) / 2))
    if (next !== now) this.term.options.fontSize = next
  }

  setLook(options: ScreenOptions) {
    this.term.options.fontSize = options.fontSize
    this.term.options.theme = options.theme
  }

  dispose() {
    this.setVisible(false)
    this.term.dispose()
  }
}

let graphicsCard: boolean | undefined

/** With software rendering, WebGL is slower than the DOM. */
function hasGraphicsCard(): boolean {
  if (graphicsCard === undefined) {
    const context = document.createElement('canvas').getContext('webgl2', { failIfMajorPerformanceCaveat: true })
    const info = context?.getExtension('WEBGL_debug_renderer_info')
    const renderer = info ? String(context?.getParameter(info.UNMASKED_RENDERER_WEBGL)) : ''
    graphicsCard = context !== null && !/swiftshader|llvmpipe|software/i.test(renderer)
    context?.getExtension('WEBGL_lose_context')?.loseContext()
  }
  return graphicsCard
}

/** The terminal in which a player creates keyframes ahead of time. */
export function hiddenTerminal(columns: number, rows: number): HiddenTerminal {
  const term = new Terminal({ cols: columns, rows, scrollback: 0, allowProposedApi: true })
  const serialize = new SerializeAddon()
  term.loadAddon(new Unicode11Addon())
  term.unicode.activeVersion = '11'
  term.loadAddon(serialize)
  return {
    write: (text, done) => term.write(text, done),
    resize: (toColumns, toRows) => term.resize(toColumns, toRows),
    picture: () => serialize.serialize({ scrollback: 0 }),
    dispose: () => term.dispose(),
  }
}
