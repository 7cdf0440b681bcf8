import { languages as all, type Language } from '@castellan/contract/messages'

/** The language each user chose in the menu, while this gateway runs. */
export class Languages {
  private readonly chosen = new Map<string, Language>()

  of(user: string): Language | undefined {
    return this.chosen.get(user)
  }

  /** Sets the user's language to the next one. */
  next(user: string, current: Language): Language {
    const following = all[(all.indexOf(current) + 1) % all.length] as Language
    this.chosen.set(user, following)
    return following
  }
}
