/** Functions of a pane for the application: keys and menus use the active one. */
export interface PaneHandle {
  /** Opens its search. */
  find(): void
  focus(): void
  /** Sends text to the session as if it were typed. */
  type(text: string): void
}

export class PaneHandles {
  readonly #handles = new Map<string, PaneHandle>()

  readonly set = (pane: string, handle: PaneHandle | undefined) => {
    if (handle) this.#handles.set(pane, handle)
    else this.#handles.delete(pane)
  }

  get(pane: string | undefined): PaneHandle | undefined {
    return pane === undefined ? undefined : this.#handles.get(pane)
  }
}
