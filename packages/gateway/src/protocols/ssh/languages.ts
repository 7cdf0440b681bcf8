import { languages as all, type Language } from '@castellan/contract/messages'

/** The language each person chose in the menu, for as long as this gateway runs. */
export class Languages {
  private readonly chosen = new Map<string, Language>()

  of(person: string): Language | undefined {
    return this.chosen.get(person)
  }

  /** The next one in the cycle, which becomes the person's. */
  next(person: string, current: Language): Language {
    const following = all[(all.indexOf(current) + 1) % all.length] as Language
    this.chosen.set(person, following)
    return following
  }
}
