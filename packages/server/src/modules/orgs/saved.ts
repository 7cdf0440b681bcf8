import type { Context } from '../../kernel/context.ts'

export interface SavedOrganization {
  id: string
  name: string
  /** Undefined for a new one. */
  formerName: string | undefined
}

type Saved = (ctx: Context, organization: SavedOrganization) => Promise<void>
type Deleting = (ctx: Context, organization: { id: string; name: string }) => Promise<void>
const saved: Saved[] = []
const deleting: Deleting[] = []

/**
 * Hears an organization that is made or renamed, inside the transaction that does it: what every organization has
 * from its first moment, such as the root of its nodes, is made here.
 */
export function onOrganizationSaved(listener: Saved): void {
  saved.push(listener)
}

/** Hears an organization that is about to be deleted: what it had from its first moment is taken away here. */
export function onOrganizationDeleting(listener: Deleting): void {
  deleting.push(listener)
}

export async function tellSaved(ctx: Context, organization: SavedOrganization): Promise<void> {
  for (const listener of saved) await listener(ctx, organization)
}

export async function tellDeleting(ctx: Context, organization: { id: string; name: string }): Promise<void> {
  for (const listener of deleting) await listener(ctx, organization)
}
