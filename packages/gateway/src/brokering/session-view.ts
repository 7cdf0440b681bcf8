/** A session as seen by a watcher. */
export interface SessionView {
  size(): { cols: number; rows: number }
  /** The current screen, as bytes that draw it on an empty terminal. */
  picture(): string
  /** Subscribes to all further output; call the result to stop. */
  watch(viewer: Viewer): () => void
}

export interface Viewer {
  output(data: Buffer): void
  resize(cols: number, rows: number): void
  ended(): void
}

/** The watchers of one session. */
export class Viewers {
  private readonly all = new Set<Viewer>()

  add(viewer: Viewer): () => void {
    this.all.add(viewer)
    return () => this.all.delete(viewer)
  }

  output(data: Buffer): void {
    for (const viewer of this.all) viewer.output(data)
  }

  resize(cols: number, rows: number): void {
    for (const viewer of this.all) viewer.resize(cols, rows)
  }

  ended(): void {
    for (const viewer of this.all) viewer.ended()
    this.all.clear()
  }
}
