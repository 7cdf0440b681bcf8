/** The code editor, built from selected CodeMirror packages; loaded when a form has such a field. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  StreamLanguage,
  type StreamParser,
  syntaxHighlighting,
} from '@codemirror/language'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'

export const codeLanguages = ['shell', 'powershell', 'python', 'yaml', 'ruby', 'json', 'sql'] as const
export type CodeLanguage = (typeof codeLanguages)[number]

const load: Readonly<Record<CodeLanguage, () => Promise<StreamParser<unknown>>>> = {
  shell: async () => (await import('@codemirror/legacy-modes/mode/shell')).shell as StreamParser<unknown>,
  powershell: async () =>
    (await import('@codemirror/legacy-modes/mode/powershell')).powerShell as StreamParser<unknown>,
  python: async () => (await import('@codemirror/legacy-modes/mode/python')).python as StreamParser<unknown>,
  yaml: async () => (await import('@codemirror/legacy-modes/mode/yaml')).yaml as StreamParser<unknown>,
  ruby: async () => (await import('@codemirror/legacy-modes/mode/ruby')).ruby as StreamParser<unknown>,
  sql: async () => (await import('@codemirror/legacy-modes/mode/sql')).standardSQL as StreamParser<unknown>,
  json: async () => (await import('@codemirror/legacy-modes/mode/javascript')).json as StreamParser<unknown>,
}

const colors = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: 'var(--info)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--ok)' },
  { tag: [tags.comment, tags.meta], color: 'var(--text-3)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--warning)' },
  { tag: [tags.propertyName, tags.variableName, tags.definition(tags.variableName)], color: 'var(--link)' },
])

export interface CodeEditor {
  setText: (text: string) => void
  setLanguage: (language: CodeLanguage) => Promise<void>
  setLocked: (locked: boolean) => void
  setAttributes: (attributes: Record<string, string>) => void
  destroy: () => void
}

/** Mounts an editor in an element. Esc, then Tab leaves it by keyboard. */
export function createEditor(
  parent: HTMLElement,
  options: {
    text: string
    /** Its name among them: an editor is never in the page without one. */
    attributes: Record<string, string>
    onChange: (text: string) => void
    onBlur: () => void
  },
): CodeEditor {
  const language = new Compartment()
  const locked = new Compartment()
  const attributes = new Compartment()
  const none: Extension = []
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        syntaxHighlighting(colors),
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.lineWrapping,
        language.of(none),
        locked.of(none),
        attributes.of(EditorView.contentAttributes.of(options.attributes)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) options.onChange(update.state.doc.toString())
          if (update.focusChanged && !update.view.hasFocus) options.onBlur()
        }),
      ],
    }),
  })
  return {
    setText: (text) => {
      if (text !== view.state.doc.toString())
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
    },
    setLanguage: async (name) => {
      const mode = await load[name]()
      view.dispatch({ effects: language.reconfigure(StreamLanguage.define(mode)) })
    },
    setLocked: (value) =>
      view.dispatch({ effects: locked.reconfigure([EditorState.readOnly.of(value), EditorView.editable.of(!value)]) }),
    setAttributes: (value) =>
      view.dispatch({ effects: attributes.reconfigure(EditorView.contentAttributes.of(value)) }),
    destroy: () => view.destroy(),
  }
}
