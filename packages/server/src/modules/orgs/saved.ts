import type { Context } from '../../kernel/context.ts'

export interface SavedOrganisation {
  id: string
  name: string
  /** Undefined for a new one. */
  formerName: string | undefined
}

type Saved = (ctx: Context, organisation: SavedOrganisation) => Promise<void>
type Deleting = (ctx: Context, organisation: { id: string; name: string }) => Promise<void>
const saved: Saved[] = []
const deleting: Deleting[] = []

/**
 * Hears an organisation that is made or renamed, inside the transaction that does it: what every organisation has
 * from its first moment, such as the root of its nodes, is made here.
 */
export function onOrganisationSaved(listener: Saved): void {
  saved.push(listener)
}

/** Hears an organisation that is about to be deleted: what it had from its first moment is taken away here. */
export function onOrganisationDeleting(listener: Deleting): void {
  deleting.push(listener)
}

export async function tellSaved(ctx: Context, organisation: SavedOrganisation): Promise<void> {
  for (const listener of saved) await listener(ctx, organisation)
}

export async function tellDeleting(ctx: Context, organisation: { id: string; name: string }): Promise<void> {
  for (const listener of deleting) await listener(ctx, organisation)
}
