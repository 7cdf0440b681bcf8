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
 * Registers a listener for a created or renamed organization; it runs inside the transaction and creates the initial
 * rows, such as the root node.
 */
export function onOrganizationSaved(listener: Saved): void {
  saved.push(listener)
}

/** Registers a listener for an organization about to be deleted, which deletes its initial rows. */
export function onOrganizationDeleting(listener: Deleting): void {
  deleting.push(listener)
}

export async function tellSaved(ctx: Context, organization: SavedOrganization): Promise<void> {
  for (const listener of saved) await listener(ctx, organization)
}

export async function tellDeleting(ctx: Context, organization: { id: string; name: string }): Promise<void> {
  for (const listener of deleting) await listener(ctx, organization)
}
